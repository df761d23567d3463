import { inject } from 'vitest'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import type { AnyOperation } from '../../server/operation.ts'
import { operationsByHand } from '../../server/operations.ts'

/*
 * Tests that walk the lists would pay for each kind, and for each operation, again and again for rules that all of them
 * share. So a run walks a seventh of the kinds and a fifth of the operations by hand, others each day, such that each has
 * its turn; and whatever differs from the main branch (changed-names.ts) is walked at once. Kinds are dealt by their
 * make, those that belong to another, those that say a relation, and those that stand alone, so that each rule meets
 * kinds of different make every day. A run tells its seed and its kinds, WALK_SEED takes the same again, and `npm run test:long` walks everything.
 * Where each case of an operation is dear as well, a test takes `some` of them.
 */

declare module 'vitest' {
  export interface ProvidedContext {
    walk: Walk
  }
}

export interface Walk {
  readonly seed: number
  /** The kinds and operations that somebody is at work on, by name. */
  readonly changed: readonly string[]
  /** Whether every case of every kind is walked. */
  readonly isWhole: boolean
  /** Every case of these kinds, and of nothing else. */
  readonly only?: readonly string[]
}

const { seed, changed, isWhole, only } = inject('walk')

/** One in so many, each in its turn; one at least, where there are any. */
function dealt<One extends { name: string }>(all: readonly One[], among: number): readonly One[] {
  const apart = Math.min(among, all.length)
  return all.filter(({ name }, at) => isWhole || changed.includes(name) || at % apart === seed % apart)
}

/** Those of which this run walks the rules that all kinds share, of different make. */
export const walkedKinds: readonly Kind[] = only
  ? everyKind.filter(({ name }) => only.includes(name))
  : Object.values(
      Object.groupBy(everyKind, ({ under, relations }) =>
        under ? 'under another' : relations.length > 0 ? 'linked' : 'alone',
      ),
    ).flatMap((alike) => dealt(alike, 7))
console.log(
  `walk: ${isWhole ? 'everything' : `seed ${seed}, ${walkedKinds.map(({ name }) => name).join(', ')}`}`,
)

export const isWalked = (kind: Kind): boolean => walkedKinds.includes(kind)

const byHand = new Set<AnyOperation>(only ? [] : dealt(Object.values(operationsByHand), 5))

/** Of the operations those that this run walks: the verbs of its kinds, and of those by hand as many as it deals. */
export function walkedOf(operations: readonly AnyOperation[]): readonly AnyOperation[] {
  return operations.filter((operation) => {
    if (operation.name in operationsByHand) return byHand.has(operation)
    const kind = everyKind.find(({ path }) => `${operation.path}/`.startsWith(`/v1/${path}/`))
    return kind ? isWalked(kind) : !only
  })
}

/** Of cases of the same shape one, another each day; all, where everything is walked. */
export function oneOfEach<Case>(cases: readonly Case[], shapeOf: (one: Case) => string): readonly Case[] {
  if (isWhole) return cases
  return [...Map.groupBy(cases, shapeOf).values()].map((alike) => alike[seed % alike.length]!)
}

/** So many of them, for a place of this name, the next ones each day; all, where everything is walked. */
export function some<One>(many: readonly One[], count: number, name: string): readonly One[] {
  if (isWhole || many.length <= count) return many
  const first = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % many.length, 0)
  return Array.from({ length: count }, (_, at) => many[(first + seed * count + at) % many.length]!)
}
