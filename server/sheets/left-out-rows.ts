import { z } from 'zod'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { textShown } from './shown-columns.ts'

/* The rows of a file that somebody has left out of its import (leave-out-rows.ts), as they are answered. */

const SHOWN = 100
const LETTERS = 100

export const leftOutShown = z
  .object({
    count: z.int(),
    rows: z
      .array(
        z.object({
          number: z.int(),
          text: z.string().describe('The cells of the row, shortened'),
          isTotal: z.boolean().describe('Whether it was left out because it adds up the rows above it'),
        }),
      )
      .describe(`The first ${SHOWN} of them`),
  })
  .describe('Rows of the file that were left out by leaveOutImportRows; restoreImportRows takes them back in')

export const NONE_LEFT_OUT: z.output<typeof leftOutShown> = { count: 0, rows: [] }

export async function readLeftOut(tx: Transaction, id: string): Promise<z.output<typeof leftOutShown>> {
  const rows = await tx.read<{ number: number; cells: unknown[] | null; isTotal: boolean; count: number }>(
    select(tx.organizationId, id, SHOWN),
  )
  return {
    count: rows[0]?.count ?? 0,
    rows: rows.map(({ number, cells, isTotal }) => ({
      number,
      isTotal,
      text: (cells ?? [])
        .map(textShown)
        .filter((text) => text.trim() !== '')
        .join(' · ')
        .slice(0, LETTERS)
        .toWellFormed(),
    })),
  }
}

const select = statement(`
  select number, cells, reason is not distinct from 'total' as "isTotal", count(*) over ()::int as count from bulk_change_left_out
   where organization_id = $1 and bulk_change_id = $2 order by number limit $3::int`)
