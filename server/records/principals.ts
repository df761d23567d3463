import { needsOf } from '../../model/access.ts'
import type { Values } from '../../model/complaint.ts'
import { type Kind, principalFields } from '../../model/kind.ts'
import { allowsRole, type Needs } from '../../model/needs.ts'
import type { Role } from '../../model/scopes.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { invalid, Refusal } from '../refusal.ts'

/** Who is answerable for a record: a user of the organization or a personnel record. */
export interface Principal {
  readonly type: 'user' | 'personnel'
  readonly refId: string
  readonly displayName: string
  readonly active: boolean
}

/**
 * Resolves the principals that an input names.
 * @param chosen the fields that the caller chose somebody for: whom a record is to wait for has to be able to see to it
 * @returns for each principal field of the kind that stands in the input: the principal, or null
 * @throws {Refusal} `principal_not_found` for an id unknown here (of another organization, too),
 *   `principal_inactive` for a disabled user or a former person, `validation_failed` for whoever can only read it
 */
export async function resolvePrincipals(
  tx: Transaction,
  kind: Kind,
  input: Values,
  chosen: Values = {},
): Promise<Record<string, Principal | null>> {
  const named = principalFields(kind).filter((field) => input[field] !== undefined)
  const found = await Promise.all(
    named.map((field) =>
      resolve(tx, field, input[field] as Named | null, field in chosen ? askedOf(kind, field) : null),
    ),
  )
  return Object.fromEntries(named.map((field, index) => [field, found[index] ?? null]))
}

type Named = { type: 'user' | 'personnel'; refId: string }

/** What it takes to see to a record that waits for whom a field names; null where none ever does. */
const askedOf = (kind: Kind, field: string): Needs | null =>
  kind.waits.some(({ whom }) => whom === field) ? (needsOf(kind, 'update') ?? null) : null

async function resolve(
  tx: Transaction,
  field: string,
  named: Named | null,
  needs: Needs | null,
): Promise<Principal | null> {
  if (named === null) return null
  const row = await found(tx, named)
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
  if (needs && row.role && !allowsRole(needs, row.role))
    throw invalid({
      ...member,
      message: `${row.name} is a ${row.role}, who can read it and not work on it: choose another, or ask an admin to change their role`,
    })
  return { type: named.type, refId: named.refId, displayName: row.name, active: true }
}

interface Found {
  readonly id: string
  readonly name: string
  readonly active: boolean
  /** Of whoever can sign in. */
  readonly role: Role | null
}

/** Whoever is asked for in one moment of a transaction, and the one read that finds them. */
interface Asked {
  readonly ids: Set<string>
  readonly rows: Promise<Map<string, Found>>
}

const asking = new WeakMap<Transaction, Map<Named['type'], Asked>>()

/** Looks somebody up; many rows of one call, which mostly name the same few, share one read. */
async function found(tx: Transaction, { type, refId }: Named): Promise<Found | undefined> {
  const asked = asking.get(tx) ?? new Map<Named['type'], Asked>()
  asking.set(tx, asked)
  const together = asked.get(type) ?? askTogether(tx, type, () => asked.delete(type))
  asked.set(type, together)
  together.ids.add(refId)
  return (await together.rows).get(refId)
}

function askTogether(tx: Transaction, type: Named['type'], begun: () => void): Asked {
  const ids = new Set<string>()
  const rows = Promise.resolve().then(async () => {
    begun()
    const read = await tx.read<Found>(BY_TYPE[type](tx.organizationId, [...ids]))
    return new Map(read.map((row) => [row.id, row]))
  })
  return { ids, rows }
}

const BY_TYPE = {
  user: statement(
    "select user_id as id, name, status = 'active' as active, role from members where organization_id = $1 and user_id = any($2)",
  ),
  personnel: statement(
    `select p.id, p.full_name as name, p.status <> 'former' as active, m.role
       from personnel p left join members m on m.organization_id = p.organization_id and m.user_id = p.user_id
      where p.organization_id = $1 and p.id = any($2)`,
  ),
}

/** A principal of a record, as another is given them; null where they can be given nothing any more, or there is none. */
export function stillThere(principal: unknown): { type: string; refId: string } | null {
  const known = principal as { type: string; refId: string; active?: boolean } | null
  return known && known.active !== false ? { type: known.type, refId: known.refId } : null
}
