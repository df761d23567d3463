import pg from 'pg'
import { cellOf, exceeds } from '../../model/risk-matrix.ts'
import { IMPACTS, LIKELIHOODS, RISK_CATEGORIES } from '../../model/scales.ts'
import type { TestOrganization, TestService } from './service.ts'
import { until } from './until.ts'

/** Risks and treatments with each rating, and what is to be known of them while their levels are recomputed. */
export type Register = ReturnType<typeof registerOf>

export interface Entry {
  readonly id: string
  readonly kind: string
  readonly reason: string
  readonly actor: { readonly id: string }
  readonly changes: Readonly<Record<string, { from: unknown; to: unknown }>>
}

export async function openClient({ database }: TestService): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.administratorUrl })
  await client.connect()
  return client
}

const PAIRS = LIKELIHOODS.flatMap((likelihood) => IMPACTS.map((impact) => ({ likelihood, impact })))

export function registerOf(one: TestService, { id: organization, admin }: TestOrganization) {
  const query = async (text: string, ...values: unknown[]) =>
    (await one.administrator.query(text, [organization, ...values])).rows
  const RATED = 'select id, version, risk_level as current, risk_score as score, inherent_level as inherent'

  const ids = async (): Promise<string[]> =>
    (await query('select id from risks where organization_id = $1 order by id')).map(({ id }) => id)

  return {
    ids,

    /** So many risks of each pair, their other ratings shifted, and a treatment of every fifth; and some without any. */
    fill: async (each: number): Promise<void> => {
      const made: string[] = []
      for (let n = 0; n < each; n += 1)
        for (let part = 0; part < 2; part += 1) {
          const records = PAIRS.slice(part * 13, part * 13 + 13).map((pair, index) => {
            const [inherent, residual] = [PAIRS[(index * 7 + n) % 25]!, PAIRS[(index * 3 + n * 5) % 25]!]
            return {
              title: `${n} ${pair.likelihood} ${pair.impact}`,
              category: RISK_CATEGORIES[(index + n) % RISK_CATEGORIES.length],
              ...pair,
              ...{ inherentLikelihood: inherent.likelihood, inherentImpact: inherent.impact },
              ...(index % 2 === 0 && {
                residualLikelihood: residual.likelihood,
                residualImpact: residual.impact,
              }),
            }
          })
          const { body } = await one.call(admin, 'createRiskBatch', {
            records: [...records, { title: 'Not assessed', likelihood: 'likely' }],
          })
          made.push(...(body as { data: { record: { id: string } }[] }).data.map(({ record }) => record.id))
        }
      for (const [index, riskId] of made.filter((_, place) => place % 5 === 0).entries()) {
        const { likelihood, impact } = PAIRS[(index * 4) % 25]!
        await one.call(admin, 'createRiskTreatment', {
          ...{ riskId, action: 'Patch', expectedLikelihood: likelihood, expectedImpact: impact },
        })
      }
    },

    /** Of each record, so that a test sees which were written. */
    versions: async (): Promise<Map<string, number>> =>
      new Map(
        (
          await query(
            `select id, version from risks where organization_id = $1
             union all select id, version from risk_treatments where organization_id = $1`,
          )
        ).map(({ id, version }) => [id, version]),
      ),

    /** As they are stored. */
    levels: () =>
      query(`${RATED}, residual_level as residual, above_appetite as above from risks
        where organization_id = $1
        union all select id, version, rating, null, null, null, null from risk_treatments where organization_id = $1
        order by id`),

    /** As they follow from what each is rated by. */
    levelsByMatrix: async () => {
      const { body } = await one.call(admin, 'getRiskMatrix')
      const { cells, appetite } = body as never
      const rows = await query(`
        select id, version, likelihood l, impact i, inherent_likelihood il, inherent_impact ii,
               residual_likelihood rl, residual_impact ri, category from risks where organization_id = $1
        union all
        select id, version, expected_likelihood, expected_impact, null, null, null, null, null
          from risk_treatments where organization_id = $1 order by id`)
      return rows.map(({ id, version, l, i, il, ii, rl, ri, category }) => {
        const current = cellOf(cells, l, i)
        const isRisk = category !== null
        return {
          ...{
            id,
            version,
            current: current?.level ?? null,
            score: isRisk ? (current?.score ?? null) : null,
          },
          inherent: cellOf(cells, il, ii)?.level ?? null,
          residual: cellOf(cells, rl, ri)?.level ?? null,
          above: isRisk ? exceeds(appetite, category, current?.level) : null,
        }
      })
    },

    entries: async (reason: string): Promise<Entry[]> =>
      query(
        `select subject_id as id, subject_type as kind, reason, actor, changes from audit_entries
          where organization_id = $1 and reason = $2 order by time, id`,
        reason,
      ),

    signals: (...types: string[]) =>
      query(
        `select subject_id as id, time, convert_from(body::text::bytea, 'UTF8')::json as body from signals
          where organization_id = $1 and type = any($2)`,
        types,
      ),

    /** Until so many statements wait for a lock. */
    waitsForLocks: (count: number) =>
      until(
        async () =>
          (
            await one.administrator.query(
              "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
            )
          ).rows[0].waiting >= count,
        'who waits for a lock',
      ),

    /** A job that waits in the middle, for a record that somebody else holds. */
    async stopInTheMiddle(start: () => Promise<string>) {
      const client = await openClient(one)
      await client.query('begin')
      await client.query(
        `select from risks where organization_id = $1 and likelihood = 'possible' and impact in ('major', 'severe')
          order by id desc limit 3 for update`,
        [organization],
      )
      const job = await start()
      await this.waitsForLocks(1)
      return {
        job,
        release: async () => {
          await client.query('rollback')
          await client.end()
        },
      }
    },
  }
}
