import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { columnOf } from '../../../model/column-names.ts'
import type { Values } from '../../../model/complaint.ts'
import type { Kind } from '../../../model/kind.ts'
import { everyKind, kinds } from '../../../model/kinds/index.ts'
import { ratingOf } from '../../../model/kinds/risk-rating.ts'
import { type ByMatrix, cellOf, exceeds, type RatingRules } from '../../../model/risk-matrix.ts'
import { LEVELS } from '../../../model/scales.ts'
import { build } from '../../database/build.ts'
import { statement } from '../../database/connect.ts'
import type { Transaction } from '../../database/transaction.ts'

/*
 * What a matrix would move of the records there are, as the recalculation then does: counted by the pairs of likelihood
 * and impact that they have, of which there are few however many records there are.
 */

export type Rated = Kind & { readonly byMatrix: ByMatrix }

/** The kinds of which something follows from the matrix, in the order in which they are recomputed. */
export const ratedKinds: readonly Rated[] = everyKind.flatMap((kind: Kind) =>
  kind.byMatrix ? [kind as Rated] : [],
)

export const moves = z
  .object({
    moves: z
      .array(
        z.object({
          kind: z.enum(ratedKinds.map(({ name }) => name)),
          field: z.string().describe('The level that moves'),
          from: z.enum(LEVELS).nullable(),
          to: z.enum(LEVELS).nullable(),
          count: z.int(),
        }),
      )
      .describe('Between which levels records would move, closed ones too; those that stay are left out'),
    aboveAppetite: z
      .array(
        z.object({
          kind: z.enum(ratedKinds.map(({ name }) => name)),
          before: z.int(),
          after: z.int(),
        }),
      )
      .describe('How many are above the appetite, and would be'),
    acceptancesEnded: z
      .int()
      .describe('How many accepted risks would be rated otherwise than they were accepted, which ends that'),
  })
  .meta({ id: 'RiskMatrixMoves', title: 'What a risk matrix would move' })

interface Counted {
  readonly kind: string
  readonly field: string
  readonly likelihood: string | null
  readonly impact: string | null
  readonly from: string | null
  readonly count: number
}

interface CountedAbove {
  readonly kind: string
  readonly likelihood: string | null
  readonly impact: string | null
  readonly category: string | null
  readonly exceeded: boolean | null
  readonly count: number
}

/** A group of accepted risks, by what their rating follows from. */
interface CountedAccepted extends Values {
  readonly acceptedLevel: string
  readonly count: number
}

/** @returns what would move, the gravest level first */
export async function countMoves(
  tx: Transaction,
  { cells, appetite }: RatingRules,
): Promise<z.output<typeof moves>> {
  const withAppetite = ratedKinds.filter(({ byMatrix }) => byMatrix.appetite)
  const [counted, above, accepted] = await Promise.all([
    tx.read<Counted>(build(sql.join(ratedKinds.flatMap(countLevels(tx.organizationId)), sql` union all `))),
    tx.read<CountedAbove>(build(sql.join(withAppetite.map(countAbove(tx.organizationId)), sql` union all `))),
    tx.read<CountedAccepted>(countAccepted(tx.organizationId)),
  ])
  const sums = new Map<string, z.output<typeof moves>['moves'][number]>()
  for (const { kind, field, likelihood, impact, from, count } of counted) {
    const to = cellOf(cells, likelihood, impact)?.level ?? null
    if (to === from) continue
    const key = JSON.stringify([kind, field, from, to])
    const before = sums.get(key)?.count ?? 0
    sums.set(key, { kind, field, from: from as never, to, count: before + count })
  }
  const place = (level: string | null) => LEVELS.indexOf(level as never)
  return {
    moves: [...sums.values()].sort(
      (one, other) => place(other.from) - place(one.from) || place(other.to) - place(one.to),
    ),
    aboveAppetite: withAppetite.map(({ name }) => {
      const those = above.filter(({ kind }) => kind === name)
      const sum = (isIn: (row: CountedAbove) => boolean) =>
        those.filter(isIn).reduce((all, { count }) => all + count, 0)
      return {
        kind: name,
        before: sum(({ exceeded }) => exceeded === true),
        after: sum(
          ({ likelihood, impact, category }) =>
            exceeds(appetite, category, cellOf(cells, likelihood, impact)?.level) === true,
        ),
      }
    }),
    acceptancesEnded: accepted
      .filter((risk) => ratingOf({ ...risk, ...levelsBy(cells, risk) }).level !== risk.acceptedLevel)
      .reduce((sum, { count }) => sum + count, 0),
  }
}

/** The levels of a risk by other cells. */
const levelsBy = (cells: RatingRules['cells'], risk: Values): Values =>
  Object.fromEntries(
    Object.entries(kinds.risk.byMatrix!.levels).map(([field, { likelihood, impact }]) => [
      field,
      cellOf(cells, risk[likelihood] as string | null, risk[impact] as string | null)?.level ?? null,
    ]),
  )

const countAccepted = statement(`
  select likelihood, impact, residual_likelihood as "residualLikelihood", residual_impact as "residualImpact",
         acceptance->>'level' as "acceptedLevel", count(*)::int as count
    from risks where organization_id = $1 and acceptance is not null group by 1, 2, 3, 4, 5`)

const countLevels =
  (organizationId: string) =>
  ({ name, table, byMatrix }: Rated): RawBuilder<unknown>[] =>
    Object.entries(byMatrix.levels).map(([field, { likelihood, impact }]) => {
      const [across, down, from] = [likelihood, impact, field].map((one) => sql.ref(columnOf(one)))
      return sql`
        select ${sql.lit(name)} as kind, ${sql.lit(field)} as field, ${across} as likelihood, ${down} as impact,
               ${from} as "from", count(*)::int as count
          from ${sql.table(table)} where organization_id = ${organizationId} group by 3, 4, 5`
    })

const countAbove =
  (organizationId: string) =>
  ({ name, table, byMatrix }: Rated): RawBuilder<unknown> => {
    const { level, category, exceeded } = byMatrix.appetite!
    const { likelihood, impact } = byMatrix.levels[level]!
    const [across, down, of, is] = [likelihood, impact, category, exceeded].map((one) =>
      sql.ref(columnOf(one)),
    )
    return sql`
      select ${sql.lit(name)} as kind, ${across} as likelihood, ${down} as impact, ${of} as category, ${is} as exceeded,
             count(*)::int as count
        from ${sql.table(table)} where organization_id = ${organizationId} group by 2, 3, 4, 5`
  }
