import { createHash } from 'node:crypto'
import { z } from 'zod'
import { currency, line, text } from '../../model/fields.ts'
import { incomingBytes, Streamed, streamed } from '../bytes.ts'
import { statement } from '../database/connect.ts'
import { leaveJob } from '../jobs/resume.ts'
import { operation, type TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { KNOWN, NEW } from './address-rows.ts'
import { countRows, id, insertBulkChange, NEEDS, PATH, planRows, typeOfImport } from './begin-bulk-change.ts'
import {
  type BulkChange,
  bulkChange,
  FOR_CHANGE,
  findBulkChange,
  kindByName,
  needsToChange,
  shownBulkChange,
} from './bulk-change.ts'
import { forgetClaims } from './claims.ts'
import { columnsInFiles, DATE_ORDERS, readSheetWords } from './columns.ts'
import { withDatesOffered } from './date-order.ts'
import { templateOf } from './files.ts'
import { findHead } from './find-head.ts'
import { withIdsOfOthers } from './ids-of-others.ts'
import { judgeColumns } from './judge-columns.ts'
import { LIMITS, readFile } from './read-file.ts'
import { columnAt, remember } from './recognise.ts'
import { rememberedIdentity, rememberIdentity } from './remembered-identity.ts'
import { readScale } from './scale.ts'
import { wordsForColumns } from './title-synonyms.ts'
import { leaveOutTotals } from './totals.ts'
import { typeOf } from './write-export.ts'

/* A file of records: begun, sent, and planned by what its columns are taken for. */

const TYPES = [
  'text/csv',
  'text/tab-separated-values',
  'application/json',
  'application/vnd.ms-excel',
  typeOf('xlsx'),
  'application/octet-stream',
]

export const startImport = operation({
  name: 'startImport',
  method: 'POST',
  path: `${PATH}/import`,
  needs: NEEDS,
  needsFor: (input) => [needsToChange(kindByName(input.type), 'file')],
  writes: true,
  title: 'Begin an import',
  description: 'Of a file that is sent behind it, by sendImportFile.',
  input: z.strictObject({
    type: typeOfImport,
    name: line('Name', 200).describe('Of the file'),
  }),
  output: bulkChange,
  location: ({ id }) => `${PATH}/${id}`,
  run: async (context, { type, name }) => {
    const id = await insertBulkChange(context, {
      kind: type,
      origin: 'file',
      file_name: name,
      stage: 'begun',
    })
    return shownBulkChange(context, await findBulkChange(context, id))
  },
})

export const sendImportFile = operation({
  name: 'sendImportFile',
  method: 'PUT',
  path: `${PATH}/{id}/file`,
  needs: NEEDS,
  writes: 'own',
  title: 'Send the file of an import',
  description:
    'Reads CSV, XLSX or JSON and says what each of its columns is taken for; nothing is planned or written yet. Sent once more, such as for another sheet, it takes the place of what was read before.',
  takes: { types: TYPES, bytes: LIMITS.bytes },
  bodyIs: 'content',
  input: z.strictObject({
    id,
    headRow: z
      .int()
      .min(1)
      .max(LIMITS.number)
      .optional()
      .meta({ title: 'Row of the head' })
      .describe(
        `The row with the names of the columns, among the first ${LIMITS.headAmong}; where it is left out, the first that names the most of them. What stands above it is left out`,
      ),
    sheet: z
      .string()
      .max(100)
      .optional()
      .meta({ title: 'Sheet' })
      .describe(
        'Of a workbook; where it is left out, the first that names columns of the kind, or else has several columns',
      ),
    content: incomingBytes,
  }),
  output: bulkChange,
  refusals: ['conflict'],
  annotations: { idempotent: true },
  run: async (context, { id, sheet = null, headRow = null, content }) => {
    const titles = await context.transaction(async (within) => {
      const bulk = await findBulkChange(within, id)
      refuseUnderWay(bulk)
      return wordsForColumns(bulk.kind, columnsInFiles(bulk.kind, await readSheetWords(within, bulk.kind)))
    })
    const bytes = await content.whole(LIMITS.bytes)
    const file = await readFile(context.caller.organizationId, bytes, sheet, titles)
    return context.transaction(async (within) => {
      const { tx } = within
      const bulk = await findBulkChange(within, id, FOR_CHANGE)
      refuseUnderWay(bulk)
      const words = await readSheetWords(within, bulk.kind)
      const all = columnsInFiles(bulk.kind, words)
      const headed = await findHead(within, bulk.kind, all, file, headRow)
      await leaveStopped(within, bulk)
      tx.write(removeRows(tx.organizationId, id))
      tx.write(removeLeftOut(tx.organizationId, id))
      for (const stretch of headed.stretches) tx.write(insertRows(tx.organizationId, id, stretch))
      const hash = createHash('sha256').update(bytes).digest('hex')
      const meant = await withIdsOfOthers(tx, id, bulk.kind, all, headed.columns)
      const columns = JSON.stringify(await withDatesOffered(tx, id, all, meant))
      const identity = await rememberedIdentity(tx, bulk.kind, meant)
      await leaveOutTotals(tx, id, meant)
      tx.write(keepFile(tx.organizationId, id, hash, [...file.sheets], file.sheet, columns, identity))
      tx.write(keepHead(tx.organizationId, id, headed.headRow || null, JSON.stringify(headed.top)))
      tx.write(countRows(tx.organizationId, id))
      return shownBulkChange(within, await findBulkChange(within, id))
    })
  },
})

export const planImport = operation({
  name: 'planImport',
  method: 'POST',
  path: `${PATH}/{id}/plan`,
  needs: NEEDS,
  writes: true,
  title: 'Plan an import',
  description:
    'Says of each row whether it would add a record, change one or leave it, or what is wrong with it; nothing is written yet. A column that is taken for updatedAt keeps a row from changing a record that has changed since the file was taken out. What the columns are taken for is remembered, but for titles that are just those of its fields. One that was carried out, or stopped on the way, is planned again for the rows that were not written.',
  input: z.strictObject({
    id,
    columns: z
      .array(z.string().min(1).max(200).nullable())
      .max(LIMITS.columns)
      .meta({ title: 'Columns' })
      .describe('What each column of the file is taken for, in their order; null leaves it out'),
    identity: text('Identity', 200)
      .default(KNOWN)
      .describe(
        `${KNOWN}: id, reference and external id say which record a row is about; ${NEW}: each row adds one; else the key of the column that says it`,
      ),
    clearsEmpty: z
      .boolean()
      .default(false)
      .meta({ title: 'Empty cells clear' })
      .describe('true: an empty cell clears the field; false: it leaves it'),
    dates: z
      .enum(DATE_ORDERS)
      .nullable()
      .default(null)
      .meta({ title: 'Dates' })
      .describe(
        'What comes first in dates such as 03/04/2027; where it is left out, such a date is an error',
      ),
    currency: currency('Currency')
      .nullable()
      .default(null)
      .describe(
        'In which amounts are that say none, in their cell or beside it; where it is left out, such an amount is an error',
      ),
    meanings: z
      .array(
        z.strictObject({
          column: z.int().min(0).describe('Its place in the file, counted from 0'),
          word: text('Word', 200),
          choice: z
            .string()
            .max(200)
            .nullable()
            .describe('The key of a choice, or the id of somebody; null forgets it'),
        }),
      )
      .max(2_000)
      .default([])
      .meta({ title: 'Meanings' })
      .describe(
        'What words stand for that no choice or person is called by; what was said before stays. Whom a name stands for is said for all columns of the file at once',
      ),
    emptyUnmatched: z
      .array(z.int().min(0))
      .max(LIMITS.columns)
      .nullable()
      .default(null)
      .meta({ title: 'Leave unmatched values empty' })
      .describe(
        'Columns, by their place in the file, in which a value that matches no choice, person or record is left empty. In all others it is an error. Null keeps the columns that were given before',
      ),
  }),
  output: bulkChange,
  refusals: ['conflict'],
  run: async (context, { id, ...given }) => {
    const { tx } = context
    const { identity, clearsEmpty } = given
    const bulk = await findBulkChange(context, id, FOR_CHANGE)
    await refuseUnlessLeft(context, bulk)
    if (!bulk.columns) throw new Refusal('conflict', 'It has no file yet: send one by sendImportFile.')
    const all = columnsInFiles(bulk.kind, await readSheetWords(context, bulk.kind))
    const judged = await judgeColumns(context, bulk.columns, all, given)
    remember(context, bulk.kind, all, judged)
    rememberIdentity(tx, bulk.kind, identity)
    const taken = await Promise.all(
      judged.map(async (one, place) => {
        const column = one.key === null ? undefined : columnAt(all, one.key)
        const scale = column && (await readScale(tx, id, place, one.title, column))
        return scale ? { ...one, scale } : one
      }),
    )
    tx.write(map(tx.organizationId, id, JSON.stringify(taken), identity, clearsEmpty))
    await planAnew(context, bulk)
    return shownBulkChange(context, await findBulkChange(context, id))
  },
})

/** Plans the rows that were not written, whatever they were planned as before. */
export async function planAnew(context: TransactionContext, bulk: BulkChange): Promise<void> {
  const { tx } = context
  tx.write(keepWritten(tx.organizationId, bulk.id))
  tx.write(forgetPlan(tx.organizationId, bulk.id))
  tx.write(forgetClaims(tx.organizationId, bulk.id))
  await leaveStopped(context, bulk)
  await planRows(context, bulk.id)
}

function refuseUnderWay({ origin, stage }: BulkChange): void {
  if (origin !== 'file') throw new Refusal('conflict', 'It is no import: it was planned when it was begun.')
  if (stage === 'applying' || stage === 'applied')
    throw new Refusal('conflict', 'It is being carried out, or was already: begin another.')
}

/** What was planned can be planned again, also when it was carried out: for the rows that were not written. */
export async function refuseUnlessLeft({ tx }: TransactionContext, bulk: BulkChange): Promise<void> {
  const { id, stage, hasStopped } = bulk
  if (stage !== 'applied' && !(stage === 'applying' && hasStopped)) return refuseUnderWay(bulk)
  const left = await tx.read(leftOver(tx.organizationId, id))
  if (left.length === 0) throw new Refusal('conflict', 'Every row was carried out already: begin another.')
}

/** A job that was stopped has nothing left to go on with where its rows are planned anew, or are others. */
async function leaveStopped({ tx }: TransactionContext, { jobId, hasStopped }: BulkChange): Promise<void> {
  if (jobId !== null && hasStopped) await leaveJob(tx, jobId)
}

export const getImportTemplate = operation({
  name: 'getImportTemplate',
  method: 'GET',
  path: `${PATH}/template`,
  needs: NEEDS,
  needsFor: (input) => [needsToChange(kindByName(input.type), 'file')],
  writes: false,
  title: 'Download a workbook to fill in',
  description: 'With the columns that an import takes, what they mean, and a row as an example.',
  input: z.strictObject({ type: typeOfImport }),
  answers: 'stream',
  output: streamed,
  run: async (context, input) => {
    const kind = kindByName(input.type)
    const bytes = await templateOf(context, kind)
    return new Streamed({
      name: `${kind.page}-template.xlsx`,
      type: typeOf('xlsx'),
      bytes: null,
      open: () => bytes,
    })
  },
})

const insertRows = statement(`
  insert into bulk_change_rows (organization_id, bulk_change_id, number, cells)
  select $1, $2, (row->>0)::int, row->1 from jsonb_array_elements($3::jsonb->'rows') as rows (row)`)

const removeRows = statement(
  'delete from bulk_change_rows where organization_id = $1 and bulk_change_id = $2',
)

const removeLeftOut = statement(
  'delete from bulk_change_left_out where organization_id = $1 and bulk_change_id = $2',
)

const keepFile = statement(`
  update bulk_changes
     set file_hash = $3, sheets = $4, sheet = $5, columns = $6::jsonb, identity = $7, stage = 'read', job_id = null, counted = null
   where organization_id = $1 and id = $2`)

const keepHead = statement(
  'update bulk_changes set head_row = $3, top = $4::jsonb where organization_id = $1 and id = $2',
)

const map = statement(`
  update bulk_changes set columns = $3::jsonb, identity = $4, clears_empty = $5 where organization_id = $1 and id = $2`)

const WRITTEN = `done in ('created', 'changed', 'unchanged')`

/** What is written stays told, and is about what it was about: a further row about the same repeats it. */
const keepWritten = statement(`
  update bulk_change_rows set planned = null where organization_id = $1 and bulk_change_id = $2 and ${WRITTEN}`)

const forgetPlan = statement(`
  update bulk_change_rows
     set planned = null, done = null, problems = '[]', changes = '[]', record_id = null, version = null, identity = null,
         awaits = '[]', linked = null, turn = 0
   where organization_id = $1 and bulk_change_id = $2 and planned is not null and (done is null or not ${WRITTEN})`)

const leftOver = statement(`
  select number from bulk_change_rows
   where organization_id = $1 and bulk_change_id = $2 and (done = 'refused' or done is null and planned is distinct from 'leave')
   limit 1`)
