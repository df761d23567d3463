import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { statement } from '../../server/database/connect.ts'
import { jobKind } from '../../server/jobs/job-kind.ts'
import { scope } from '../../server/operation.ts'
import type { TestService } from './service.ts'

/** A job that writes a row for each number, so many of them in a piece: whatever is done twice or not at all shows. */
const Input = z.object({
  name: z.string(),
  rows: z.number(),
  inPiece: z.number(),
  /** How long each piece is under way, so that a kill finds it there. */
  pieceMs: z.number().default(0),
})

export const writeRows = jobKind<typeof Input, { after: number }>({
  name: 'writeRows',
  title: 'Write rows',
  input: Input,
  needs: scope('write:risks'),
  perOrganization: 2,
  keptDays: 1,
  run: async ({ input: { name, rows, inPiece, pieceMs }, step }) => {
    const piece = () =>
      step(async ({ tx, place, progress }) => {
        const from = (place?.after ?? 0) + 1
        const to = Math.min(rows, from + inPiece - 1)
        tx.write(insertRows(name, from, to))
        if (pieceMs > 0) await sleep(pieceMs)
        progress(to, rows)
        return to < rows ? { after: to } : null
      })
    while (await piece());
    return undefined
  },
})

const insertRows = statement('insert into written_rows (job, n) select $1, generate_series($2::int, $3::int)')

export async function makeWrittenRows({ administrator }: TestService): Promise<void> {
  await administrator.query(`
    create table written_rows (job text, n int);
    grant select, insert on written_rows to plumbline_tenant`)
}
