import { Alert, Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import {
  type ClipboardEvent,
  type DragEvent,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { unknownIn } from '../../../model/policy-text.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { writtenTime } from '../../client/formats.ts'
import { forgetText, keepText, placeOf } from '../../client/kept-text.ts'
import { Pictures } from '../../client/pictures.ts'
import { isProblem } from '../../client/problem.ts'
import { type AnyRecord, keepRecord, readRecordsAgain } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain } from '../../client/use-answer.ts'
import { DangerDialog } from '../../components/danger-dialog.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { UploadList } from '../../components/uploads.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { policies } from '../../copy/policies.ts'
import { applied, type Tool, toolOfKey } from './editing.ts'
import { Tools } from './editor-tools.tsx'
import { Meanwhile } from './meanwhile.tsx'
import type { Lost } from './paste/markdown-of.ts'
import { picturesAmong, usePictures } from './pictures/use-pictures.ts'
import styles from './policies.module.css'
import { useFilledDraft } from './use-filled-draft.ts'
import type { Version } from './version.ts'
import { writeIn } from './write-in.ts'
import { keptWriting } from './written.ts'

const words = policies.editor
const WHEN = { dateStyle: 'medium', timeStyle: 'short' } as const

/** What is copied from a page of plain words, such as a program's, is pasted as those words. */
const FORMATTED = /<(?:h[1-6]|li|table|b|strong|i|em|a|blockquote|pre)\b|mso-|font-weight:\s*(?:bold|[67]00)/i

/** What parts a block from the words around it. */
const gapAfter = (before: string): string => {
  if (before === '' || before.endsWith('\n\n')) return ''
  return before.endsWith('\n') ? '\n' : '\n\n'
}
const gapBefore = (after: string): string => {
  if (after === '' || after.startsWith('\n\n')) return ''
  return after.startsWith('\n') ? '\n' : '\n\n'
}

/** A version in the making, written in Markdown beside what it will look like. */
export function PolicyEditor({
  kind,
  policy,
  version,
  close,
}: {
  kind: DescribedKind
  policy: AnyRecord
  version: Version
  close: () => void
}) {
  const signedIn = useSignedIn()
  const place = placeOf(signedIn, version.id)
  const [kept] = useState(() => keptWriting(place))
  // What is saved, as far as is known here, and what is written was begun from.
  const [saved, setSaved] = useState(version)
  const [begunFrom, setBegunFrom] = useState(kept?.version ?? version.version)
  const [content, setContent] = useState(kept?.values.content ?? version.content ?? '')
  const [changelog, setChangelog] = useState(kept?.values.changelog ?? version.changelog ?? '')
  const [materialChange, setMaterial] = useState(kept?.values.materialChange ?? version.materialChange)
  const [isSaved, setIsSaved] = useState(false)
  const [isLeaving, setIsLeaving] = useState(false)
  const [shown, setShown] = useState<'write' | 'preview'>('write')
  const area = useRef<HTMLTextAreaElement>(null)
  const preview = useRef<HTMLElement>(null)
  const later = useDeferredValue(content)
  const filled = useFilledDraft(policy, [later])
  // One that is misspelt looks like one that has no value yet.
  const unknown = useMemo(() => unknownIn(later), [later])
  const guarded = useGuardedCall()
  const isChanged =
    !isSaved &&
    (content !== (saved.content ?? '') ||
      changelog !== (saved.changelog ?? '') ||
      materialChange !== saved.materialChange)
  const isOvertaken = isChanged && begunFrom !== saved.version
  useEffect(() => {
    if (isChanged) keepText(place, { content, changelog, materialChange }, begunFrom)
    else forgetText(place)
  }, [place, isChanged, content, changelog, materialChange, begunFrom])
  const takeSaved = () => {
    setContent(saved.content ?? '')
    setChangelog(saved.changelog ?? '')
    setMaterial(saved.materialChange)
    setBegunFrom(saved.version)
  }
  const { form, problem, wrong, mend, isSending } = useSubmission({
    given: { content: content.trim() || null, changelog: changelog.trim() || null, materialChange },
    fields: ['content', 'changelog', 'materialChange'],
    isMissing: () => false,
    send: async (given) => {
      const after = await guarded('updatePolicyVersion', {
        id: saved.id,
        ifMatch: begunFrom,
        ...given,
      } as never).catch(async (error) => {
        if (isProblem(error, 'version_mismatch'))
          setSaved((await guarded('getPolicyVersion' as never, { id: saved.id } as never)) as never)
        throw error
      })
      setIsSaved(true)
      forgetText(place)
      keepRecord(kind, after as never)
      await Promise.all([
        readRecordsAgain(kind),
        readAgain('getPolicy' as never, 'listPolicyDecisions' as never),
      ])
      close()
    },
  })
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  const edit = (tool: Tool) => {
    // As it is by now: a picture is named once it was sent, and much may be written meanwhile.
    const { value, selectionStart, selectionEnd } = area.current!
    const edited = applied({ text: value, from: selectionStart, to: selectionEnd }, tool)
    if (writeIn(area.current!, edited)) return
    setContent(edited.text)
    mend('content')
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(edited.from, edited.to)
    })
  }
  const insert = (text: string) => edit({ name: 'insert', text })
  const picturesPlace = `pictures of ${version.id}`
  const insertBlocks = (text: string) => {
    const { value, selectionStart, selectionEnd } = area.current!
    insert(`${gapAfter(value.slice(0, selectionStart))}${text}${gapBefore(value.slice(selectionEnd))}`)
  }
  const pictures = usePictures(picturesPlace, insertBlocks)
  const takePictures = (event: ClipboardEvent | DragEvent, data: DataTransfer): boolean => {
    const files = picturesAmong(data)
    if (files.length === 0) return false
    event.preventDefault()
    pictures.take(files)
    return true
  }
  const [lost, setLost] = useState<readonly Lost[]>([])
  const paste = (event: ClipboardEvent) => {
    setLost([])
    if (takePictures(event, event.clipboardData)) return
    const html = event.clipboardData.getData('text/html')
    const plain = event.clipboardData.getData('text/plain')
    if (!FORMATTED.test(html)) return
    event.preventDefault()
    void fetchCode(() => import('./paste/markdown-of.ts')).then(
      ({ readHtml, isOfBlocks }) => {
        const { text, lost } = readHtml(html)
        setLost(lost)
        if (isOfBlocks(text)) insertBlocks(text)
        else insert(text)
      },
      () => insert(plain),
    )
  }
  return (
    <form {...form}>
      <Stack gap="sm">
        {saved.status !== 'draft' && (
          <Text size="sm" role="note">
            {words.voids}
          </Text>
        )}
        {saved.file && (
          <Text size="sm" role="note">
            {policies.file.takesItsPlace}
          </Text>
        )}
        {kept && isChanged && (
          <Alert color="blue" variant="light">
            <Group gap="sm">
              <Text size="sm">{words.kept(writtenTime(new Date(kept.at), WHEN))}</Text>
              <Button size="compact-xs" variant="default" onClick={takeSaved}>
                {words.discard}
              </Button>
            </Group>
          </Alert>
        )}
        {isOvertaken && (
          <Meanwhile
            saved={saved}
            content={content}
            keep={() => setBegunFrom(saved.version)}
            take={takeSaved}
          />
        )}
        {lost.length > 0 && (
          <Text size="sm" role="status">
            {lost.map((one) => words.lost[one]).join(' ')}
          </Text>
        )}
        <Group justify="space-between" gap="xs">
          <Tools edit={edit} takePictures={pictures.take} isTaking={pictures.isTaking} />
          <SegmentedControl
            className={styles.switch!}
            size="xs"
            value={shown}
            onChange={(chosen) => setShown(chosen as 'write' | 'preview')}
            data={[
              { value: 'write', label: words.write },
              { value: 'preview', label: words.preview },
            ]}
          />
        </Group>
        {pictures.isTaking && <UploadList place={picturesPlace} />}
        <ProblemAlert error={pictures.problem} />
        <div className={styles.editor} data-shown={shown} data-takes-width>
          <div className={styles.writing}>
            <textarea
              ref={area}
              name="content"
              aria-label={words.label}
              aria-invalid={wrong.content ? true : undefined}
              spellCheck
              value={content}
              onChange={({ currentTarget }) => {
                setContent(currentTarget.value)
                mend('content')
              }}
              onKeyDown={(event) => {
                const tool = toolOfKey(event)
                if (!tool) return
                event.preventDefault()
                edit(tool)
              }}
              onPaste={paste}
              onScroll={({ currentTarget }) => followScroll(currentTarget, preview.current)}
              onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
              onDrop={(event) => takePictures(event, event.dataTransfer)}
            />
            {wrong.content ? (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {wrong.content}
              </Text>
            ) : (
              unknown.length > 0 && (
                <Text size="sm" c="var(--mantine-color-error)" role="status">
                  {words.unknown(unknown)}
                </Text>
              )
            )}
          </div>
          <section ref={preview} className={styles.preview} aria-label={words.preview}>
            <Pictures value={{ of: 'version', id: version.id }}>
              <Markdown isDocument>{filled({ ...version, content: later })}</Markdown>
            </Pictures>
          </section>
        </div>
        <TextInput
          label={words.changelog}
          description={words.changelogHelp}
          name="changelog"
          error={wrong.changelog}
          value={changelog}
          onChange={({ currentTarget }) => {
            setChangelog(currentTarget.value)
            mend('changelog')
          }}
        />
        <Checkbox
          label={words.material}
          description={words.materialHelp}
          checked={materialChange}
          onChange={({ currentTarget }) => setMaterial(currentTarget.checked)}
        />
        {!isOvertaken && <ProblemAlert error={isProblem(problem, 'version_mismatch') ? null : problem} />}
        <Group gap="sm">
          <Button type="submit" loading={isSending} disabled={isOvertaken}>
            {words.save}
          </Button>
          <Button variant="default" onClick={() => (isChanged ? setIsLeaving(true) : close())}>
            {words.cancel}
          </Button>
          {isChanged && (
            <Text size="sm" c="dimmed" role="status">
              {words.unsaved}
            </Text>
          )}
        </Group>
      </Stack>
      {(isLeaving || blocker.status === 'blocked') && (
        <DangerDialog
          title={words.lose.title}
          text={words.lose.text}
          verb={words.lose.submit}
          act={async () => {
            forgetText(place)
            if (blocker.status === 'blocked') blocker.proceed()
            else close()
          }}
          close={() => {
            setIsLeaving(false)
            blocker.reset?.()
          }}
        />
      )}
    </form>
  )
}

/** The preview shows what stands as far down in it as what is written in. */
function followScroll(from: HTMLElement, to: HTMLElement | null): void {
  if (!to) return
  const part = from.scrollTop / Math.max(1, from.scrollHeight - from.clientHeight)
  to.scrollTop = part * (to.scrollHeight - to.clientHeight)
}
