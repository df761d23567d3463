import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { kinds } from '../../../model/kinds/index.ts'
import { build } from '../../database/build.ts'
import { statement } from '../../database/connect.ts'
import type { Transaction } from '../../database/transaction.ts'
import { jobKind } from '../../jobs/job-kind.ts'
import { capability } from '../../operation.ts'
import { readCurrentMatrix } from '../../records/current-risk-matrix.ts'
import { type Rederived, readStretch, rederiveRecords } from '../../records/rederive.ts'
import { Refusal } from '../../refusal.ts'
import { type Rated, ratedKinds } from './moves.ts'

/*
 * Brings the levels that follow from the risk matrix up to a version of it: kind after kind, in the order of ids, a
 * stretch of records in each piece. Others write meanwhile: what they write follows from the new version already, and
 * the locks of a piece are few and short.
 */

const Input = z.object({ version: z.int() })

interface Place {
  readonly kind: string
  /** The last id that was looked at. */
  readonly after: string
  readonly done: number
  readonly total: number
  /** How many risks have another level by now. */
  readonly risksMoved: number
}

/**
 * Records that a piece looks at, and how many of these it writes at most: who writes beside it waits for one piece at
 * most, and the figure for that is what larger pieces miss (bench/matrix.ts).
 */
const SIZE = { looked: 20, stale: 4 }

/** Between two pieces, as a share of what the last one took: the processors are there for others first. */
const REST = 1

export const recalculateRisks = jobKind<typeof Input, Place>({
  name: 'recalculateRisks',
  title: 'Recalculate the levels of risks',
  input: Input,
  needs: capability('settings.manage'),
  perOrganization: 1,
  keptDays: 30,
  run: async ({ input, step }) => {
    for (;;) {
      const startedAt = performance.now()
      const next = await step(async (piece) => {
        // Without holding it: what is stale by this is judged once more by what is read under its lock.
        const [matrix, place] = await Promise.all([
          readCurrentMatrix(piece.tx),
          piece.place ?? firstPlace(piece.tx),
        ])
        if (matrix?.version !== input.version) throw new Refusal('conflict', SUPERSEDED)
        const kind = ratedKinds.find(({ name }) => name === place.kind)!
        const stretch = await readStretch(piece, kind, { matrix }, place.after, SIZE)
        const reason = `Version ${input.version} of the risk matrix`
        const moved = await rederiveRecords(piece, kind, stretch.stale, reason)
        const done = place.done + stretch.count
        const risksMoved = place.risksMoved + risksAmong(kind, moved)
        piece.progress(done, Math.max(done, place.total))
        if (!stretch.isLast) return { ...place, after: stretch.last, done, risksMoved }
        const further = ratedKinds[ratedKinds.indexOf(kind) + 1]
        if (further) return { ...place, kind: further.name, after: '', done, risksMoved }
        piece.tx.write(keepMoved(piece.tx.organizationId, input.version, risksMoved))
        return null
      })
      if (next === null) return undefined
      await sleep((performance.now() - startedAt) * REST)
    }
  },
})

/** Those whose own level is another, of all that moved. */
const risksAmong = (kind: Rated, moved: readonly Rederived[]): number =>
  kind.name === kinds.risk.name
    ? moved.filter(({ before, record }) => before[kind.level!] !== record[kind.level!]).length
    : 0

const keepMoved = statement(
  'update risk_matrices set risks_moved = $3::int where organization_id = $1 and version = $2::int',
)

const SUPERSEDED = 'The risk matrix has changed again since: a job of its own brings the records up to that.'

async function firstPlace(tx: Transaction): Promise<Place> {
  const counts = ratedKinds.map(
    ({ table }) =>
      sql`(select count(*) from ${sql.table(table)} where organization_id = ${tx.organizationId})`,
  )
  const [row] = await tx.read<{ total: number }>(
    build(sql`select (${sql.join(counts, sql` + `)})::int as total`),
  )
  return { kind: ratedKinds[0]!.name, after: '', done: 0, total: row!.total, risksMoved: 0 }
}
