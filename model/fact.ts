import type { z } from 'zod'

/**
 * What the rules of a kind need to know beside the record: a setting of the organization, a count of other records.
 * One statement that answers one row. In it stand `{organization}`, `{record}` (null of one that is just made) and
 * `{parent}` (of a kind that is under another) for the ids of each, `{user}` for that of the user whom the call acts as
 * (null where it acts as none) and `{person}` for theirs where they act in person (null where a program does for them),
 * and the name of a field that holds an id or another text, as `{linkedRiskId}`, a list of ids (with
 * spaces between them), or a principal, for what it will hold once the change is made; with a question mark, as
 * `{linkedRiskId?}`, for whether the change gives it a value. It sees the organization's rows alone.
 *
 * It is read with the record, under its lock, and handed to `derive` and `refuse`, which stay pure. What the row is
 * like is said by the schema; another one is a fault of ours.
 */
export interface Fact {
  readonly sql: string
  readonly schema: z.ZodType
  /** What follows from it is a reading alone: rules do without it, so a browser has them. */
  readonly ofReadings?: true
}

export const fact = (sql: string, schema: z.ZodType): Fact => ({ sql, schema })
/** For what answers tell of other records: a write answers it as a reading of the record would. */
export const factOfReadings = (sql: string, schema: z.ZodType): Fact => ({ sql, schema, ofReadings: true })

/** By their names, as the rules of a kind are given them; none in a browser. */
// biome-ignore lint/suspicious/noExplicitAny: each is of the form that its schema says, which the kind alone knows
export type Facts = Readonly<Record<string, any>>

export const NO_FACTS: Facts = {}
