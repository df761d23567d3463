import type { Values } from '../../model/complaint.ts'
import { type Kind, principalFields } from '../../model/kind.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'

/** Who is answerable for a record: a user of the organization or a personnel record. */
export interface Principal {
  readonly type: 'user' | 'personnel'
  readonly refId: string
  readonly displayName: string
  readonly active: boolean
}

/**
 * Resolves the principals that an input names.
 * @returns for each principal field of the kind that stands in the input: the principal, or null
 * @throws {Refusal} `principal_not_found` for an id unknown here (of another organization, too),
 *   `principal_inactive` for a disabled user or a former person
 */
export async function resolvePrincipals(
  tx: Transaction,
  kind: Kind,
  input: Values,
): Promise<Record<string, Principal | null>> {
  const named = principalFields(kind).filter((field) => input[field] !== undefined)
  const found = await Promise.all(named.map((field) => resolve(tx, field, input[field] as Named | null)))
  return Object.fromEntries(named.map((field, index) => [field, found[index] ?? null]))
}

type Named = { type: 'user' | 'personnel'; refId: string }

async function resolve(tx: Transaction, field: string, named: Named | null): Promise<Principal | null> {
  if (named === null) return null
  const [row] = await tx.read<{ name: string; active: boolean }>(
    BY_TYPE[named.type](tx.organizationId, named.refId),
  )
  const member = { path: `${field}.refId` }
  if (!row)
    throw new Refusal(
      'principal_not_found',
      'No such user or person here: GET /v1/ownership-principals lists who can own.',
      {
        errors: [
          { ...member, message: `no ${named.type} has this id: take one that listOwnershipPrincipals gives` },
        ],
      },
    )
  if (!row.active)
    throw new Refusal(
      'principal_inactive',
      `${row.name} is not active and cannot be given anything: choose another owner.`,
      {
        errors: [{ ...member, message: `${row.name} is not active: choose another` }],
      },
    )
  return { type: named.type, refId: named.refId, displayName: row.name, active: true }
}

const BY_TYPE = {
  user: statement(
    "select name, status = 'active' as active from members where organization_id = $1 and user_id = $2",
  ),
  personnel: statement(
    "select full_name as name, status <> 'former' as active from personnel where organization_id = $1 and id = $2",
  ),
}
