import type { Kind } from '../../model/kind.ts'
import { alongside } from '../../server/records/alongside.ts'
import { tableOf } from '../../server/records/table.ts'
import type { TestService } from './service.ts'

/**
 * Copies of one record, so that there are many at once.
 * @param changes SQL of a jsonb object with what is other in the copy number `n`, over the record as `r`
 */
export async function copyRecord(
  { administrator }: Pick<TestService, 'administrator'>,
  kind: Kind,
  { id, from = 1, to, changes }: { id: string; from?: number; to: number; changes: string },
): Promise<void> {
  const columns = tableOf(kind).columns.map(({ name }) => name)
  const { returning, insert } = alongside(kind)
  await administrator.query(
    `with written as (
       insert into ${kind.table} (${columns.join(', ')}) select ${columns.map((name) => `(copy).${name}`).join(', ')}
         from (select jsonb_populate_record(r, ${changes}) as copy
                 from ${kind.table} r, generate_series($2::int, $3::int) n where r.id = $1) made
       ${returning}), ${insert.join(', ')} select from written`,
    [id, from, to],
  )
}
