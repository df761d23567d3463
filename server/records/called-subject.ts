import { everyKind } from '../../model/kinds/index.ts'
import { nameColumn } from '../../model/roles.ts'
import type { Caller } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { transaction } from '../database/transaction.ts'
import type { Subject } from '../journal/audit.ts'
import type { Parts } from '../operation.ts'
import { referenceIn } from './reference.ts'

/**
 * What a call is about that names something of the organization by its id, for the audit log: by the name it has
 * now, whatever the caller may read.
 *
 * @param raw the input as it came: it was not judged yet
 * @returns null where it names nothing, or nothing that is here
 */
export async function calledSubject(
  { database }: Parts,
  caller: Caller,
  raw: unknown,
): Promise<Subject | null> {
  const id = idIn(raw)
  const named = id && NAMED[id.slice(0, id.indexOf('_'))]
  if (!id || !named) return null
  const { organizationId } = caller
  const [row] = await transaction(database.tenant, organizationId, (tx) =>
    tx.read<{ title: string | null; reference: string | null }>(named.find(organizationId, id)),
  )
  if (!row) return null
  return {
    type: named.type,
    id,
    ...(row.reference === null ? {} : { reference: row.reference }),
    ...(row.title === null ? {} : { title: row.title }),
  }
}

function idIn(raw: unknown): string | null {
  const id = typeof raw === 'object' && raw !== null && 'id' in raw ? raw.id : null
  return typeof id === 'string' && /^[a-z]{2,8}_[0-9a-z]{26}$/.test(id) ? id : null
}

interface Named {
  readonly type: string
  readonly find: ReturnType<typeof statement>
}

const find = (table: string, title: string, { id = 'id', reference = 'null' } = {}) =>
  statement(
    `select ${title} as title, ${reference}::text as reference from ${table} where organization_id = $1 and ${id} = $2`,
  )

/** By the prefix of the id. */
const NAMED: Readonly<Record<string, Named>> = {
  app: { type: 'connected_app', find: find('connected_apps', 'client_name') },
  cfd: { type: 'custom_field', find: find('custom_fields', 'label') },
  dlv: { type: 'webhook_delivery', find: find('deliveries', 'type') },
  key: { type: 'api_key', find: find('api_keys', 'name') },
  sip: { type: 'sign_in_provider', find: find('sign_in_providers', 'name') },
  usr: { type: 'user', find: find('members', 'name', { id: 'user_id' }) },
  whe: { type: 'webhook_endpoint', find: find('webhook_endpoints', 'address') },
  ...Object.fromEntries(
    everyKind.map((kind) => [
      kind.idPrefix,
      {
        type: kind.name,
        find: find(kind.table, nameColumn(kind), { reference: `(${referenceIn(kind)})` }),
      },
    ]),
  ),
}
