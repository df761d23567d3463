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
        z.object({ number: z.int(), text: z.string().describe('What stands in it, as far as it is short') }),
      )
      .describe(`The first ${SHOWN} of them`),
  })
  .describe('Rows of the file that were left out by leaveOutImportRows; restoreImportRows takes them back in')

export const NONE_LEFT_OUT: z.output<typeof leftOutShown> = { count: 0, rows: [] }

export async function readLeftOut(tx: Transaction, id: string): Promise<z.output<typeof leftOutShown>> {
  const rows = await tx.read<{ number: number; cells: unknown[] | null; count: number }>(
    select(tx.organizationId, id, SHOWN),
  )
  return {
    count: rows[0]?.count ?? 0,
    rows: rows.map(({ number, cells }) => ({
      number,
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
  select number, cells, count(*) over ()::int as count from bulk_change_left_out
   where organization_id = $1 and bulk_change_id = $2 order by number limit $3::int`)
