import type { Values } from '../../model/complaint.ts'
import { keepsFromDeciding } from '../../model/deciders.ts'
import { decidedBy } from '../../model/fields.ts'
import { type Kind, principalFields } from '../../model/kind.ts'
import { reaches } from '../../model/needs.ts'
import type { Role } from '../../model/scopes.ts'
import { roleAsked } from '../../model/waiting.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { invalid, Refusal } from '../refusal.ts'
import { readTogether } from './read-together.ts'

/** Who is answerable for a record: a user of the organization or a personnel record. */
export interface Principal {
  readonly type: 'user' | 'personnel'
  readonly refId: string
  readonly displayName: string
  readonly active: boolean
}

/**
 * Resolves the principals that an input names.
 * @param mayBeInactive whether it brings back who stood there before
 * @returns for each principal field of the kind that stands in the input: the principal, or null
 * @throws {Refusal} `principal_not_found` for an id unknown here (of another organization, too),
 *   `principal_inactive` for a disabled user or a former person, `validation_failed` for a user who is asked for what their
 *   role may not do, and for whoever does not sign in where a decision is asked for
 */
export async function resolvePrincipals(
  tx: Transaction,
  kind: Kind,
  input: Values,
  mayBeInactive = false,
): Promise<Record<string, Principal | null>> {
  const named = principalFields(kind).filter((field) => input[field] !== undefined)
  const found = await Promise.all(
    named.map((field) => resolve(tx, kind, field, input[field] as Named | null, mayBeInactive)),
  )
  return Object.fromEntries(named.map((field, index) => [field, found[index] ?? null]))
}

type Named = { type: 'user' | 'personnel'; refId: string }

async function resolve(
  tx: Transaction,
  kind: Kind,
  field: string,
  named: Named | null,
  mayBeInactive: boolean,
): Promise<Principal | null> {
  if (named === null) return null
  // Many rows of one call mostly name the same few.
  const row = await readTogether<Found>(tx, BY_TYPE[named.type], named.refId)
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
  if (!row.active && !mayBeInactive)
    throw new Refusal(
      'principal_inactive',
      `${row.name} is not active and cannot be given anything: choose another owner.`,
      {
        errors: [{ ...member, message: `${row.name} is not active: choose another` }],
      },
    )
  if (!mayBeInactive) refuseUndeciding(kind, field, row)
  const asked = roleAsked(kind, field)
  if (!mayBeInactive && row.role && asked && !reaches(row.role, asked))
    throw invalid({
      path: member.path,
      message: `${row.name} is ${row.role} here and could not do what this asks of them: choose another, or have an admin change their role`,
    })
  return { type: named.type, refId: named.refId, displayName: row.name, active: row.active }
}

/** @throws {Refusal} `validation_failed` for whoever could not give the decision that the field asks for */
function refuseUndeciding(
  kind: Kind,
  field: string,
  { name, role, limitedView = null, userId }: Found,
): void {
  const least = decidedBy(kind.fields[field]!)
  if (!least) return
  if (!role)
    throw invalid({
      path: field,
      message: userId
        ? `is ${name} of the directory, who decides as a user: name that, {"type": "user", "refId": "${userId}"}`
        : `is ${name} of the directory, who does not sign in: name a user, who can decide`,
    })
  const why = keepsFromDeciding({ active: true, role, limitedView }, least)
  if (why)
    throw invalid({
      path: `${field}.refId`,
      message: `${name} ${why}: choose another, or have an admin change that`,
    })
}

interface Found {
  readonly id: string
  readonly name: string
  readonly active: boolean
  /** Of who signs in. */
  readonly role?: Role
  readonly limitedView?: string | null
  /** Of somebody of the directory: the user who is the same human, where they are active. */
  readonly userId?: string | null
}

const BY_TYPE = {
  user: statement(
    `select user_id as id, name, status = 'active' as active, role, limited_view as "limitedView"
       from members where organization_id = $1 and user_id = any($2)`,
  ),
  personnel: statement(
    `select p.id, p.full_name as name, p.status <> 'former' and p.archived_at is null as active, m.user_id as "userId" from personnel p
       left join members m on m.organization_id = $1 and m.user_id = p.user_id and m.status = 'active'
      where p.organization_id = $1 and p.id = any($2)`,
  ),
}

/** A principal of a record, as another is given them; null where they can be given nothing any more, or there is none. */
export function stillThere(principal: unknown): { type: string; refId: string } | null {
  const known = principal as { type: string; refId: string; active?: boolean } | null
  return known && known.active !== false ? { type: known.type, refId: known.refId } : null
}
