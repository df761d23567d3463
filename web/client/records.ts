import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { needsOf, type Verb } from '../../model/access.ts'
import { callsOf } from '../../model/calls.ts'
import type { Values } from '../../model/complaint.ts'
import type { DescribedKind, KindEntry } from '../../model/described-kind.ts'
import { allowsRole, isThere } from '../../model/needs.ts'
import type { RecordAnswers } from '../../server/operations.ts'
import type { CallName } from './calls.ts'
import { gathered, spread } from './custom-values.ts'
import { fetchCode } from './fetch-code.ts'
import { queries } from './queries.ts'
import { send } from './send.ts'
import type { SignedIn } from './session.ts'

/*
 * The records of any kind. Their operations are made from the kinds, and so are the calls here. What was read
 * is kept under the operation's name and input, as use-answer.ts keeps it.
 */

export interface Principal {
  type: 'user' | 'personnel'
  refId: string
  displayName: string
  active: boolean
}

/** What every record has; the fields of its kind stand beside that. */
export interface AnyRecord extends Values {
  readonly id: string
  readonly reference: string
  readonly version: number
  readonly archivedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface RecordPage {
  data: AnyRecord[]
  nextCursor: string | null
}

interface Counted {
  value: string | null
  count: number
  /** Of an owner. */
  name?: string
}

export interface RecordSummary {
  total: number
  due?: { overdue: number; soon: number }
  ownerless?: number
  attention?: Readonly<Record<string, number>>
  counts: Record<string, Counted[]>
  crossed?: Record<string, { across: string | null; down: string | null; count: number }[]>
}

interface Answers extends RecordAnswers {
  list: RecordPage
  summarize: RecordSummary
  create: AnyRecord
  get: AnyRecord
  unlink: null
  update: AnyRecord
  archive: AnyRecord
  unarchive: AnyRecord
  delete: null
}

export type RecordVerb = keyof Answers

/** Whether somebody may do that with records of the kind. */
export const mayDo = (
  kind: KindEntry,
  verb: Verb,
  { role, organization, limitedView }: SignedIn,
): boolean => {
  if (limitedView === 'self_service') return false
  const needs = needsOf(kind, verb)
  return needs !== undefined && isThere(needs, organization.features) && allowsRole(needs, role)
}

/**
 * Calls the operation of a kind.
 * @throws {Problem}
 */
export async function recordCall<RV extends RecordVerb>(
  kind: KindEntry,
  verb: RV,
  input: Values,
  signal?: AbortSignal,
): Promise<Answers[RV]> {
  const answer = await send(`/web/${callsOf(kind)[verb]}`, gathered(input), { signal })
  return (HAVE_RECORDS.has(verb) ? spread(answer) : answer) as Answers[RV]
}

const HAVE_RECORDS: ReadonlySet<RecordVerb> = new Set([
  'list',
  'get',
  'create',
  'update',
  'archive',
  'unarchive',
])

/** What is under an archived record is archived with it, and is listed on its page all the same. */
export const archivedWith = ({ archivedAt }: AnyRecord): Values => (archivedAt ? { archived: 'with' } : {})

export const recordQuery = <RV extends RecordVerb>(kind: KindEntry, verb: RV, input: Values) =>
  queryOptions({
    queryKey: [callsOf(kind)[verb], input],
    queryFn: ({ signal }) => recordCall(kind, verb, input, signal),
  })

/** What a reading operation of a kind answers. */
export const useRecordAnswer = <RV extends RecordVerb>(
  kind: KindEntry,
  verb: RV,
  input: Values,
): UseQueryResult<Answers[RV]> => useQuery(recordQuery(kind, verb, input))

/**
 * The call by which whoever a record names sets this field of it, where they may not change the record otherwise: that is
 * left to them by its kind. Whom it names, the service judges.
 */
export const callLeft = (kind: KindEntry, field: string, signedIn: SignedIn): CallName | undefined =>
  mayDo(kind, 'update', signedIn) || signedIn.limitedView === 'auditor'
    ? undefined
    : (kind.leftTo?.by[field] as CallName | undefined)

/** What such a call takes: of steps the one that was ticked. */
export function inputLeft({ fields }: DescribedKind, before: Values, change: Values): Values {
  const [name = ''] = Object.keys(change)
  const ticks = fields[name]?.ticks
  if (!ticks) return change
  const had = before[name] as readonly Values[]
  const step = (change[name] as readonly Values[]).find((one, at) => one[ticks] !== had[at]?.[ticks])
  return { stepId: step?.id, [ticks]: step?.[ticks] === true }
}

/**
 * Changes a record, and shows the change before the service has confirmed it. What the service refuses is shown
 * as it was before.
 *
 * @param change as it is sent; a principal with the name that it is shown by
 * @param left the call to make instead, where that is what is left to them
 * @throws {Problem}
 */
export async function changeRecord(
  kind: DescribedKind,
  before: AnyRecord,
  change: Values,
  left?: CallName,
): Promise<AnyRecord> {
  const values = { ...before, ...change }
  keepRecord(kind, { ...values, ...kind.derive(values) })
  try {
    const which = { id: before.id, ifMatch: before.version }
    const after = left
      ? (spread(await send(`/web/${left}`, { ...which, ...inputLeft(kind, before, change) })) as AnyRecord)
      : await recordCall(kind, 'update', { ...which, ...change })
    keepRecord(kind, after)
    return after
  } catch (error) {
    keepRecord(kind, before)
    throw error
  }
}

/** Whether two values of a field are alike; none is as good as null. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** Puts a record wherever it is shown. */
export function keepRecord(kind: KindEntry, record: AnyRecord): void {
  const calls = callsOf(kind)
  queries.setQueryData([calls.get, { id: record.id }], record)
  queries.setQueriesData<{ pages?: RecordPage[] }>({ queryKey: [calls.list, 'pages'] }, (kept) => {
    if (!kept?.pages?.some(({ data }) => data.some(({ id }) => id === record.id))) return kept
    return { ...kept, pages: kept.pages.map((page) => withRecord(page, record)) }
  })
}

/** Takes a record that is gone out of every list. */
export function dropRecord(kind: KindEntry, id: string): void {
  queries.setQueriesData<{ pages?: RecordPage[] }>({ queryKey: [callsOf(kind).list, 'pages'] }, (kept) => {
    if (!kept?.pages?.some(({ data }) => data.some((one) => one.id === id))) return kept
    const without = (page: RecordPage) => ({ ...page, data: page.data.filter((one) => one.id !== id) })
    return { ...kept, pages: kept.pages.map(without) }
  })
}

const withRecord = (page: RecordPage, record: AnyRecord): RecordPage =>
  page.data.some(({ id }) => id === record.id)
    ? { ...page, data: page.data.map((one) => (one.id === record.id ? record : one)) }
    : page

/** After a change: what follows from it is read again (following-calls.ts). */
export const countAgain = async (kind: KindEntry): Promise<unknown> =>
  (await fetchCode(() => import('./following-calls.ts'))).readFollowingAgain(kind)

/** After one was added or removed: the lists too. */
export function readRecordsAgain(kind: KindEntry): Promise<unknown> {
  return Promise.all([queries.resetQueries({ queryKey: [callsOf(kind).list] }), countAgain(kind)])
}
