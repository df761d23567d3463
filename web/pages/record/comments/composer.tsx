import { Button, Group, Text, Textarea } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type MentionPart, mention, partsOf } from '../../../../model/mentions.ts'
import { forgetText, keepText, keptText, placeOf } from '../../../client/kept-text.ts'
import { useSignedIn } from '../../../client/session.ts'
import { forgetUploads, isOver, uploadFiles, useUploads } from '../../../client/uploads.ts'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { ChooseFiles, DropZone, UploadList } from '../../../components/uploads.tsx'
import { buttons } from '../../../copy/buttons.ts'
import { comments as words } from '../../../copy/comments.ts'
import { uploads } from '../../../copy/uploads.ts'
import { type Attachment, Attachments } from './attachments.tsx'
import styles from './comments.module.css'
import { useMentionable } from './use-mentionable.ts'

/**
 * A comment as it is written: whoever is mentioned stands there by name, and is sent with their id.
 * @param id of the comment, where it is there already
 * @param text what it says by now
 * @param files those that it has by now
 */
export function Composer({
  recordId,
  id = recordId,
  text = '',
  files = [],
  submit,
  send,
  cancel,
}: {
  recordId: string
  id?: string
  text?: string
  files?: readonly Attachment[]
  submit: string
  send: (text: string, fileIds: string[]) => Promise<unknown>
  cancel?: () => void
}) {
  const unsent = placeOf(useSignedIn(), id)
  const [kept] = useState(() => keptText<Unsent>(unsent, isUnsent))
  const [people, setPeople] = useState<readonly MentionPart[]>(() => kept?.values.people ?? peopleIn(text))
  const [typed, setTyped] = useState(() => kept?.values.typed ?? named(text))
  const isChanged = typed !== named(text)
  useEffect(() => {
    if (isChanged) keepText(unsent, { typed, people })
    else forgetText(unsent)
  }, [unsent, isChanged, typed, people])
  const [asked, setAsked] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const [problem, setProblem] = useState<unknown>(null)
  const [isSending, setIsSending] = useState(false)
  const [sent, setSent] = useState(files)
  const place = useId()
  const uploading = useUploads(place)
  const isUploading = uploading.some((one) => !isOver(one))
  const areDone = uploading.length > 0 && uploading.every(({ state }) => state === 'done')
  useEffect(() => {
    if (areDone) forgetUploads(place)
  }, [areDone, place])
  const take = (chosen: File[]) =>
    uploadFiles(place, chosen, async (file) => {
      setSent((all) => [...all.filter(({ id }) => id !== file.id), file])
      return null
    })
  const area = useRef<HTMLTextAreaElement>(null)
  const offered = useMentionable(recordId, asked)

  const look = () => {
    const { selectionStart = 0, value = '' } = area.current ?? {}
    setAsked(askedIn(value.slice(0, selectionStart)))
    setAt(0)
  }
  const choose = (person: MentionPart) => {
    const { selectionStart = 0 } = area.current ?? {}
    const before = typed
      .slice(0, selectionStart)
      .replace(ASKED, (_, space: string) => `${space}@${person.name} `)
    setTyped(before + typed.slice(selectionStart))
    setPeople((all) => [...all.filter(({ name }) => name !== person.name), person])
    setAsked(null)
    area.current?.focus()
  }
  const finish = async () => {
    if (isSending || isUploading || typed.trim() === '') return
    setIsSending(true)
    setProblem(null)
    try {
      await send(
        withIds(typed, people),
        sent.map(({ id }) => id),
      )
      forgetText(unsent)
      setTyped('')
      setPeople([])
      setSent([])
      forgetUploads(place)
    } catch (error) {
      setProblem(error)
    }
    setIsSending(false)
  }
  const press = (event: KeyboardEvent) => {
    const isOffered = asked !== null && offered.length > 0
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void finish()
    else if (event.key === 'Escape' && asked !== null) setAsked(null)
    else if (isOffered && event.key === 'ArrowDown') setAt((at + 1) % offered.length)
    else if (isOffered && event.key === 'ArrowUp') setAt((at + offered.length - 1) % offered.length)
    else if (isOffered && (event.key === 'Enter' || event.key === 'Tab')) choose(offered[at]!)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <DropZone take={take} text={uploads.drop}>
      <form
        className={styles.composer}
        onSubmit={(event) => {
          event.preventDefault()
          void finish()
        }}
      >
        <ProblemAlert error={problem} />
        <Textarea
          ref={area}
          aria-label={words.label}
          placeholder={words.placeholder}
          autosize
          minRows={2}
          maxRows={16}
          maxLength={10_000}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          onInput={look}
          onClick={look}
          onKeyDown={press}
          onBlur={() => setTimeout(() => setAsked(null), 200)}
        />
        {asked !== null && (
          <div className={styles.offered} role="listbox" aria-label={words.mentions}>
            {offered.length === 0 && (
              <Text size="xs" c="dimmed" px="xs" py={4}>
                {words.nobody}
              </Text>
            )}
            {offered.map((person, place) => (
              <button
                key={person.userId}
                type="button"
                role="option"
                aria-selected={place === at}
                tabIndex={-1}
                className={styles.option}
                onMouseDown={(event) => {
                  event.preventDefault()
                  choose(person)
                }}
              >
                <bdi>{person.name}</bdi>
              </button>
            ))}
          </div>
        )}
        <Attachments files={sent} remove={(gone) => setSent((all) => all.filter(({ id }) => id !== gone))} />
        <UploadList place={place} />
        <Group justify="space-between" gap="sm" mt={6}>
          <Text size="xs" c="dimmed">
            {words.hint}
          </Text>
          <Group gap="xs" ml="auto">
            <ChooseFiles take={take} />
            {cancel && (
              <Button
                size="xs"
                variant="default"
                onClick={() => {
                  forgetText(unsent)
                  cancel()
                }}
              >
                {buttons.cancel}
              </Button>
            )}
            <Button size="xs" type="submit" loading={isSending} disabled={isUploading || typed.trim() === ''}>
              {submit}
            </Button>
          </Group>
        </Group>
      </form>
    </DropZone>
  )
}

/** What is typed, and those of whom it is known who they are. */
interface Unsent {
  readonly typed: string
  readonly people: readonly MentionPart[]
}

const isUnsent = ({ typed, people }: Partial<Record<keyof Unsent, unknown>>): boolean =>
  typeof typed === 'string' &&
  Array.isArray(people) &&
  people.every((one) => typeof one?.name === 'string' && typeof one.userId === 'string')

/** Somebody is being looked for, at the end of what stands before the cursor. */
const ASKED = /(^|[\s(])@([\p{L}\p{N}.'’-]{0,30}(?: [\p{L}\p{N}.'’-]{0,30})?)$/u
const askedIn = (text: string): string | null => ASKED.exec(text)?.[2] ?? null

const peopleIn = (text: string): MentionPart[] => partsOf(text).filter((part) => typeof part !== 'string')
const named = (text: string): string =>
  partsOf(text)
    .map((part) => (typeof part === 'string' ? part : `@${part.name}`))
    .join('')

/** The longest name first: one may be the beginning of another. */
const withIds = (typed: string, people: readonly MentionPart[]): string =>
  people
    .toSorted((one, other) => other.name.length - one.name.length)
    .reduce((text, person) => partsReplaced(text, `@${person.name}`, mention(person)), typed)

/** Only in what is no mention yet. */
const partsReplaced = (text: string, name: string, by: string): string =>
  partsOf(text)
    .map((part) => (typeof part === 'string' ? part.replaceAll(name, () => by) : mention(part)))
    .join('')
