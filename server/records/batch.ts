import { z } from 'zod'
import { needsOf } from '../../model/access.ts'
import { callsOf, pascal } from '../../model/calls.ts'
import type { Values } from '../../model/complaint.ts'
import { pathsOf } from '../../model/family.ts'
import type { Kind } from '../../model/kind.ts'
import type { Needs } from '../../model/needs.ts'
import { isAway, isDeadlock } from '../database/errors.ts'
import { parseInput } from '../input.ts'
import {
  type AnyOperation,
  looselyTaken,
  type OwnContext,
  operation,
  type TransactionContext,
} from '../operation.ts'
import { CODES, type Code, Refusal } from '../refusal.ts'
import { again } from './again.ts'
import { createRecords } from './create-record.ts'
import { refusalWithHolder } from './holders.ts'
import { needsOfIdsGiven } from './linked-ids.ts'
import { readableBy } from './readable.ts'
import { asRefusal } from './row-refusal.ts'
import { creationSchema, recordSchema } from './schemas.ts'
import { sharedTools } from './shared-tools.ts'
import { upsert } from './upsert.ts'
import { createdAs, type Written } from './written.ts'

/*
 * Many records in one call. All that are new and that their own rules let in are written by one statement; where one of
 * them fails in the database, such as for a name that is taken, each is written by itself.
 */

export const BATCH_AT_MOST = 100

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
  const ofIds = needsOfIdsGiven(kind)
  return operation({
    name: callsOf(kind).createBatch,
    sharedTool: { ...sharedTools.createBatch, kind },
    method: 'POST',
    path: `${pathsOf(kind).all}/batch`,
    needs,
    needsFor: ({ mode, records }: { mode?: unknown; records?: readonly unknown[] }) => [
      ...(mode === 'upsert' && toUpdate ? [toUpdate] : []),
      ...(ofIds && Array.isArray(records) ? records.flatMap((row) => ofIds(row as Values)) : []),
    ],
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
    isLarge: true,
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
const writeTogether = (context: OwnContext, batch: Batch, records: readonly unknown[]): Promise<Written[]> =>
  batch.isUpsert
    ? upsert(
        context,
        batch,
        records.map((record) => ({ record })),
      )
    : again(() => context.transaction((within) => createAll(within, batch, records)), isDeadlock)

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
      const refusal = await refusalWithHolder(
        (work) => context.transaction(({ tx }) => work(tx)),
        context.caller,
        error,
        raw,
      )
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
