import { z } from 'zod'
import { needsToRead } from '../../model/access.ts'
import type { Kind } from '../../model/kind.ts'
import { MENTIONS_AT_MOST, mentionedIn, withNames } from '../../model/mentions.ts'
import { allowsRole, isThere } from '../../model/needs.ts'
import { ROLE_SCOPES, type Role } from '../../model/scopes.ts'
import { statement } from '../database/connect.ts'
import { likePattern } from '../database/like-pattern.ts'
import { NATURALLY } from '../database/natural-order.ts'
import { operation, person, type TransactionContext } from '../operation.ts'
import { type AnyRecord, readNeedsOf, recordOfAnyKind, TO_WRITE } from '../records/any-record.ts'
import { ID } from '../records/schemas.ts'
import { invalid } from '../refusal.ts'

/* Who can be mentioned in a comment: members who may read the record. Nobody else is offered, told or taken. */

const OFFERED_AT_MOST = 10
/** What somebody writes, without the names of whom they mention; and with these, as they are kept. */
const TEXT_AT_MOST = 10_000
export const KEPT_AT_MOST = 20_000

const ROLES = Object.keys(ROLE_SCOPES) as Role[]

/** The roles of those that may read records of a kind. */
const readers = (kind: Kind, { caller }: TransactionContext): string[] =>
  ROLES.filter((role) => isThere(needsToRead(kind), caller.features) && allowsRole(needsToRead(kind), role))

export const listMentionable = operation({
  name: 'listMentionable',
  method: 'GET',
  path: '/v1/records/{recordId}/mentionable',
  needs: person(...TO_WRITE.anyOf),
  needsFor: ({ recordId }) => readNeedsOf(recordId),
  writes: false,
  title: 'Find who can be mentioned in a comment',
  description: `Members who may read the record, the first ${OFFERED_AT_MOST} by name.`,
  input: z.strictObject({
    recordId: ID,
    q: z.string().max(100).default('').meta({ title: 'Search' }).describe('A part of the name'),
  }),
  output: z
    .object({ data: z.array(z.object({ userId: z.string(), name: z.string() })) })
    .meta({ id: 'Mentionable' }),
  run: async (context, { recordId, q }) => {
    const { kind, record } = await recordOfAnyKind(context, recordId)
    const { tx } = context
    const like = likePattern(q.trim().toLowerCase())
    return {
      data: await tx.read<{ userId: string; name: string }>(
        find(tx.organizationId, readers(kind, context), like, OFFERED_AT_MOST, ownersOf(kind, record)),
      ),
    }
  },
})

/**
 * A text as it is kept: whoever it mentions is called as they are.
 * @param before what it said: whom that mentioned may be mentioned still
 * @returns it, and whom it mentions anew
 * @throws {Refusal} `validation_failed` for somebody who may not read the record
 */
export async function withMentions(
  context: TransactionContext,
  { kind, record }: Pick<AnyRecord, 'kind' | 'record'>,
  text: string,
  before = '',
): Promise<{ text: string; mentioned: string[] }> {
  const ids = mentionedIn(text)
  // However long the names are: they are the service's own.
  const isTooLong = withNames(text, () => '').length > TEXT_AT_MOST || text.length > KEPT_AT_MOST
  if (isTooLong) throw tooLong()
  if (ids.length === 0) return { text, mentioned: [] }
  if (ids.length > MENTIONS_AT_MOST)
    throw invalid({ path: 'text', message: `mentions more than ${MENTIONS_AT_MOST} people: mention fewer` })
  const { tx } = context
  const rows = await tx.read<{ userId: string; name: string }>(
    findMentioned(tx.organizationId, readers(kind, context), ids, ownersOf(kind, record)),
  )
  const nameOf = new Map(rows.map(({ userId, name }) => [userId, name]))
  const known = new Set(mentionedIn(before))
  const mentioned = ids.filter((id) => !known.has(id))
  if (mentioned.some((id) => !nameOf.has(id)))
    throw invalid({
      path: 'text',
      message: 'mentions somebody who may not read this record: take those that listMentionable gives',
    })
  const kept = withNames(text, (id) => nameOf.get(id))
  if (kept.length > KEPT_AT_MOST) throw tooLong()
  return { text: kept, mentioned }
}

const tooLong = () =>
  invalid({
    path: 'text',
    message: `is too long: give ${TEXT_AT_MOST} letters, and the names of those it mentions`,
  })

/** Whom a record names as its owners, of a kind that these may read who see nothing else. */
const ownersOf = (kind: Kind, record: AnyRecord['record']): string[] =>
  kind.isShownToOwners
    ? kind.owners.flatMap((field) => (record[field] as { refId: string } | null)?.refId ?? [])
    : []

/** Of members with a role that reads the kind. @param owners the parameter with whom the record names */
function isReader(owners: string): string {
  return `(limited_view is distinct from 'self_service' or user_id = any(${owners}::text[]) or user_id in (
       select p.user_id from personnel p where p.organization_id = $1 and p.id = any(${owners}::text[])))`
}

const find = statement(`
  select user_id as "userId", name from members
   where organization_id = $1 and status = 'active' and role = any($2::text[])
     and lower(name) like $3 and ${isReader('$5')}
   order by name ${NATURALLY}, user_id limit $4`)

const findMentioned = statement(`
  select user_id as "userId", name from members
   where organization_id = $1 and status = 'active' and role = any($2::text[]) and user_id = any($3::text[])
     and ${isReader('$4')}`)
