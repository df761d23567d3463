import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { DescribedKind, KindEntry } from '../../../model/described-kind.ts'
import { allowsRole, scope } from '../../../model/needs.ts'
import { call } from '../../client/calls.ts'
import { useKindOfRecords } from '../../client/custom-fields.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import {
  type AnyRecord,
  archivedWith,
  keepRecord,
  readRecordsAgain,
  recordQuery,
} from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain } from '../../client/use-answer.ts'
import { DownloadMenu } from '../../components/download-menu.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { policies } from '../../copy/policies.ts'
import { Approval } from './approval.tsx'
import { sidesOf } from './compared-head.tsx'
import type { Comparison } from './comparison.tsx'
import styles from './policies.module.css'
import { Reading } from './reading.tsx'
import { TemplateRequirements } from './template-requirements.tsx'
import { Unsaved } from './unsaved.tsx'
import { useFilledDraft } from './use-filled-draft.ts'
import { isInTheMaking, statusWord, type Version } from './version.ts'
import { FilesCompared } from './version-file.tsx'
import { VersionStanding } from './version-standing.tsx'

const words = policies.text

const Editor = lazy(() =>
  fetchCode(() => import('./editor.tsx')).then((code) => ({ default: code.PolicyEditor })),
)
const PutFile = lazy(() =>
  fetchCode(() => import('./put-file.tsx')).then((code) => ({ default: code.PutFile })),
)
/** Asked for as data is: React keeps what it suspended on away for 300 ms, also where the code has come already. */
const comparison = {
  queryKey: ['pages/policies/comparison'],
  queryFn: () => fetchCode(() => import('./comparison.tsx')),
  staleTime: Infinity,
  structuralSharing: false,
}

/** The text of a policy, in each of its versions: read, compared, written, and decided on. */
export function PolicyText({ entry, parent }: { entry: KindEntry; parent: AnyRecord; above: DescribedKind }) {
  const kind = useKindOfRecords(entry)
  const versions = useQuery(
    recordQuery(kind, 'list', { policyId: [parent.id], ...archivedWith(parent), limit: 200 }),
  )
  return (
    <Loaded query={versions} lines={8}>
      {({ data }) => (
        <Versions kind={kind} policy={parent} versions={data as readonly AnyRecord[] as readonly Version[]} />
      )}
    </Loaded>
  )
}

interface Shown {
  version?: string
  compare?: string
}

function Versions({
  kind,
  policy,
  versions,
}: {
  kind: DescribedKind
  policy: AnyRecord
  versions: readonly Version[]
}) {
  const { version: asked, compare } = useSearch({ strict: false }) as Shown
  const navigate = useNavigate()
  const show = (shown: Shown) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...shown }) as never, replace: true })
  const shown = versions.find(({ id }) => id === asked) ?? firstOf(policy, versions)
  const other = versions.find(({ id }) => id === compare && id !== shown?.id)
  const begin = useBegin(kind, policy, (id) => show({ version: id, compare: undefined as never }))
  const [isEditing, setIsEditing] = useState(false)
  const { role } = useSignedIn()
  const mayWrite = allowsRole(scope('write:policies'), role)
  const canBegin =
    mayWrite && policy.draftVersionId === null && policy.status !== 'retired' && !policy.archivedAt
  const beginning = canBegin && (
    <Button
      variant={shown ? 'default' : 'filled'}
      size="compact-md"
      leftSection={<IconPlus size={14} aria-hidden />}
      loading={begin.isBeginning}
      onClick={() => void begin.start().then((id) => id !== null && setIsEditing(true))}
    >
      {shown ? words.beginNext : words.begin}
    </Button>
  )
  const inMaking = versions.find(isInTheMaking) ?? null
  // Who sees two versions is about to compare them.
  const canCompare = versions.length > 1
  const code = useQuery({ ...comparison, enabled: canCompare })
  const putting = (version: Version | null) => (
    <Suspense key={version?.id ?? 'new'}>
      <PutFile
        version={version}
        begin={begin.start}
        done={async (after) => {
          keepRecord(kind, after as never)
          await Promise.all([
            readRecordsAgain(kind),
            readAgain('getPolicy' as never, 'listPolicyDecisions' as never),
          ])
        }}
      />
    </Suspense>
  )
  if (!shown)
    return (
      <Stack gap="sm" align="start">
        <Text size="sm">{words.none}</Text>
        <ProblemAlert error={begin.problem} />
        <Group gap="xs">
          {beginning}
          {canBegin && putting(null)}
        </Group>
      </Stack>
    )
  const titled = (one: Version) => ({
    value: one.id,
    label: words.ofVersion(one.label, statusWord(policy, one)),
  })
  return (
    <Stack gap="md" className={styles.versions}>
      <Group gap="sm" align="end" className={styles.bar}>
        {isEditing ? (
          <Text size="sm" fw={600}>
            {words.version} {titled(shown).label}
          </Text>
        ) : (
          <>
            <NativeSelect
              size="xs"
              label={words.version}
              value={shown.id}
              data={versions.map(titled)}
              onChange={({ currentTarget }) =>
                show({ version: currentTarget.value, compare: undefined as never })
              }
            />
            {canCompare && (
              <NativeSelect
                size="xs"
                label={words.compare}
                value={other?.id ?? ''}
                data={[
                  { value: '', label: words.notCompared },
                  ...versions.filter(({ id }) => id !== shown.id).map(titled),
                ]}
                onChange={({ currentTarget }) =>
                  show({ compare: currentTarget.value || (undefined as never) })
                }
              />
            )}
          </>
        )}
        <Group gap="xs" className={styles.acts}>
          {mayWrite && isInTheMaking(shown) && !isEditing && (
            <Button
              variant="default"
              size="compact-md"
              leftSection={<IconPencil size={14} aria-hidden />}
              onClick={() => setIsEditing(true)}
            >
              {words.edit}
            </Button>
          )}
          {mayWrite && shown.id === inMaking?.id && !isEditing && (
            <Whole key={`file of ${shown.id}`} id={shown.id} kind={kind}>
              {putting}
            </Whole>
          )}
          {shown.contentSha256 && shown.contentFormat !== 'file' && !isEditing && (
            <DownloadMenu
              key={shown.id}
              label={words.download}
              formats={words.formats}
              ask={(format) => call('exportPolicyVersion', { id: shown.id, format })}
            />
          )}
          {!isEditing && beginning}
        </Group>
      </Group>
      <ProblemAlert error={begin.problem} />
      <Whole key={shown.id} id={shown.id} kind={kind}>
        {(version) =>
          isEditing ? (
            <Suspense>
              <Editor kind={kind} policy={policy} version={version} close={() => setIsEditing(false)} />
            </Suspense>
          ) : (
            <>
              <Unsaved version={version} goOn={mayWrite ? () => setIsEditing(true) : null} />
              <Approval kind={kind} policy={policy} version={version} />
              <VersionStanding
                policy={policy}
                version={version}
                inMaking={inMaking}
                show={(id) => show({ version: id, compare: undefined as never })}
                compare={other ? null : (id) => show({ compare: id })}
              />
              {policy.templateKey !== null && <TemplateRequirements policy={policy} />}
              {other && (
                <Whole key={other.id} id={other.id} kind={kind}>
                  {(one) =>
                    one.file || version.file ? (
                      <FilesCompared policy={policy} {...inOrder(one, version)} />
                    ) : (
                      <Loaded query={code} lines={10}>
                        {({ Comparison }) => (
                          <Filled policy={policy} one={one} version={version} as={Comparison} />
                        )}
                      </Loaded>
                    )
                  }
                </Whole>
              )}
              <Kept isShown={!other}>
                <Reading policy={policy} version={version} />
              </Kept>
            </>
          )
        }
      </Whole>
    </Stack>
  )
}

/** Two versions compared, drafts as they would be read. */
function Filled({
  policy,
  one,
  version,
  as: Compared,
}: {
  policy: AnyRecord
  one: Version
  version: Version
  as: typeof Comparison
}) {
  const filled = useFilledDraft(policy, [one.content, version.content])
  const both = inOrder(one, version)
  return (
    <Compared
      {...both}
      sides={sidesOf(policy, both)}
      fill={(content) => filled({ content, label: version.label })}
    />
  )
}

/** What somebody opens a policy for: the version that waits for people, else what is in force, else the last. */
const firstOf = (policy: AnyRecord, versions: readonly Version[]): Version | undefined =>
  versions.find(({ status }) => status === 'pending_approval' || status === 'approved') ??
  versions.find(({ id }) => id === policy.currentVersionId) ??
  versions.find(({ id }) => id === policy.draftVersionId) ??
  versions[0]

/** Whichever was chosen first, what the later adds is added. */
const inOrder = (one: Version, other: Version): { from: Version; to: Version } =>
  one.createdAt <= other.createdAt ? { from: one, to: other } : { from: other, to: one }

/** A version with its texts, which lists do not have. */
function Whole({
  id,
  kind,
  children,
}: {
  id: string
  kind: DescribedKind
  children: (version: Version) => ReactNode
}) {
  const version = useQuery(recordQuery(kind, 'get', { id }))
  return (
    <Loaded query={version} lines={10}>
      {(data) => <>{children(data as Version)}</>}
    </Loaded>
  )
}

/**
 * What was shown once stays drawn, and is hidden while something else stands in its place: a text of two hundred pages takes
 * the browser a tenth of a second to take away, and more to draw again.
 */
function Kept({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  const [wasShown, setWasShown] = useState(isShown)
  if (isShown && !wasShown) setWasShown(true)
  return wasShown && <div hidden={!isShown}>{children}</div>
}

/** Begins a version with the text in force, or an empty one. */
function useBegin(kind: DescribedKind, policy: AnyRecord, shown: (id: string) => void) {
  const guarded = useGuardedCall()
  const [isBeginning, setIsBeginning] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const start = async (): Promise<string | null> => {
    setIsBeginning(true)
    setProblem(null)
    try {
      const version = (await guarded('createPolicyVersion', { policyId: policy.id } as never)) as AnyRecord
      keepRecord(kind, version)
      // What is on the page stays there meanwhile: it is where the text is about to be written.
      await readAgain(...(['listPolicyVersions', 'getPolicy', 'getPolicyDependents'] as never[]))
      shown(version.id)
      return version.id
    } catch (error) {
      setProblem(error)
      return null
    } finally {
      setIsBeginning(false)
    }
  }
  return { isBeginning, problem, start }
}
