import { Alert, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { DescribedKind, KindEntry } from '../../model/described-kind.ts'
import { useKindOfRecords } from '../client/custom-fields.ts'
import { fetchCode } from '../client/fetch-code.ts'
import { childKinds, kindAt, pointingKinds } from '../client/kinds.ts'
import { isProblem, Problem } from '../client/problem.ts'
import { type AnyRecord, mayDo, recordCall, useRecordAnswer } from '../client/records.ts'
import { type SignedIn, useSignedIn } from '../client/session.ts'
import { useIsTheirs } from '../client/waiting.ts'
import { Loaded } from '../components/loaded.tsx'
import { PageMissing } from '../components/page-fault.tsx'
import { PageHead } from '../components/page-head.tsx'
import { RecordLink } from '../components/record-link.tsx'
import { countWord } from '../copy/counts.ts'
import { record as words } from '../copy/record.ts'
import { registerWords, valueWord } from '../copy/records.ts'
import { type Dependent, dependentsQuery } from './record/dependents.ts'
import { Details } from './record/details.tsx'
import { RecordHead } from './record/head.tsx'
import styles from './record/record.module.css'
import { Sidebar } from './record/sidebar.tsx'
import { useRecordEdits } from './record/use-record-edits.ts'

/* Tabs besides the first. */
const Children = lazy(() =>
  fetchCode(() => import('./record/children.tsx')).then((code) => ({ default: code.Children })),
)
/** Of a kind whose records are what those above them are about: drawn in a way of its own, before all else. */
const FIRST: Readonly<Record<string, typeof Children>> = {
  policy_version: lazy(() =>
    fetchCode(() => import('./policies/policy-text.tsx')).then((code) => ({ default: code.PolicyText })),
  ),
  requirement: lazy(() =>
    fetchCode(() => import('./frameworks/requirements.tsx')).then((code) => ({
      default: code.FrameworkRequirements,
    })),
  ),
}
const AtPolicy = lazy(() =>
  fetchCode(() => import('./policies/at-policy.tsx')).then((code) => ({ default: code.AtPolicy })),
)
/** Kinds whose records are looked at on the page of another. */
const ELSEWHERE: Readonly<Record<string, typeof AtPolicy>> = {
  policy_version: AtPolicy,
  policy_decision: AtPolicy,
}
const Comments = lazy(() =>
  fetchCode(() => import('./record/comments.tsx')).then((code) => ({ default: code.Comments })),
)
const History = lazy(() =>
  fetchCode(() => import('./record/history.tsx')).then((code) => ({ default: code.History })),
)
const Signals = lazy(() =>
  fetchCode(() => import('./record/signals.tsx')).then((code) => ({ default: code.Signals })),
)
const Round = lazy(() =>
  fetchCode(() => import('./policies/round.tsx')).then((code) => ({ default: code.Round })),
)
const PolicyLog = lazy(() =>
  fetchCode(() => import('./policies/log.tsx')).then((code) => ({ default: code.PolicyLog })),
)
const AskedToRead = lazy(() =>
  fetchCode(() => import('./record/asked-to-read.tsx')).then((code) => ({ default: code.AskedToRead })),
)
const Owns = lazy(() => fetchCode(() => import('./record/owns.tsx')).then((code) => ({ default: code.Owns })))

/** One record of any kind, by its id or its reference. */
export function RecordPage() {
  const { register, id } = useParams({ strict: false }) as { register: string; id: string }
  const kind = kindAt(register)
  if (!kind) return <PageMissing />
  return isReference(kind, id) ? (
    <ByReference kind={kind} reference={id} />
  ) : (
    <ById key={id} kind={kind} id={id} />
  )
}

const isReference = ({ referencePrefix }: KindEntry, text: string): boolean =>
  new RegExp(`^${referencePrefix}-\\d+$`, 'i').test(text)

function ByReference({ kind, reference }: { kind: KindEntry; reference: string }) {
  const found = useQuery({
    queryKey: [kind.name, 'reference', reference],
    queryFn: () => recordCall(kind, 'list', { reference: [reference], limit: 1, archived: 'with' }),
  })
  return (
    <Loaded query={found} lines={6} title={kind.title}>
      {({ data: [one] }) => (one ? <ById key={one.id} kind={kind} id={one.id} /> : <Missing kind={kind} />)}
    </Loaded>
  )
}

function ById({ kind, id }: { kind: KindEntry; id: string }) {
  const record = useRecordAnswer(kind, 'get', { id })
  const isGone = isProblem(record.error, 'not_found') || isProblem(record.error, 'validation_failed')
  if (isGone && !record.data) return <Gone kind={kind} id={id} />
  return (
    <Stack gap="md">
      {/* Deleted while it was looked at: what is typed there stays to be read. */}
      {isGone && (
        <Alert color="yellow" role="alert" title={words.missing.gone(registerWords(kind).one)}>
          <Text size="sm">{words.missing.goneText}</Text>
          <Back kind={kind} />
        </Alert>
      )}
      <Loaded query={record} lines={8} title={kind.title}>
        {(data) => {
          const Elsewhere = ELSEWHERE[kind.name]
          return Elsewhere ? (
            <Suspense>
              <Elsewhere record={data} />
            </Suspense>
          ) : (
            <Whole entry={kind} record={data} />
          )
        }}
      </Loaded>
    </Stack>
  )
}

const TABS = ['details', 'askedToRead', 'round', 'comments', 'log', 'history', 'signals', 'owns'] as const
type Tab = (typeof TABS)[number]

function Whole({ entry, record }: { entry: KindEntry; record: AnyRecord }) {
  const kind = useKindOfRecords(entry)
  const signedIn = useSignedIn()
  const edits = useRecordEdits(kind, record)
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  const navigate = useNavigate()
  const mayChange = mayDo(kind, 'update', signedIn) && !record.archivedAt
  // What is left to whoever it names is done in its head and among its facts, and nowhere else.
  const isTheirs = useIsTheirs(kind, record) && !record.archivedAt
  const editable = isTheirs || mayChange
  const children = childKinds(kind).filter((child) => mayDo(child, 'read', signedIn))
  const pointing = pointingKinds(kind).filter((one) => mayDo(one.kind, 'read', signedIn))
  const beneath = [
    ...children.map((child) => ({
      ...{ id: child.under!.path, title: titleBeneath(child) },
      ...{ child, field: child.under!.field },
    })),
    ...pointing.map(({ kind: child, field }) => ({
      ...{ id: child.page, title: registerWords(child).short },
      ...{ child, field },
    })),
  ]
  const { data: dependents } = useQuery(dependentsQuery(entry, record.id))
  const countOf = (id: string): number => {
    const shown = beneath.find((one) => one.id === id)
    const isThose = ({ type, as }: Dependent) => type === shown?.child.name && as === shown.field
    return dependents?.data.find(isThose)?.count ?? 0
  }
  const own = TABS.filter((one) => isOffered(kind, one)).map((id) => ({ id, title: words.tabs[id] }))
  const [details, ...others] = own as [(typeof own)[number], ...typeof own]
  const first = beneath.filter(({ child }) => FIRST[child.name])
  const offered = [...first, details, ...beneath.filter((one) => !first.includes(one)), ...others]
  const shown = offered.find(({ id }) => id === tab)?.id ?? offered[0]!.id
  const show = (chosen: string | null) =>
    navigate({ to: '.', search: chosen === offered[0]!.id ? {} : ({ tab: chosen } as never), replace: true })
  return (
    <Stack gap="md" className={styles.page}>
      <RecordHead kind={kind} edits={edits} editable={editable} />
      <Tabs value={shown} onChange={(chosen) => void show(chosen)} keepMounted={false}>
        <Tabs.List aria-label={words.tabsLabel(record.reference)} className={styles.tabs}>
          {offered.map(({ id, title }) => (
            <Tabs.Tab key={id} value={id}>
              {title}
              {countOf(id) > 0 && <span className={styles.count}>{` ${countWord(countOf(id))}`}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <div className={styles.columns}>
          <div className={styles.main}>
            <Tabs.Panel value="details" keepMounted>
              <Details kind={kind} edits={edits} editable={editable} />
            </Tabs.Panel>
            {beneath.map(({ id, child, field }) => {
              const Beneath = FIRST[child.name] ?? Children
              return (
                <Tabs.Panel key={id} value={id}>
                  <Suspense>
                    <Beneath entry={child} field={field} parent={record} above={kind} />
                  </Suspense>
                </Tabs.Panel>
              )
            })}
            <Tabs.Panel value="round">
              <Suspense>
                <Round policy={record} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="log">
              <Suspense>
                <PolicyLog policy={record} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="comments">
              <Suspense>
                <Comments id={record.id} mayWrite={mayComment(kind, signedIn) && !record.archivedAt} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="history">
              <Suspense>
                <History kind={kind} id={record.id} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="signals">
              <Suspense>
                <Signals kind={kind} id={record.id} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="askedToRead">
              <Suspense>
                <AskedToRead id={record.id} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="owns">
              <Suspense>
                <Owns id={record.id} />
              </Suspense>
            </Tabs.Panel>
          </div>
          <Sidebar kind={kind} record={edits.shown} editable={mayChange} />
        </div>
      </Tabs>
    </Stack>
  )
}

/** Beneath its parent, the word behind the path says enough: the treatments of a risk. */
const titleBeneath = ({ under }: KindEntry): string => valueWord(under!.path.replaceAll('-', '_'))

function isOffered(kind: DescribedKind, tab: Tab): boolean {
  if (tab === 'signals') return kind.signals.length > 0
  const of = OF_ONE_KIND[tab]
  return of === undefined || kind.name === of
}

/** Tabs of the records of one kind. */
const OF_ONE_KIND: { readonly [tab in Tab]?: string } = {
  round: 'policy',
  log: 'policy',
  owns: 'personnel',
  askedToRead: 'personnel',
}

/** Whoever changes records of the kind, or adds some where none is changed. */
const mayComment = (kind: DescribedKind, signedIn: SignedIn): boolean =>
  mayDo(kind, kind.access.update ? 'update' : 'create', signedIn)

/** Of a record that was deleted, what happened to it can still be read. */
function Gone({ kind, id }: { kind: KindEntry; id: string }) {
  const past = useQuery({
    queryKey: [kind.name, 'past', id],
    queryFn: () =>
      recordCall(kind, 'history', { id, limit: 1 }).catch((error: unknown) => {
        if (error instanceof Problem && error.status < 500) return null
        throw error
      }),
  })
  return (
    <Loaded query={past} lines={2}>
      {(found) => (found ? <Deleted kind={kind} id={id} /> : <Missing kind={kind} />)}
    </Loaded>
  )
}

function Deleted({ kind, id }: { kind: KindEntry; id: string }) {
  return (
    <Stack gap="md">
      <PageHead title={words.missing.gone(registerWords(kind).one)} text={words.missing.goneText} />
      <Suspense>
        <History kind={kind} id={id} />
      </Suspense>
      <Back kind={kind} />
    </Stack>
  )
}

function Missing({ kind }: { kind: KindEntry }) {
  return (
    <Stack gap="md">
      <PageHead title={words.missing.title(registerWords(kind).one)} text={words.missing.text} />
      <Back kind={kind} />
    </Stack>
  )
}

function Back({ kind }: { kind: KindEntry }) {
  return <RecordLink kind={kind}>{words.missing.back(registerWords(kind).many)}</RecordLink>
}
