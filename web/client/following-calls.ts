import { callsOf } from '../../model/calls.ts'
import type { KindEntry } from '../../model/described-kind.ts'
import { childKinds, everyKind, parentKind, sidesOf } from './kinds.ts'
import { queries } from './queries.ts'

/**
 * After a change: what follows from all records is counted again, what happened to this one is read again, and so are
 * what it is under, which may tell how far those below are, and what it is linked with, which may be proven by it.
 */
export function readFollowingAgain(kind: KindEntry): Promise<unknown> {
  const above = parentKind(kind)
  const ofAbove = above ? [callsOf(above).get, callsOf(above).list] : []
  const names = [...followingCalls(kind), 'summarizeRegisters', ...ofAbove]
  return Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })))
}

/** The calls whose answers follow from records of a kind, beside themselves and their lists. */
export function followingCalls(kind: KindEntry): ReadonlySet<string> {
  const { summarize, history, signals } = callsOf(kind)
  const ofKind = [summarize, history, signals, kind.name, ...dependentCounts]
  const linked = sidesOf(kind).flatMap(({ other }) => {
    const { links, get, list } = callsOf(other)
    const follows = Object.values(other.rollups).some(({ among }) => among === kind.name)
    // A flag with a reason is read from other records: of what it is linked with, perhaps.
    const asks = other.attention?.some(({ reason }) => reason !== undefined)
    return [
      links,
      callsOf(kind).links,
      ...(follows || asks ? [get, list] : []),
      ...(asks ? [callsOf(other).summarize] : []),
    ]
  })
  // What is asked for of a record is told with what that record is by now.
  const asked = childKinds(kind).filter(({ under }) => under!.stands !== undefined)
  const beneath = asked.flatMap((child) => [callsOf(child).get, callsOf(child).list])
  return new Set([...ofKind, ...linked, ...beneath, ...OF_MANY])
}

/** What is read of people or records by no call of their kind. */
const OF_MANY = ['getPersonnelResponsibilities', 'getRiskTrend', 'listAttestations']

/** What counts records among those that depend on one of any kind. */
const dependentCounts: readonly string[] = everyKind.map((kind) => callsOf(kind).dependents)
