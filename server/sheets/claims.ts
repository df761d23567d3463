import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../../model/complaint.ts'
import { fieldTitle } from '../../model/field-title.ts'
import type { Kind } from '../../model/kind.ts'
import { stateField } from '../../model/roles.ts'
import { type Unique, uniquesOf } from '../../model/unique.ts'
import { statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { comparedValue, type Holder, readHolders } from '../records/holders.ts'
import { mayRead } from '../records/readable.ts'
import { Refusal } from '../refusal.ts'
import type { BulkChange } from './bulk-change.ts'
import type { Problem } from './bulk-row.ts'
import type { MappedColumn } from './columns.ts'
import type { PreparedRow } from './prepare-rows.ts'
import { shortened } from './problem-values.ts'
import { problemsOf, type RowOutcome } from './write-rows.ts'

/*
 * Some values only one record can have, and the database refuses the second when it is written. So that the plan tells
 * it, each row claims what its record would newly have: a value that another record has, or that an earlier row claims,
 * is refused there. A record that would give its value up in the same change is taken to have it still, as rows are
 * written in no order that could be relied on.
 */

interface Claim {
  readonly unique: Unique
  readonly values: readonly string[]
  readonly text: string
}

/**
 * @param real writes what is claimed, also while the rows themselves are rehearsed
 * @returns the outcomes, of which those are refused that come to a value of another record or row
 */
export async function refuseClaimed(
  real: TransactionContext,
  bulk: BulkChange,
  columns: readonly MappedColumn[],
  rows: readonly PreparedRow[],
  outcomes: readonly RowOutcome[],
): Promise<readonly RowOutcome[]> {
  const { tx } = real
  const claims = rows.map(({ before }, at) => {
    const outcome = outcomes[at]!
    return 'record' in outcome ? claimsOf(bulk.kind, before, outcome.record) : []
  })
  const all = claims.flat()
  if (all.length === 0) return outcomes
  const [holders, said] = await Promise.all([
    holdersOf(real, all),
    tx.read<{ claim: string; number: number }>(
      saidBefore(
        tx.organizationId,
        bulk.id,
        all.map(({ text }) => text),
      ),
    ),
  ])
  const claimed = new Map(said.map(({ claim, number }) => [claim, number]))
  const first = new Map<string, number>()
  const judged = rows.map((row, at): RowOutcome => {
    const { number } = row.row
    const problems = claims[at]!.flatMap((claim): Problem[] => {
      const holder = holders.get(claim.text)
      const earlier = claimed.get(claim.text) ?? number
      const title = titleOf(claim.unique)
      const message =
        holder && holder.id !== row.before?.id
          ? `${mayRead(real.caller, bulk.kind) ? holder.reference : `another ${bulk.kind.noun.one}`} has the same ${title} already: use another, or change that one first`
          : earlier < number
            ? bulk.origin === 'file'
              ? `row ${earlier} has the same ${title}: leave one of them out, or correct it`
              : `another of the records would have the same ${title}, and no two can: leave it out, or give it to one alone`
            : null
      if (message === null) return []
      const { field } = claim.unique
      const value = shownClaim(claim)
      return problemsOf(bulk.kind, new Refusal('conflict', message, { field }), row, columns).map(
        (problem) => (problem.value === null ? { ...problem, value } : problem),
      )
    })
    if (problems.length > 0) return { problems }
    for (const { text } of claims[at]!) {
      claimed.set(text, Math.min(number, claimed.get(text) ?? number))
      first.set(text, number)
    }
    return outcomes[at]!
  })
  if (first.size > 0) tx.write(claim(tx.organizationId, bulk.id, [...first.keys()], [...first.values()]))
  return judged
}

/** Forgets what was claimed by a plan that another takes the place of. */
export const forgetClaims = statement(
  'delete from bulk_change_claims where organization_id = $1 and bulk_change_id = $2',
)

/** What a record would have that no other can have, and had not. */
const claimsOf = (kind: Kind, before: Values | null, after: Values): Claim[] =>
  uniquesOf(kind).flatMap((unique) => {
    const values = valuesIn(unique, after)
    if (values === null || (before && isDeepStrictEqual(values, valuesIn(unique, before)))) return []
    return [{ unique, values, text: textOf(unique, values) }]
  })

const textOf = ({ field }: Unique, values: readonly string[]): string => `${field} ${JSON.stringify(values)}`

/** What cannot be had, where its row does not say it: another field of the row may have led to it. */
const shownClaim = ({ unique: { field, fields }, values }: Claim): string | null => {
  const value = values[fields.indexOf(field)]
  return value === undefined ? null : shortened(value)
}

/** What a record has of it, as it is compared; null where no other is kept from having it. */
function valuesIn({ kind, fields, states }: Unique, record: Values): readonly string[] | null {
  if (states && !states.includes(record[stateField(kind)!] as string)) return null
  const values = fields.map((field) => record[field] ?? null)
  if (values.includes(null)) return null
  return values.map((value, at) => comparedValue(kind, fields[at]!, value))
}

/** The records that have what is claimed, by its text. */
async function holdersOf(
  { tx }: TransactionContext,
  claims: readonly Claim[],
): Promise<ReadonlyMap<string, Holder>> {
  const found = await Promise.all(
    [...Map.groupBy(claims, ({ unique }) => unique)].map(async ([unique, of]) => {
      const rows = await readHolders(
        tx,
        unique,
        of.map(({ values }) => values),
      )
      return rows.map((row) => [textOf(unique, row.values), row] as const)
    }),
  )
  return new Map(found.flat())
}

/** What it is called in a sentence: "work e-mail", "framework and key". */
const titleOf = ({ kind, fields }: Unique): string =>
  fields
    .map((field) => fieldTitle(kind, field))
    .map((title) => `${title.slice(0, 1).toLowerCase()}${title.slice(1)}`)
    .join(' and ')

const saidBefore = statement(
  'select claim, number from bulk_change_claims where organization_id = $1 and bulk_change_id = $2 and claim = any($3)',
)

const claim = statement(`
  insert into bulk_change_claims (organization_id, bulk_change_id, claim, number)
  select $1, $2, claim, number from unnest($3::text[], $4::int[]) as claimed (claim, number)
  on conflict do nothing`)
