import { refuseDescent } from './ascending.ts'
import type { Complaint, Values } from './complaint.ts'
import type { Facts } from './fact.ts'
import { type ByMatrix, DEFAULT_MATRIX, ratedBy } from './risk-matrix.ts'
import { refuseStates, type StateMachine } from './states.ts'

/**
 * The rules of a kind that are no data, in `model/kinds/<name>-rules.ts` beside it. Forms go by them in the browser,
 * which has neither the kinds nor zod: what stands there imports no schema. Of a kind with facts (fact.ts) a browser
 * has no rules: it shows what follows from a change when the service has answered.
 */
export interface KindRules {
  /** What follows from the values that were given, and from the write they are part of. */
  readonly derive: (values: Values, facts?: Facts, write?: Write) => Values
  /**
   * What a record may not become; whatever the kind says as data is part of it. A state among `decided` was not chosen
   * but follows from an act of its own, so that it may come after any other.
   */
  readonly refuse: (
    before: Values | null,
    after: Values,
    given: ReadonlySet<string>,
    decided?: ReadonlySet<string>,
    facts?: Facts,
  ) => Complaint | null
  /** Why a record may not be deleted, whatever points at it or does not. It does not keep one that goes with its parent. */
  readonly refuseDeletion?: (record: Values, facts: Facts) => Complaint | null
}

/** A write of a record, which its rules cannot see in the values that it leads to. */
export interface Write {
  /** The record as it stands; null of one that is added. */
  readonly before: Values | null
  /** The record's `updatedAt`. */
  readonly time: string
  /** What it names, whether or not that is another value; left out where what follows is worked out anew. */
  readonly given?: ReadonlySet<string>
  /** Who writes it; nobody, where what follows is worked out anew. */
  readonly by?: Readonly<Record<'type' | 'id' | 'displayName', string>>
}

/** The rules that a kind says as data, and its own behind them, which are given what those made of the values. */
export function rulesOf(
  {
    states,
    ascending,
    byMatrix,
  }: {
    readonly states: readonly StateMachine[]
    readonly ascending: readonly (readonly string[])[]
    readonly byMatrix?: ByMatrix
  },
  own: Partial<KindRules> = {},
): KindRules {
  return {
    derive: (values, facts, write) => {
      // Without facts nobody knows the matrix, and what follows from it stays as it is.
      const rated = byMatrix && facts ? ratedBy(byMatrix, facts.matrix ?? DEFAULT_MATRIX, values) : {}
      return { ...rated, ...own.derive?.({ ...values, ...rated }, facts, write) }
    },
    refuse: (before, after, given, decided, facts) =>
      refuseStates(states, before, after, given, decided) ??
      refuseDescent(ascending, before, after) ??
      own.refuse?.(before, after, given, decided, facts) ??
      null,
  }
}
