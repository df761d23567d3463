import { type Row, statement } from '../../database/connect.ts'
import type { TransactionContext } from '../../operation.ts'
import { page, readCursor } from '../../records/paging.ts'
import { ENDPOINT_COLUMNS, ENDPOINT_TABLES, endpointOf } from '../endpoint-record.ts'

const ORDER = 'createdAt'

const list = statement(
  `select ${ENDPOINT_COLUMNS} from ${ENDPOINT_TABLES}
    where e.organization_id = $1 and e.deleted_at is null
      and ($2::timestamptz is null or (e.created_at, e.id) > ($2::timestamptz, $3))
    order by e.created_at, e.id limit $4`,
)

/** The endpoints of an organization, oldest first. */
export async function listEndpoints(
  { tx }: TransactionContext,
  input: { limit: number; cursor?: string | undefined },
) {
  const place = readCursor(input.cursor, ORDER)
  const rows = await tx.read(
    list(tx.organizationId, place?.value ?? null, place?.id ?? null, input.limit + 1),
  )
  return page(rows, input.limit, ORDER, (row) => endpointOf(row).record, placeOf)
}

const placeOf = (row: Row) => ({ value: row.created_at as string, id: row.id as string })
