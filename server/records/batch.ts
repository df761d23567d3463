import { z } from 'zod'
import { needsOf } from '../../model/access.ts'
import { callsOf, pascal } from '../../model/calls.ts'
import type { Values } from '../../model/complaint.ts'
import { pathsOf } from '../../model/family.ts'
import { COMMON_FIELDS, type Kind } from '../../model/kind.ts'
import type { Needs } from '../../model/needs.ts'
import { statement } from '../database/connect.ts'
import { isAway, isDeadlock, refusalOf } from '../database/errors.ts'
import { parseInput } from '../input.ts'
import {
  type AnyOperation,
  looselyTaken,
  type OwnContext,
  operation,
  type TransactionContext,
} from '../operation.ts'
import { CODES, type Code, invalid, Refusal } from '../refusal.ts'
import { holdParents } from './children.ts'
import { readableBy } from './readable.ts'
import { asRefusal, rowRefusal } from './row-refusal.ts'
import { changeShape, creationSchema, recordSchema } from './schemas.ts'
import { sharedTools } from './shared-tools.ts'
import { changeRecord, createRecords } from './store.ts'

/*
 * Many records in one call. All that are new and that their own rules let in are written by one statement; where one of
 * them fails in the database, such as for a name that is taken, each is written by itself.
 *
 * An upsert finds those that have its external ids, and changes these. Others may add the same meanwhile: then it finds
 * them there, and begins again. Whatever it locks or adds it takes in one order, so that two never wait crosswise. Where
 * several rows have one external id, each finds what the one before it left: rows that are written together know nothing
 * of each other.
 */

export const BATCH_AT_MOST = 100

/** How often a batch begins again when others were in its way: they added what it did not find, or locked crosswise. */
const TRIES = 5

/** @param one the operation that adds one of them */
export function createBatch(kind: Kind, needs: Needs, one: AnyOperation, example: Values | null) {
  const result = z
    .object({
      index: z.int().describe('Of the row, from 0'),
      outcome: z
        .enum(['created', 'changed', 'unchanged'])
        .optional()
        .describe('Of mode upsert, what was done: unchanged, where all was as the row has it'),
      record: recordSchema(kind).optional(),
      problem: rowProblem.optional().describe('What kept the row out'),
    })
    .meta({ id: `${pascal(kind.name)}BatchRow` })
  const toUpdate = needsOf(kind, 'update')
  return operation({
    name: callsOf(kind).createBatch,
    sharedTool: { ...sharedTools.createBatch, kind },
    method: 'POST',
    path: `${pathsOf(kind).all}/batch`,
    needs,
    needsFor: ({ mode }: { mode?: unknown }) => (mode === 'upsert' && toUpdate ? [toUpdate] : []),
    writes: 'own',
    title: `Add up to ${BATCH_AT_MOST} ${kind.noun.many}`,
    description: `${sharedTools.createBatch.description}${toUpdate ? ' With mode upsert, what has the external id of a row is changed by it.' : ''}`,
    input: z.strictObject({
      ...(toUpdate ? { mode: MODE } : {}),
      records: z
        .array(looselyTaken(z.unknown().meta({ type: 'object' }), creationSchema(kind)))
        .min(1)
        .max(BATCH_AT_MOST)
        .meta({ title: 'Records' })
        .describe(`Each with the fields that ${callsOf(kind).create} takes, and judged by itself`),
    }),
    judgesEach: 'records',
    ...(example ? { example: { records: [example] } } : {}),
    output: z.object({ data: z.array(result) }).meta({ id: `${pascal(kind.name)}Batch` }),
    run: async (context, { mode, records }: { mode?: unknown; records: readonly unknown[] }) =>
      (await writeBatch(context, { kind, one, isUpsert: mode === 'upsert' }, records)) as never,
  })
}

const MODE = z
  .enum(['create', 'upsert'])
  .default('create')
  .meta({ title: 'Mode' })
  .describe('upsert: each row names its externalId; what has it is changed, and the rest is added')

/** A problem without what only a whole answer has. */
const rowProblem = z
  .object({ code: z.enum(Object.keys(CODES) as [Code, ...Code[]]), status: z.int(), detail: z.string() })
  .loose()
  .meta({ id: 'RowProblem' })

interface Batch {
  readonly kind: Kind
  readonly one: AnyOperation
  readonly isUpsert: boolean
}

type Outcome = 'created' | 'changed' | 'unchanged'
type Written = { readonly outcome: Outcome; readonly record: Values } | Refusal

/** A result for each row, in order. */
async function writeBatch(context: OwnContext, batch: Batch, records: readonly unknown[]) {
  const written = await writeTogether(context, batch, records).catch((error) => {
    // With the database gone, nobody knows whether they are in.
    if (isAway(error)) throw error
    return writeEach(context, batch, records)
  })
  return { data: written.map((row, index) => resultOf(context, batch, index, row)) }
}

/** @throws what one of them is refused for by the database; then none is written */
async function writeTogether(
  context: OwnContext,
  batch: Batch,
  records: readonly unknown[],
): Promise<Written[]> {
  const write = batch.isUpsert ? upsertAll : createAll
  for (let tries = 1; ; tries += 1)
    try {
      return await context.transaction((within) => write(within, batch, records))
    } catch (error) {
      const isAdded = batch.isUpsert && refusalOf(error)?.code === 'conflict'
      if (tries === TRIES || !(isAdded || isDeadlock(error))) throw error
    }
}

async function createAll(
  context: TransactionContext,
  { kind, one }: Batch,
  records: readonly unknown[],
): Promise<Written[]> {
  const rows = records.map((raw) => asRefusal(() => parseInput(one, raw)))
  const good = rows.flatMap((row) => (row instanceof Refusal ? [] : [{ given: row }]))
  const made = await createRecords(context, kind, good)
  return rows.map((row) => (row instanceof Refusal ? row : createdAs(made.shift()!)))
}

const createdAs = (made: Values | Refusal): Written =>
  made instanceof Refusal ? made : { outcome: 'created', record: made }

interface Row {
  readonly index: number
  readonly raw: unknown
  readonly externalId: string | Refusal
}

async function upsertAll(
  context: TransactionContext,
  batch: Batch,
  records: readonly unknown[],
): Promise<Written[]> {
  await holdParents(context.tx, batch.kind, records)
  const rows = records.map((raw, index) => ({ index, raw, externalId: asRefusal(() => externalIdOf(raw)) }))
  const written: Written[] = []
  for (const round of roundsOf(rows)) await upsertRound(context, batch, round, written)
  return written
}

/** No external id twice in one round: what is first with its id, what is second, and so on. */
function roundsOf(rows: readonly Row[]): Iterable<readonly Row[]> {
  const before = new Map<string | Refusal, number>()
  return Map.groupBy(rows, ({ externalId }) => {
    const round = before.get(externalId) ?? 0
    before.set(externalId, round + 1)
    return round
  }).values()
}

async function upsertRound(
  context: TransactionContext,
  { kind, one }: Batch,
  rows: readonly Row[],
  written: Written[],
): Promise<void> {
  const named = rows.flatMap(({ externalId }) => (externalId instanceof Refusal ? [] : [externalId]))
  const there = await lockByExternalId(context, kind, named)
  const added: { index: number; given: Values }[] = []
  const change = { input: z.strictObject(changeShape(kind)), judgesEach: undefined }
  const write = async ({ index, raw, externalId }: Row): Promise<void> => {
    if (externalId instanceof Refusal) {
      written[index] = externalId
      return
    }
    const found = there.get(externalId)
    const row = asRefusal(() => parseInput(found ? (change as never) : one, raw))
    if (row instanceof Refusal) written[index] = row
    else if (found) written[index] = await changeOne(context, kind, found, row)
    else added.push({ index, given: row })
  }
  const inOrder = rows.toSorted(byExternalId)
  // Two rows that are each right by themselves may close a circle together: the second has to see the first.
  if (kind.acyclic.length > 0) for (const row of inOrder) await write(row)
  else await Promise.all(inOrder.map(write))
  const made = await createRecords(context, kind, added)
  for (const [place, { index }] of added.entries()) written[index] = createdAs(made[place]!)
}

const byExternalId = (one: Row, other: Row): number =>
  String(one.externalId) < String(other.externalId) ? -1 : 1

function externalIdOf(raw: unknown): string {
  const { externalId } = (raw ?? {}) as Values
  if (externalId === undefined || externalId === null)
    throw invalid({
      path: 'externalId',
      message: 'required with mode upsert: give the id in your own system',
    })
  return parseInput({ input: EXTERNAL_ID }, { externalId }).externalId as string
}

const EXTERNAL_ID = z.object({ externalId: COMMON_FIELDS.externalId })

interface Found {
  readonly id: string
  readonly version: number
}

async function lockByExternalId(
  { tx }: TransactionContext,
  kind: Kind,
  externalIds: readonly string[],
): Promise<Map<string, Found>> {
  const lock = locks.get(kind) ?? statement(lockText(kind))
  locks.set(kind, lock)
  const rows = await tx.read<Found & { externalId: string }>(lock(tx.organizationId, externalIds))
  return new Map(rows.map((row) => [row.externalId, row]))
}

const locks = new Map<Kind, ReturnType<typeof statement>>()
const lockText = ({ table }: Kind) => `
  select id, version, external_id as "externalId" from ${table}
   where organization_id = $1 and external_id = any($2) order by id for no key update`

async function changeOne(
  context: TransactionContext,
  kind: Kind,
  { id, version }: Found,
  given: Values,
): Promise<Written> {
  try {
    const record = await changeRecord(context, kind, id, { given })
    return { outcome: record.version === version ? 'unchanged' : 'changed', record }
  } catch (error) {
    return rowRefusal(error)
  }
}

/**
 * Each by itself. Where the service fails on the way, what was written stays and is told, and the rows behind it are
 * told apart from it, so that just those can be sent again.
 */
async function writeEach(context: OwnContext, batch: Batch, records: readonly unknown[]): Promise<Written[]> {
  const written: Written[] = []
  let fault: Refusal | null = null
  for (const raw of records)
    try {
      written.push(fault ?? (await writeTogether(context, batch, [raw]))[0]!)
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal || refusal.status >= 500) {
        if (written.every((row) => row instanceof Refusal)) throw error
        fault = new Refusal('unavailable', 'This row was not added, for a fault of ours: send it again.')
        if (!refusal)
          context.parts.log.error({ err: error, requestId: context.caller.requestId }, 'a batch broke off')
      }
      written.push(fault ?? (refusal as Refusal))
    }
  return written
}

function resultOf({ caller }: OwnContext, { kind, isUpsert }: Batch, index: number, row: Written) {
  if (!(row instanceof Refusal)) {
    const record = readableBy(caller, kind, row.record)
    return isUpsert ? { index, outcome: row.outcome, record } : { index, record }
  }
  const { code, status, message: detail, members } = row
  return { index, problem: { code, status, detail, ...members } }
}
