import { z } from 'zod'
import { needsToRead } from '../../model/access.ts'
import { callsOf } from '../../model/calls.ts'
import type { Values } from '../../model/complaint.ts'
import { pathsOf } from '../../model/family.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { inNumber } from '../../model/noun.ts'
import { Streamed, streamed } from '../bytes.ts'
import { transaction } from '../database/transaction.ts'
import { type AnyOperation, type OwnContext, operation, type TransactionContext } from '../operation.ts'
import { findRecordIds, listShape } from '../records/list.ts'
import { needsOfFilters } from '../records/readable.ts'
import { sharedTools } from '../records/shared-tools.ts'
import { Refusal } from '../refusal.ts'
import type { CellWords } from './cells.ts'
import { inOrder } from './file-form.ts'
import type { Exported } from './files.ts'
import { type ExportPlace, FORMATS, type Format, typeOf, writePiece } from './write-export.ts'

/** Of more, a job makes the file. */
export const ROWS_AT_ONCE = 2_000

export const EXPORT_SHAPE = {
  format: z
    .enum(FORMATS)
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
    description: `Takes all filters of the list, and its order; an import takes the file again. Of more than ${ROWS_AT_ONCE} rows startExport makes it.`,
    input: z.strictObject({ ...EXPORT_SHAPE, ...filters }),
    answers: 'stream',
    output: streamed,
    refusals: ['too_many_rows'],
    needsFor: (input) => needsOfFilters(kind, input),
    run: async (context, { format, words, ...filters }: Values) => {
      const found = await findRecordIds(context, kind, filters, ROWS_AT_ONCE + 1)
      if (found.length > ROWS_AT_ONCE) throw tooMany(kind)
      const exported = { kind, filters, asWords: words as CellWords }
      return new Streamed({
        name: fileName(kind, format as Format, await context.tx.now),
        type: typeOf(format as Format),
        bytes: null,
        open: () => written(laterIn(context), format as Format, exported),
      })
    },
  })
}

const tooMany = (kind: Kind) =>
  new Refusal(
    'too_many_rows',
    `More than ${ROWS_AT_ONCE} ${inNumber(kind.noun, ROWS_AT_ONCE)} match: start it as a job by startExport (POST /v1/exports), or narrow the filters.`,
  )

export const fileName = ({ page }: Kind, format: Format, now: string): string =>
  `${page}-${now.slice(0, 10)}.${format}`

/** What is not many rows: made of a few pieces, which are in memory together. */
async function* written(
  { transaction }: OwnContext,
  format: Format,
  exported: Exported,
): AsyncGenerator<Uint8Array> {
  const parts = []
  let place: ExportPlace | null = null
  do {
    const piece: Awaited<ReturnType<typeof writePiece>> = await transaction((within) =>
      writePiece(within, format, exported, place),
    )
    parts.push(...piece.parts)
    place = piece.next
  } while (place)
  yield* inOrder(parts)
}

/** Bytes are read once the call is over: each stretch of them in a transaction of its own. */
const laterIn = ({ caller, parts }: TransactionContext): OwnContext => ({
  caller,
  parts,
  sendsBytes: true,
  transaction: (work) =>
    parts.callTurns.run(
      {
        organizationId: caller.organizationId,
        credentialId: caller.credential.id,
        isLarge: true,
        continues: true,
      },
      () => transaction(parts.database.tenant, caller.organizationId, (tx) => work({ caller, parts, tx })),
    ),
})

export const exportOperations: readonly AnyOperation[] = everyKind.map(exportOf)
