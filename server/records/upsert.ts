import { z } from 'zod'
import { callsOf } from '../../model/calls.ts'
import type { Values } from '../../model/complaint.ts'
import { pathsOf } from '../../model/family.ts'
import { COMMON_FIELDS, type Kind } from '../../model/kind.ts'
import type { Needs } from '../../model/needs.ts'
import { withArticle } from '../../model/roles.ts'
import { statementOf } from '../database/connect.ts'
import { isDeadlock, refusalOf } from '../database/errors.ts'
import type { IfMatch } from '../database/locked-row.ts'
import { parseInput } from '../input.ts'
import {
  type AnyOperation,
  foundThere,
  looselyTaken,
  type OwnContext,
  operation,
  type TransactionContext,
} from '../operation.ts'
import { type Code, invalid, Refusal } from '../refusal.ts'
import { again } from './again.ts'
import { changeEach, type OneOfMany } from './change-many.ts'
import { holdParents } from './children.ts'
import { createRecords } from './create-record.ts'
import { aliasesAmong, keepMergesAway } from './external-id-aliases.ts'
import { needsOfIdsGiven } from './linked-ids.ts'
import { readableBy } from './readable.ts'
import { asRefusal } from './row-refusal.ts'
import { changeShape, creationSchema, IF_MATCH, IF_MATCH_HEADER, READ_ONLY, recordSchema } from './schemas.ts'
import { sharedTools } from './shared-tools.ts'
import { createdAs, type Written } from './written.ts'

/*
 * A program that keeps records in step with its own system knows them by its own ids, and not whether they are here
 * already. An upsert finds those that have its external ids and changes these, and adds the rest. Others may add the
 * same meanwhile: then it finds them there, and begins again. Whatever it locks or adds it takes in one order, so that
 * two never wait crosswise. Where several rows have one external id, each finds what the one before it left: rows that
 * are written together know nothing of each other.
 */

/** What is to stand, and what the caller read of it where that is said. */
export interface Wanted {
  readonly record: unknown
  readonly ifMatch?: IfMatch | undefined
}

interface Of {
  readonly kind: Kind
  /** The operation that adds one of them. */
  readonly one: AnyOperation
}

/**
 * Adds or changes one record for each row, found by its `externalId`.
 * @throws what one of them is refused for by the database; then none is written
 */
export const upsert = (context: OwnContext, of: Of, rows: readonly Wanted[]): Promise<Written[]> =>
  again(
    () => context.transaction((within) => upsertAll(within, of, rows)),
    (error) => isDeadlock(error) || refusalOf(error)?.code === 'conflict',
  )

/**
 * The same of one record at the path of its external id.
 * @param toUpdate what a change needs; `needs` is what adding one does
 */
export function upsertOne(kind: Kind, needs: Needs, toUpdate: Needs, one: AnyOperation, refusals: Code[]) {
  const ofIds = needsOfIdsGiven(kind)
  return operation({
    name: callsOf(kind).upsert,
    sharedTool: { ...sharedTools.upsert, kind },
    method: 'PUT',
    path: `${pathsOf(kind).all}/by-external-id/{externalId}`,
    needs,
    ...(toUpdate === needs && !ofIds
      ? {}
      : {
          needsFor: ({ record }: { record?: unknown }) => [
            ...(toUpdate === needs ? [] : [toUpdate]),
            ...(ofIds?.(record as Values) ?? []),
          ],
        }),
    writes: 'own',
    title: `Add or change ${withArticle(kind.noun)} by its external id`,
    description: sharedTools.upsert.description,
    input: z.strictObject({
      externalId: COMMON_FIELDS.externalId,
      ifMatch: IF_MATCH,
      record: looselyTaken(
        z
          .unknown()
          .meta({ title: 'Record', type: 'object' })
          .describe(`The fields that ${callsOf(kind).create} takes`),
        creationSchema(kind),
      ),
    }),
    bodyIs: 'record',
    judgesEach: 'record',
    ...(one.example ? { example: { externalId: 'scanner:4711', record: one.example } } : {}),
    output: recordSchema(kind),
    headers: IF_MATCH_HEADER,
    location: (record) => `${pathsOf(kind).all}/${(record as Values).id}`,
    refusals,
    annotations: { idempotent: true },
    run: async (context, { externalId, ifMatch, record: given }) => {
      if (typeof given !== 'object' || given === null || Array.isArray(given))
        throw invalid({ path: 'record', message: 'give an object with its fields' })
      const record = given as Values
      if (record.externalId !== undefined && record.externalId !== externalId)
        throw invalid({ path: 'externalId', message: 'is not the one in the path: leave it out' })
      const [written] = await upsert(context, { kind, one }, [{ record: { ...record, externalId }, ifMatch }])
      if (written instanceof Refusal) throw written
      const shown = readableBy(context.caller, kind, written!.record)
      return (written!.outcome === 'created' ? shown : foundThere(shown)) as never
    },
  })
}

interface Row extends Wanted {
  readonly index: number
  /** By which its record is found: its external id, or where that leads to a record that has another, what that has. */
  readonly key: string | Refusal
}

async function upsertAll(context: TransactionContext, of: Of, wanted: readonly Wanted[]): Promise<Written[]> {
  await holdParents(
    context.tx,
    of.kind,
    wanted.map(({ record }) => record),
  )
  keepMergesAway(context.tx, of.kind)
  const ids = wanted.map(({ record }) => asRefusal(() => externalIdOf(record)))
  const aliases = await aliasesAmong(context.tx, of.kind, among(ids))
  const rows = wanted.map((row, index) => {
    const own = ids[index]!
    const ledTo = own instanceof Refusal ? undefined : aliases.get(own)
    return { ...row, index, key: ledTo ? (ledTo.externalId ?? ledTo.id) : own }
  })
  const led = [...aliases.values()].map(({ id }) => id)
  const written: Written[] = []
  for (const round of roundsOf(rows)) await upsertRound(context, of, round, led, written)
  return written
}

const among = (keys: readonly (string | Refusal)[]): string[] =>
  keys.flatMap((key) => (key instanceof Refusal ? [] : [key]))

/** No external id twice in one round: what is first with its id, what is second, and so on. */
function roundsOf(rows: readonly Row[]): Iterable<readonly Row[]> {
  const before = new Map<string | Refusal, number>()
  return Map.groupBy(rows, ({ key }) => {
    const round = before.get(key) ?? 0
    before.set(key, round + 1)
    return round
  }).values()
}

async function upsertRound(
  context: TransactionContext,
  { kind, one }: Of,
  rows: readonly Row[],
  /** The records to which external ids lead that are not theirs. */
  led: readonly string[],
  written: Written[],
): Promise<void> {
  const there = await lockByKey(context, kind, among(rows.map(({ key }) => key)), led)
  const added: { index: number; given: Values }[] = []
  const changed: (OneOfMany & { index: number; version: number })[] = []
  const form = { input: z.strictObject({ id: READ_ONLY, ...changeShape(kind) }), judgesEach: undefined }
  const write = ({ index, record, key, ifMatch }: Row): void => {
    if (key instanceof Refusal) {
      written[index] = key
      return
    }
    const found = there.get(key)
    if (!found && ifMatch !== undefined) {
      written[index] = new Refusal('version_mismatch', NOT_THERE)
      return
    }
    const row = asRefusal(() => parseInput(found ? (form as never) : one, found ? known(record) : record))
    if (row instanceof Refusal) written[index] = row
    else if (found) changed.push({ index, ...found, change: { given: row, ifMatch } })
    else added.push({ index, given: row })
  }
  const change = async () => {
    const those = changed.splice(0)
    const records = await changeEach(context, kind, those)
    for (const [place, { index, version }] of those.entries())
      written[index] = changedAs(records[place]!, version)
  }
  const inOrder = rows.toSorted(byKey)
  const pointing = inOrder.filter((row) => mayLeadRound(kind, row))
  for (const row of inOrder.filter((row) => !pointing.includes(row))) write(row)
  await change()
  // Two rows that are each right by themselves may close a circle together: the second has to see the first.
  for (const row of pointing) {
    write(row)
    await change()
  }
  added.sort((one, other) => (String(one.given.externalId) < String(other.given.externalId) ? -1 : 1))
  const made = await createRecords(context, kind, added)
  for (const [place, { index }] of added.entries()) written[index] = createdAs(made[place]!)
}

/** Whether what a row names may lead back to its record. */
const mayLeadRound = ({ acyclic }: Kind, { record }: Row): boolean =>
  acyclic.some((field) => typeof (record as Values | null)?.[field] === 'string')

const NOT_THERE = 'No record has this external id, so none is at that version: leave If-Match out to add it.'

/** Where a record came from, and as what it is known, was said before: who sends it on says the same each time. */
function known(record: unknown): unknown {
  const { source, externalId, ...rest } = record as Values
  return rest
}

const byKey = (one: Row, other: Row): number => (String(one.key) < String(other.key) ? -1 : 1)

function externalIdOf(raw: unknown): string {
  const { externalId } = (raw ?? {}) as Values
  if (externalId === undefined || externalId === null)
    throw invalid({
      path: 'externalId',
      message: 'required: give the id in your own system',
    })
  return parseInput({ input: EXTERNAL_ID }, { externalId }).externalId as string
}

const EXTERNAL_ID = z.object({ externalId: COMMON_FIELDS.externalId })

interface Found {
  readonly id: string
  readonly version: number
}

async function lockByKey(
  { tx }: TransactionContext,
  kind: Kind,
  keys: readonly string[],
  led: readonly string[],
): Promise<Map<string, Found>> {
  const ids = led.filter((id) => keys.includes(id))
  const rows = await tx.read<Found & { externalId: string | null }>(
    lockThose(kind)(tx.organizationId, keys, ...(kind.isMergeable ? [ids] : [])),
  )
  return new Map(rows.map((row) => [row.externalId ?? row.id, row]))
}

const lockThose = statementOf(
  ({ table, isMergeable }: Kind) => `
  select id, version, external_id as "externalId" from ${table}
   where organization_id = $1 and ${isMergeable ? '(external_id = any($2) or id = any($3))' : 'external_id = any($2)'}
   order by id for no key update`,
)

const changedAs = (record: Values | Refusal, version: number): Written =>
  record instanceof Refusal
    ? record
    : { outcome: record.version === version ? 'unchanged' : 'changed', record }
