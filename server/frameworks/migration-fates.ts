import type { Relationship } from './catalog.ts'
import { type Answer, combine, type Dispute, settled, type Voice } from './migration-answers.ts'

/*
 * What becomes of each answer when an organization goes from one edition to the next, and where each answer of the next
 * comes from. Pure: it is given both editions as they stand and which of their requirements correspond, and the choices
 * of a person where the answers leave one.
 */

/** A requirement of one of the two editions, with what is answered to it. */
export interface Standing {
  readonly id: string
  readonly key: string
  readonly title: string
  readonly assessable: boolean
  readonly answer: Answer
  /** What it is linked with: ids by the word of the side. */
  readonly links: Readonly<Record<string, readonly string[]>>
}

/** That a requirement of the older edition and one of the newer ask for something that both ask. */
export interface Correspondence {
  readonly from: string
  readonly to: string
  /** Of the older to the newer. */
  readonly relationship: Relationship
  readonly by: 'mapping' | 'same_text'
}

export const OLD_FATES = ['carried', 'carried_to_several', 'asked', 'dropped'] as const
export const NEW_FATES = ['carried', 'merged', 'asked', 'new'] as const

/** What becomes of an answer of the older edition. */
export interface OldFate {
  readonly one: Standing
  readonly fate: (typeof OLD_FATES)[number]
  /** The ids of those of the newer edition that it goes to. */
  readonly to: readonly string[]
}

/** Where the answer of a requirement of the newer edition comes from. */
export interface NewFate {
  readonly one: Standing
  readonly fate: (typeof NEW_FATES)[number]
  readonly from: readonly (Correspondence & { readonly key: string; readonly title: string })[]
  /** What somebody has to choose. */
  readonly asks: readonly Dispute[]
  /** Whose word may be chosen: theirs who come, and its own where it has an answer. */
  readonly voices: readonly Voice[]
  /** What it is to be linked with that it is not yet: by the word of the side, each with the one that it comes from. */
  readonly links: Readonly<Record<string, readonly ComingLink[]>>
  /** Controls that meet a part, and count in part through the mapping. */
  readonly left: number
  /** What it comes to by a choice: the id of a voice, or null where nobody's word is to count. */
  readonly settle: (choice: string | null) => ReturnType<typeof settled>
}

export interface ComingLink {
  readonly from: string
  readonly there: string
  /** Whether it was made with something that asks for a part of what is asked here. */
  readonly isPart: boolean
}

export interface Fates {
  readonly older: readonly OldFate[]
  readonly newer: readonly NewFate[]
}

const WHOLE: ReadonlySet<Relationship> = new Set(['equal', 'equivalent', 'superset_of'])

/** That somebody said something to it, or linked something with it. */
export const isAnswered = ({ answer, links }: Pick<Standing, 'answer' | 'links'>): boolean =>
  Object.keys(answer).length > 0 || Object.values(links).some((ids) => ids.length > 0)

/**
 * The fate of each answer, and of each requirement of the newer edition, in the order of both.
 * @param correspondences of which those of a heading with a requirement bring nothing: a heading has no answer
 */
export function fatesOf(
  older: readonly Standing[],
  newer: readonly Standing[],
  correspondences: readonly Correspondence[],
): Fates {
  const before = new Map(older.map((one) => [one.id, one]))
  const after = new Map(newer.map((one) => [one.id, one]))
  const pairs = correspondences.filter(
    ({ from, to, relationship }) =>
      relationship !== 'no_relationship' &&
      before.has(from) &&
      before.get(from)!.assessable === after.get(to)?.assessable,
  )
  const place = new Map(older.map(({ id }, index) => [id, index]))
  const into = Map.groupBy(pairs, ({ to }) => to)
  const fates = newer.map((one) => {
    const sources = (into.get(one.id) ?? []).toSorted((a, b) => place.get(a.from)! - place.get(b.from)!)
    return newFate(
      one,
      sources.map((pair) => ({ pair, source: before.get(pair.from)! })),
    )
  })
  const asking = new Set(fates.flatMap(({ one, fate }) => (fate === 'asked' ? [one.id] : [])))
  const outOf = Map.groupBy(pairs, ({ from }) => from)
  return {
    newer: fates,
    older: older.filter(isAnswered).map((one) => {
      const to = (outOf.get(one.id) ?? []).map((pair) => pair.to)
      const kept = newer.flatMap(({ id }) => (to.includes(id) ? [id] : []))
      return { one, fate: oldFate(kept, asking), to: kept }
    }),
  }
}

function oldFate(to: readonly string[], asking: ReadonlySet<string>): OldFate['fate'] {
  if (to.length === 0) return 'dropped'
  if (to.some((id) => asking.has(id))) return 'asked'
  return to.length > 1 ? 'carried_to_several' : 'carried'
}

interface Source {
  readonly pair: Correspondence
  readonly source: Standing
}

function newFate(one: Standing, sources: readonly Source[]): NewFate {
  const coming = sources.filter(({ source }) => isAnswered(source))
  const own = Object.keys(one.answer).length > 0 ? one : null
  const parts = sources.filter(({ pair }) => pair.relationship === 'subset_of')
  const isPart = !sources.some(coversWhole) && parts.length < 2
  const others = coming.length > 0 ? sources.map(({ source }) => source) : []
  const together = combine(own, others, isPart)
  const voices = [...(own ? [own] : []), ...coming.map(({ source }) => source)]
  const asks = coming.length > 0 ? together.disputes : []
  return {
    ...{ one, asks, voices },
    fate: asks.length > 0 ? 'asked' : ((['new', 'carried'] as const)[coming.length] ?? 'merged'),
    from: coming.map(({ pair, source }) => ({ ...pair, key: source.key, title: source.title })),
    ...comingLinks(one, sources),
    settle: (choice) => settled(together, voices.find(({ id }) => id === choice) ?? null),
  }
}

const coversWhole = ({ pair }: Source): boolean => WHOLE.has(pair.relationship)

/**
 * The links that come. A control that meets a part would, linked here, seem to meet the whole: it comes where what it is
 * linked with asks for all that is asked here, or for one of several parts that all have controls. Otherwise it is left: by
 * the mapping it counts here in part, as it did before. Whatever else comes of a part is marked as that.
 */
function comingLinks(one: Standing, sources: readonly Source[]): Pick<NewFate, 'links' | 'left'> {
  const parts = sources.filter(({ pair }) => pair.relationship === 'subset_of')
  const areAllMet = parts.length > 1 && parts.every(({ source }) => (source.links[MEETING] ?? []).length > 0)
  const isIn = (source: Source) => coversWhole(source) || (areAllMet && parts.includes(source))
  const words = [...new Set(sources.flatMap(({ source }) => Object.keys(source.links)))]
  // What covers the whole says best how far something shows it.
  const inOrder = [...sources.filter(coversWhole), ...sources.filter((each) => !coversWhole(each))]
  const links: Record<string, ComingLink[]> = {}
  const left = new Set<string>()
  for (const word of words) {
    const known = new Set(one.links[word])
    links[word] = inOrder.flatMap((each) =>
      (each.source.links[word] ?? []).flatMap((there): ComingLink[] => {
        if (known.has(there)) return []
        if (word === MEETING && !isIn(each)) {
          left.add(there)
          return []
        }
        known.add(there)
        return [{ from: each.source.id, there, isPart: !coversWhole(each) }]
      }),
    )
    for (const { there } of word === MEETING ? links[word] : []) left.delete(there)
  }
  return { links, left: left.size }
}

/** The side from which results follow. */
const MEETING = 'control'
