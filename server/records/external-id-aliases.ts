import { type RawBuilder, sql } from 'kysely'
import type { Kind } from '../../model/kind.ts'
import { statement, statementOf } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { takeTurn } from '../database/turns.ts'
import { notFound, Refusal } from '../refusal.ts'
import { referenceIn } from './reference.ts'

/*
 * Two records that are merged may each have been known to a system by an id of its own. The one that stays keeps its
 * own, and the id of the other leads to it from then on: else the next run of that system would add anew what somebody
 * has just merged. It is taken until the record that stayed is deleted. So is the id of the record that went, which
 * programs and addresses of pages may have kept.
 *
 * No index can say so of two tables. So whoever is about to give a record an external id keeps merges of its kind away
 * until they are done, before they look; and asks for that before they lock any record, as a merge does.
 */

/** Keeps others of the kind from being merged until the transaction ends. */
export function keepMergesAway(tx: Transaction, kind: Kind): void {
  if (kind.isMergeable) void tx.read(shareTurn(turnOf(tx, kind)))
}

/** Waits until nobody else merges records of the kind, or gives one of them an external id. */
export const takeTurnToMerge = (tx: Transaction, kind: Kind): Promise<unknown> =>
  tx.read(takeTurn(turnOf(tx, kind)))

const turnOf = ({ organizationId }: Transaction, { name }: Kind) => `merge ${organizationId} ${name}`
const shareTurn = statement('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))')

/** A record to which an external id leads that is not its own. */
export interface LedTo {
  readonly id: string
  readonly reference: string
  readonly externalId: string | null
}

/** @returns the record to which each of these leads that is no record's own, by what leads there */
export async function aliasesAmong(
  tx: Transaction,
  kind: Kind,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, LedTo>> {
  if (!kind.isMergeable || externalIds.length === 0) return new Map()
  const rows = await tx.read<LedTo & { alias: string }>(
    finding(kind)(tx.organizationId, kind.name, externalIds),
  )
  return new Map(rows.map(({ alias, ...record }) => [alias, record]))
}

/**
 * @param id of the record that is to have it; none of one that is added
 * @throws {Refusal} `conflict` for an external id that leads to another record
 */
export async function refuseAlias(tx: Transaction, kind: Kind, given: unknown, id?: string): Promise<void> {
  if (!kind.isMergeable || typeof given !== 'string') return
  keepMergesAway(tx, kind)
  const record = (await aliasesAmong(tx, kind, [given])).get(given)
  if (record && record.id !== id) {
    const { id, reference } = record
    const message = `was that of a ${kind.noun.one} that was merged into ${reference}: change that, or use another`
    throw new Refusal('conflict', `externalId: ${message}.`, {
      field: 'externalId',
      holder: { id, reference },
      errors: [{ path: 'externalId', message }],
    })
  }
}

/** `not_found` for the id of a record that is not there; with where it went, where it was merged into another. */
export async function notThere(tx: Transaction, kind: Kind, id: string): Promise<Refusal> {
  const into = (await aliasesAmong(tx, kind, [id])).get(id)
  if (!into) return notFound()
  const { id: mergedInto, reference } = into
  return new Refusal('not_found', `It was merged into ${reference}: use that, by its id ${mergedInto}.`, {
    mergedInto: { id: mergedInto, reference },
  })
}

/** What led to a record that goes leads to the one that stays, and so do its own id and its external id. */
export function leadOn(tx: Transaction, kind: Kind, from: string, to: string, externalId: unknown): void {
  tx.write(move(tx.organizationId, from, to))
  tx.write(add(tx.organizationId, kind.name, from, to))
  if (typeof externalId === 'string') tx.write(add(tx.organizationId, kind.name, externalId, to))
}

/** Whether a record of a list, as `r`, is one to which one of these external ids leads. */
export const isLedTo = (kind: Kind, externalIds: unknown): RawBuilder<unknown> =>
  sql`r.id in (select a.record_id from external_id_aliases a where a.organization_id = r.organization_id
    and a.kind = ${kind.name} and a.external_id = any(${externalIds}))`

const finding = statementOf(
  (kind: Kind) => `
    select a.external_id as alias, r.id, ${referenceIn(kind, 'r.')} as reference, r.external_id as "externalId"
      from external_id_aliases a
      join ${kind.table} r on r.organization_id = a.organization_id and r.id = a.record_id
     where a.organization_id = $1 and a.kind = $2 and a.external_id = any($3)
       and a.external_id is distinct from r.external_id`,
)

const move = statement(
  'update external_id_aliases set record_id = $3 where organization_id = $1 and record_id = $2',
)
const add = statement(
  `insert into external_id_aliases (organization_id, kind, external_id, record_id) values ($1, $2, $3, $4)
   on conflict (organization_id, kind, external_id) do update set record_id = excluded.record_id`,
)
