import { sql } from 'kysely'
import { z } from 'zod'
import { text } from '../../model/fields.ts'
import { reaches } from '../../model/needs.ts'
import { FORM_SCOPES, ROLE_SCOPES, type Role, type Scope } from '../../model/scopes.ts'
import { holds } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import type { Row } from '../database/connect.ts'
import { likePattern } from '../database/like-pattern.ts'
import { naturally } from '../database/natural-order.ts'
import { operation, scope } from '../operation.ts'
import { behind, CURSOR_VALUES, type Order, orderBy, PAGE, page, pageOf, readCursor } from './paging.ts'

const WRITES = (Object.keys(FORM_SCOPES) as Scope[]).filter((name) => name.startsWith('write:'))

const ROLES = Object.keys(ROLE_SCOPES) as [Role, ...Role[]]

const ORDER: Order = {
  sort: 'displayName',
  column: naturally(sql.ref('o.name')),
  id: sql.ref('o.ref_id'),
  descending: false,
}

const principalRow = z
  .object({
    type: z.enum(['user', 'personnel']),
    refId: z.string(),
    displayName: z.string(),
    active: z.boolean(),
    linkedUserId: z.string().optional().describe('The user who is the same human'),
    linkedPersonnelId: z.string().optional().describe('The directory entry of the same human'),
    email: z.string().optional().describe('With read:users for users, read:personnel for personnel'),
    jobTitle: z.string().nullable().optional().describe('With read:personnel'),
  })
  .meta({ id: 'OwnershipPrincipal', title: 'Who may own a record' })

/**
 * Who may be made owner: users and directory entries, a row each. Open to whoever writes records that have
 * owners, with no more than it takes to choose; what tells more of a person needs the scope for it.
 */
export const listOwnershipPrincipals = operation({
  name: 'listOwnershipPrincipals',
  method: 'GET',
  path: '/v1/ownership-principals',
  needs: scope('read:users', 'read:personnel', ...WRITES),
  writes: false,
  title: 'List who may own a record',
  description:
    'Users and personnel together, a row each: type and refId make an owner. More of a user: listUsers; of a person in the directory: listPersonnel.',
  input: z.strictObject({
    ...PAGE,
    q: text('Search').optional().describe('In the name; in e-mails that may be read'),
    type: z.enum(['user', 'personnel']).optional().describe('Only those who sign in, or only the directory'),
    decidesAs: z
      .enum(ROLES)
      .optional()
      .meta({ title: 'Decides as' })
      .describe(
        'Only those who can be asked to decide: users of this role or a higher one, who see everything here',
      ),
    takesUpAs: z
      .enum(ROLES)
      .optional()
      .meta({ title: 'Takes up as' })
      .describe('Only those who can be asked to do something: nobody who is a user of a lower role'),
    active: z.boolean().default(true).describe('false: those who can no longer be given anything'),
  }),
  output: pageOf(principalRow),
  run: async ({ tx, caller }, { limit, cursor, q, type, decidesAs, takesUpAs, active }) => {
    const sees = { user: holds(caller, 'read:users'), personnel: holds(caller, 'read:personnel') }
    const place = readCursor(cursor, ORDER.sort, CURSOR_VALUES.text)
    const pattern = q && likePattern(q)
    const readable = (Object.keys(sees) as (keyof typeof sees)[]).filter((one) => sees[one])
    const conditions = [
      sql`o.active = ${active}`,
      ...(type ? [sql`o.type = ${type}`] : []),
      ...(decidesAs ? [sql`o.decides_as = any(${rolesFrom(decidesAs)})`] : []),
      ...(takesUpAs ? [sql`(o.role is null or o.role = any(${rolesFrom(takesUpAs)}))`] : []),
      ...(pattern
        ? [sql`(o.name ilike ${pattern} or (o.type = any(${readable}) and o.email ilike ${pattern}))`]
        : []),
      ...(place ? [behind(ORDER, place)] : []),
    ]
    const rows = await tx.read(
      build(sql`select * from (${everyone(tx.organizationId)}) o
        where ${sql.join(conditions, sql` and `)} ${orderBy(ORDER)} limit ${limit + 1}`),
    )
    return page(
      rows,
      limit,
      ORDER.sort,
      (row) => shown(row, sees),
      (row) => ({ value: row.name as string, id: row.ref_id as string }),
    )
  },
})

const rolesFrom = (least: Role): Role[] => ROLES.filter((role) => reaches(role, least))

/** Removed users own what they owned, but are nobody to choose and nobody's link. */
const everyone = (organizationId: string) => sql`
  select 'user' as type, m.user_id as ref_id, m.name, u.email, null as job_title, m.status = 'active' as active,
         p.id as linked, m.role, case when m.limited_view is null then m.role end as decides_as
    from members m join users u on u.id = m.account_id
    left join personnel p on p.organization_id = m.organization_id and p.user_id = m.user_id
   where m.organization_id = ${organizationId} and m.status <> 'removed'
  union all
  select 'personnel', p.id, p.full_name, p.work_email, p.job_title, p.status <> 'former' and p.archived_at is null, m.user_id, m.role, null
    from personnel p
    left join members m on m.organization_id = p.organization_id and m.user_id = p.user_id and m.status <> 'removed'
   where p.organization_id = ${organizationId}`

function shown(row: Row, sees: { user: boolean; personnel: boolean }): z.input<typeof principalRow> {
  const type = row.type as 'user' | 'personnel'
  const linked =
    row.linked === null ? {} : { [type === 'user' ? 'linkedPersonnelId' : 'linkedUserId']: row.linked }
  return {
    type,
    refId: row.ref_id as string,
    displayName: row.name as string,
    active: row.active as boolean,
    ...linked,
    ...(sees[type] ? { email: row.email as string } : {}),
    ...(type === 'personnel' && sees.personnel ? { jobTitle: row.job_title as string | null } : {}),
  }
}
