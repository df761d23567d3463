import type { InfiniteData, Query } from '@tanstack/react-query'
import { callsOf } from '../../model/calls.ts'
import type { KindEntry } from '../../model/described-kind.ts'
import { call, type Output } from './calls.ts'
import { followingCalls } from './following-calls.ts'
import { everyKind } from './kinds.ts'
import { isProblem } from './problem.ts'
import { queries } from './queries.ts'
import { type AnyRecord, dropRecord, keepRecord, type RecordPage, recordCall } from './records.ts'

/*
 * What others do is seen within a few seconds: one small call asks what changed since it last asked, and of what
 * is on the page only that is read again. What this page changed itself it has already, with the same time, and
 * does not read again.
 *
 * Nobody is asked while nobody looks: not in a hidden window, and not after an hour in which nobody touched
 * anything, since an open page must not keep a session alive. Where much goes on, or the service fails, it is
 * asked less often.
 */

const EVERY = 3_000
const SLOWEST = 10_000
const SLOWEST_AFTER_FAULTS = 60_000
const NOBODY_THERE_AFTER = 3_600_000
/** Lists of at most this many pages are read again; of longer ones, the rows that changed. */
const PAGES_READ_AGAIN = 3
const ROWS_READ_AGAIN = 20

type Changed = Output<'getRecentChanges'>['changed'][number]

/** @returns ends it */
export function followChanges(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let since: string | undefined
  let pause = EVERY
  let touched = Date.now()
  let isAsking = false
  let isOver = false

  const isWatched = () => document.visibilityState === 'visible' && Date.now() - touched < NOBODY_THERE_AFTER
  const ask = async () => {
    if (isAsking || isOver || !isWatched()) return
    clearTimeout(timer)
    isAsking = true
    try {
      const { cursor, changed } = await call('getRecentChanges', since ? { since } : {})
      since = cursor
      pause = changed.length > 0 ? Math.min(pause * 1.5, SLOWEST) : EVERY
      if (!isOver) await Promise.all(changed.map(readAgain))
    } catch (error) {
      if (isProblem(error, 'malformed_request')) since = undefined
      // Nobody is signed in any more: whoever comes back is asked by what they do next.
      const isSignedOut = isProblem(error, 'credential_missing')
      pause = isSignedOut ? SLOWEST_AFTER_FAULTS : Math.min(pause * 2, SLOWEST_AFTER_FAULTS)
    }
    isAsking = false
    if (!isOver) timer = setTimeout(ask, pause)
  }
  const touch = () => {
    const wasAway = !isWatched()
    touched = Date.now()
    if (wasAway) void ask()
  }
  const seen = () => void ask()
  document.addEventListener('visibilitychange', seen)
  for (const event of TOUCHES) addEventListener(event, touch, { passive: true, capture: true })
  void ask()
  return () => {
    isOver = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', seen)
    for (const event of TOUCHES) removeEventListener(event, touch, { capture: true })
  }
}

const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

async function readAgain({ type, records }: Changed): Promise<void> {
  const kind = everyKind.find(({ name }) => name === type)
  if (!kind) return invalidate(({ queryKey: [name] }) => OF_ENDPOINTS.has(String(name)))
  const news = records?.filter((one) => isNews(kind, one)) ?? null
  const names = followingCalls(kind)
  const { list, get } = callsOf(kind)
  await Promise.all([
    invalidate(({ queryKey: [name, input], state: { data } }) => {
      if (OF_ALL_KINDS.has(String(name)) || (name === list && input !== 'pages')) return !isPaged(data)
      if (OF_WHAT_IS_TO_DO.has(String(name))) return !isLong(data)
      if (news?.length === 0) return false
      if (name === list) return !isLong(data)
      if (name === get) return !news || news.some(({ id }) => id === (input as { id: string }).id)
      return names.has(String(name))
    }),
    readRowsAgain(kind, news),
  ])
}

/** What is read from the records of every kind, or from the log of them. */
const OF_ALL_KINDS = new Set<string>([
  'listAuditLog',
  'getRecentActivity',
  'getFirstSteps',
  'getStarterSet',
  'countUnreadNotices',
  'listNotices',
])
const OF_WHAT_IS_TO_DO = new Set<string>([
  'listWaiting',
  'listDeadlines',
  'listUndatedWork',
  'summarizeRegisters',
])
const OF_ENDPOINTS = new Set<string>(['listWebhookEndpoints', 'listWebhookShutOffs'])

/** Whether something is shown that is older. What was read or written here since is not news. */
function isNews(kind: KindEntry, { id, at }: { id: string; at: string }): boolean {
  const { get, list } = callsOf(kind)
  const known = queries.getQueryData<AnyRecord>([get, { id }])
  const rows = queries
    .getQueriesData<InfiniteData<RecordPage>>({ queryKey: [list, 'pages'], type: 'active' })
    .flatMap(([, kept]) => kept?.pages.flatMap(({ data }) => data.filter((row) => row.id === id)) ?? [])
  const shown = known ? [known, ...rows] : rows
  return shown.length === 0 || shown.some(({ updatedAt }) => updatedAt < at)
}

const isPaged = (data: unknown): boolean => typeof data === 'object' && data !== null && 'pages' in data

const isLong = (data: unknown): boolean =>
  isPaged(data) && (data as InfiniteData<unknown>).pages.length > PAGES_READ_AGAIN

/** Of a long list the rows that changed, one by one: to read it whole would take many calls. */
async function readRowsAgain(kind: KindEntry, news: readonly { id: string }[] | null): Promise<void> {
  if (!news || news.length > ROWS_READ_AGAIN) return
  const long = queries
    .getQueriesData<InfiniteData<RecordPage>>({ queryKey: [callsOf(kind).list, 'pages'], type: 'active' })
    .flatMap(([, kept]) => (kept && isLong(kept) ? [kept] : []))
  const shown = news.filter(({ id }) =>
    long.some(({ pages }) => pages.some(({ data }) => data.some((row) => row.id === id))),
  )
  await Promise.all(
    shown.map(({ id }) =>
      recordCall(kind, 'get', { id }).then(
        (record) => keepRecord(kind, record),
        (error) => isProblem(error, 'not_found') && dropRecord(kind, id),
      ),
    ),
  )
}

/** What is being read just now may have been read before the change, so it is read after that once more. */
async function invalidate(concerns: (query: Query) => boolean): Promise<void> {
  const running = queries
    .getQueryCache()
    .findAll({ type: 'active', fetchStatus: 'fetching', predicate: concerns })
  await Promise.all(running.map(({ promise }) => promise?.catch(() => {})))
  await queries.invalidateQueries({ predicate: concerns })
}
