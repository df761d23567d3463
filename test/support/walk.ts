import { inject } from 'vitest'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import type { AnyOperation } from '../../server/operation.ts'
import { operationsByHand } from '../../server/operations.ts'

/*
 * Tests that walk every operation would pay for each kind again, for rules that all kinds share. So what is written
 * by hand and two kinds are walked whole, and all others pay as one more: their cases are dealt out among them in turn,
 * such that each operation has one at least. Who gets which changes from day to day. A run tells its seed, WALK_SEED
 * takes the same again, and `npm run test:long` walks everything. Where each case of an operation by hand is dear as
 * well, a test takes `some` of them.
 */

declare module 'vitest' {
  export interface ProvidedContext {
    walk: Walk
  }
}

export interface Walk {
  readonly seed: number
  /** Whether every case of every kind is walked. */
  readonly isWhole: boolean
}

const { seed, isWhole } = inject('walk')
console.log(`walk: ${isWhole ? 'everything' : `seed ${seed}`}`)

const WHOLE = ['risk', 'control']
const dealtAmong = everyKind.filter(({ name }) => !WHOLE.includes(name))

/** Of the cases of an operation those that this run walks. */
export function walked<Case>({ name, path }: AnyOperation, cases: readonly Case[]): readonly Case[] {
  const kind = dealtAmong.find((each) => `${path}/`.startsWith(`/v1/${each.path}/`))
  return kind && !(name in operationsByHand) ? walkedOf(kind, cases) : cases
}

/** Of the cases of a kind those that this run walks. */
export function walkedOf<Case>(kind: Kind, cases: readonly Case[]): readonly Case[] {
  const turn = dealtAmong.indexOf(kind)
  return turn < 0 || isWhole ? cases : dealt(cases, dealtAmong.length, turn + seed)
}

/** One case in so many, beginning where the turn says; one at least, where there are any. */
function dealt<Case>(cases: readonly Case[], among: number, turn: number): readonly Case[] {
  const apart = Math.min(among, cases.length)
  return cases.filter((_, at) => at % apart === turn % apart)
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
