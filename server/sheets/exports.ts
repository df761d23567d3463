import { z } from 'zod'
import { needsToRead } from '../../model/access.ts'
import { callsOf } from '../../model/calls.ts'
import type { Values } from '../../model/complaint.ts'
import { pathsOf } from '../../model/family.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { Streamed, streamed } from '../bytes.ts'
import { transaction } from '../database/transaction.ts'
import { type AnyOperation, type OwnContext, operation, type TransactionContext } from '../operation.ts'
import { listShape } from '../records/list.ts'
import { needsOfFilters } from '../records/readable.ts'
import { sharedTools } from '../records/shared-tools.ts'
import type { CellWords } from './cells.ts'
import { csvOf, type Exported, jsonOf, xlsxFileOf } from './files.ts'

/** The files that a list can be taken out as. */
const FILES = {
  csv: { type: 'text/csv; charset=utf-8', write: csvOf },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: xlsxFileOf },
  json: { type: 'application/json; charset=utf-8', write: jsonOf },
} as const satisfies Record<
  string,
  { type: string; write: (context: OwnContext, exported: Exported) => AsyncIterable<Uint8Array> }
>

export const XLSX_TYPE = FILES.xlsx.type

const SHAPE = {
  format: z
    .enum(Object.keys(FILES) as [keyof typeof FILES, ...(keyof typeof FILES)[]])
    .default('xlsx')
    .meta({ title: 'Format' })
    .describe(
      'csv: the records alone; xlsx and json: with what stands under them and what they are linked with',
    ),
  words: z
    .enum(['shown', 'keys'])
    .default('shown')
    .meta({ title: 'Words' })
    .describe('Of csv and xlsx: titles and choices as people read them, or by their keys'),
}

/** All that a list finds, as a file. What is taken out can be brought in again. */
function exportOf(kind: Kind) {
  const { limit, cursor, ...filters } = listShape(kind)
  return operation({
    name: callsOf(kind).export,
    sharedTool: { ...sharedTools.export, kind },
    method: 'GET',
    path: `${pathsOf(kind).all}/export`,
    needs: needsToRead(kind),
    writes: false,
    title: `Export ${kind.noun.many} as a file`,
    description: 'Takes all filters of the list, and its order; an import takes the file again.',
    input: z.strictObject({ ...SHAPE, ...filters }),
    answers: 'stream',
    output: streamed,
    needsFor: (input) => needsOfFilters(kind, input),
    run: async (context, { format, words, ...filters }: Values) => {
      const { type, write } = FILES[format as keyof typeof FILES]
      const day = (await context.tx.now).slice(0, 10)
      return new Streamed({
        name: `${kind.page}-${day}.${format}`,
        type,
        bytes: null,
        open: () => write(laterIn(context), { kind, filters, asWords: words as CellWords }),
      })
    },
  })
}

/** Bytes are read once the call is over: each stretch of them in a transaction of its own. */
export const laterIn = ({ caller, parts }: TransactionContext): OwnContext => ({
  caller,
  parts,
  transaction: (work) =>
    transaction(parts.database.tenant, caller.organizationId, (tx) => work({ caller, parts, tx })),
})

export const exportOperations: readonly AnyOperation[] = everyKind.map(exportOf)
