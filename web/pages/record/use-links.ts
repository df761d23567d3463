import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callsOf } from '../../../model/calls.ts'
import type { Values } from '../../../model/complaint.ts'
import type { Field } from '../../../model/described-field.ts'
import { isBackOf } from '../../../model/sides.ts'
import type { CallName } from '../../client/calls.ts'
import { type Side, saidByLinks, sidesOf } from '../../client/kinds.ts'
import { queries } from '../../client/queries.ts'
import { recordCall } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { useGuardedCall } from '../../components/identity-guard.tsx'

type Page = Awaited<ReturnType<typeof recordCall<'links'>>>
export type Linked = Page['data'][number]
/** Enough of it to show, before the service has told the rest. */
export type Found = Pick<Linked, 'id' | 'reference' | 'title' | 'state' | 'level' | 'attention'>

const SHOWN = 20

/** What a link is asked for when it is made, and shows: the first choice among its attributes. */
export const choiceOf = (side: Side): Field | undefined =>
  saidByLinks(side).find(({ form }) => form === 'choice')

export function attributeOf(side: Side, linked: Linked): string | null {
  const name = choiceOf(side)?.name
  return name === undefined ? null : ((linked as Values)[name] as string | null)
}

/** What else a link says, in the order of its relation. */
export const othersOf = (side: Side): readonly Field[] =>
  saidByLinks(side).filter(({ name }) => name !== choiceOf(side)?.name)

/** All that a link says. */
export const saidOf = (side: Side, linked: Linked): Values =>
  Object.fromEntries(
    saidByLinks(side)
      .map(({ name }) => [name, (linked as Values)[name]] as const)
      .filter(([, value]) => value !== null && value !== undefined),
  )

/** How many links of each side there are, asked once for all the sections of a page: most of them have none. */
const countLinks = ({ kind }: Side, id: string) =>
  queries.fetchQuery({
    queryKey: [callsOf(kind).links, { id, limit: 1 }],
    queryFn: () => recordCall(kind, 'links', { id, limit: 1 }),
  })

/**
 * What a record is linked with on one side, and the acts on it. Each is seen at once, and taken back with the reason
 * where the service refuses.
 * @param isOneOfAll whether all its other sides are shown beside it
 */
export function useLinks(side: Side, id: string, isOneOfAll = false) {
  const { kind, other, word } = side
  const { person } = useSignedIn()
  const guarded = useGuardedCall()
  const [refused, setRefused] = useState<Error | null>(null)
  const input = { id, type: [word], limit: SHOWN }
  const queryKey = [callsOf(kind).links, input]
  const links = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam }) => {
      if (pageParam !== null) return recordCall(kind, 'links', { ...input, cursor: pageParam })
      const all = isOneOfAll ? await countLinks(side, id) : null
      return all && !all.counts[word]
        ? { ...all, data: [], nextCursor: null }
        : recordCall(kind, 'links', input)
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: Page) => nextCursor,
  })

  const act = async (change: (rows: Linked[]) => Linked[], send: () => Promise<unknown>) => {
    setRefused(null)
    await queries.cancelQueries({ queryKey })
    const before = queries.getQueryData(queryKey)
    queries.setQueryData<InfiniteData<Page>>(queryKey, (kept) => kept && changed(kept, word, change))
    try {
      await send()
    } catch (error) {
      queries.setQueryData(queryKey, before)
      setRefused(error as Error)
    }
    await readAgain(side)
  }
  // From either end it is the kind that says the relation that links.
  const writer = side.writes ? kind : other
  const back = sidesOf(other).find(isBackOf(side))!
  const target = (targetId: string) =>
    side.writes ? { id, targetKind: word, targetId } : { id: targetId, targetKind: back.word, targetId: id }

  return {
    links,
    refused,
    /** Links it, or changes what its link says; what is not said stays as it is. */
    link: (found: Found, said: Values) =>
      act(
        (rows) => {
          const linkedBy = { type: 'user', id: person.id, displayName: person.name }
          const fresh = {
            type: other.name,
            role: null,
            archived: false,
            linkedAt: new Date().toISOString(),
            linkedBy,
          }
          return rows.some((row) => row.id === found.id)
            ? rows.map((row) => (row.id === found.id ? { ...row, ...said } : row))
            : [{ ...fresh, ...found, ...said }, ...rows]
        },
        () => guarded(callsOf(writer).link as CallName, { ...target(found.id), ...said } as never),
      ),
    unlink: ({ id: linked }: Linked) =>
      act(
        (rows) => rows.filter((row) => row.id !== linked),
        () => guarded(callsOf(writer).unlink as CallName, target(linked) as never),
      ),
  }
}

/** The rows of all pages changed, as they lie in them; what is added stands on the first. */
function changed(
  kept: InfiniteData<Page>,
  name: string,
  change: (rows: Linked[]) => Linked[],
): InfiniteData<Page> {
  const before = kept.pages.flatMap(({ data }) => data)
  const after = change(before)
  const more = after.length - before.length
  const pages = kept.pages.map((page, index) => {
    const isFirst = index === 0
    const own = new Set(page.data.map((row) => row.id))
    const added = isFirst ? after.filter((row) => !before.some((one) => one.id === row.id)) : []
    const counts = { ...page.counts, [name]: (page.counts[name] ?? 0) + more }
    return { ...page, counts, data: [...added, ...after.filter((row) => own.has(row.id))] }
  })
  return { ...kept, pages }
}

/** Both ends list the link and tell of it, and levels may follow from it. */
function readAgain({ kind, other }: Side): Promise<unknown> {
  const names = [kind, other].flatMap((one) => {
    const { links, history, get } = callsOf(one)
    return [links, history, ...(Object.keys(one.rollups).length > 0 ? [get] : [])]
  })
  return Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })))
}
