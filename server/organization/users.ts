import { sql } from 'kysely'
import { z } from 'zod'
import { text } from '../../model/fields.ts'
import type { Caller } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import { likePattern } from '../database/like-pattern.ts'
import { lockMembers } from '../identity/member-lock.ts'
import { password } from '../identity/passwords.ts'
import { accountOfInvited, email, keepPerson, newMemberId, personOf } from '../identity/people.ts'
import { refuseMoved } from '../input.ts'
import { audit, movedBetween } from '../journal/audit.ts'
import { capability, confirmed, nothing, operation, scope } from '../operation.ts'
import { behind, type Order, orderBy, PAGE, page, pageOf, readCursor } from '../records/paging.ts'
import { READ_ONLY } from '../records/schemas.ts'
import { invalid, Refusal } from '../refusal.ts'
import { deliver, invitation, inviteMember, organizationName, wayTo } from './invitations.ts'
import { endCredentials, endEntrances, refuseUnconfirmed } from './member-credentials.ts'
import {
  isDemotion,
  limitedViewOf,
  lockUser,
  MEMBER_FIELDS,
  readUser,
  refuseLastAdmin,
  USER_COLUMNS,
  USERS,
  type User,
  user,
} from './members.ts'

const id = z.string().min(1).max(100).meta({ title: 'Id' }).describe('The id of a user: listUsers has it')
const ifMatch = z.int().optional().describe('The version that was read; another one refuses the change')
const confirm = z
  .boolean()
  .optional()
  .describe('The API keys and connected apps of this person were seen, and may lose their rights or end')
const ORDER: Order = {
  sort: '-createdAt',
  column: sql.ref('m.created_at'),
  id: sql.ref('m.user_id'),
  descending: true,
}

/** False, where left out. */
const FLAGS = {
  isAuditor: MEMBER_FIELDS.isAuditor.optional(),
  selfServiceOnly: MEMBER_FIELDS.selfServiceOnly.optional(),
}

export const listUsers = operation({
  name: 'listUsers',
  method: 'GET',
  path: '/v1/users',
  needs: scope('read:users'),
  writes: false,
  title: 'List users',
  description:
    'Who can sign in here, with role and status. Who works here: listPersonnel; whom to make owner: listOwnershipPrincipals.',
  input: z.strictObject({
    ...PAGE,
    q: text('Search').optional().describe('In name and e-mail'),
    role: z.array(MEMBER_FIELDS.role).min(1).optional().describe('What they may do'),
    status: z
      .array(z.enum(['invited', 'active', 'disabled']))
      .min(1)
      .optional()
      .describe('Whether they can sign in'),
  }),
  output: pageOf(user),
  run: async ({ tx }, { limit, cursor, q, role, status }) => {
    const place = readCursor(cursor, ORDER.sort)
    const pattern = q && likePattern(q)
    const conditions = [
      sql`m.organization_id = ${tx.organizationId}`,
      sql`m.status <> 'removed'`,
      ...(pattern ? [sql`(m.name ilike ${pattern} or u.email ilike ${pattern})`] : []),
      ...(role ? [sql`m.role = any(${role})`] : []),
      ...(status ? [sql`m.status = any(${status})`] : []),
      ...(place ? [behind(ORDER, place)] : []),
    ]
    const rows = await tx.read<User>(
      build(sql`select ${sql.raw(USER_COLUMNS)} from ${sql.raw(USERS)}
        where ${sql.join(conditions, sql` and `)} ${orderBy(ORDER)} limit ${limit + 1}`),
    )
    return page(
      rows,
      limit,
      ORDER.sort,
      (row) => row,
      (row) => ({ value: row.createdAt, id: row.id }),
    )
  },
})

export const getUser = operation({
  name: 'getUser',
  method: 'GET',
  path: '/v1/users/{id}',
  needs: scope('read:users'),
  writes: false,
  title: 'Read one user',
  input: z.strictObject({ id }),
  output: user,
  run: ({ tx }, input) => readUser(tx, input.id),
})

export const createUser = operation({
  name: 'createUser',
  method: 'POST',
  path: '/v1/users',
  needs: confirmed(capability('settings.manage')),
  writes: 'own',
  title: 'Add a user',
  description:
    'It invites them: they are active once they accept, with a password they choose, or with the login they have where they sign in here already. The link goes by mail where the service sends any; else it is in the answer, to be handed over. Only the command line may give a password, and then they are active at once.',
  input: z.strictObject({ email, ...MEMBER_FIELDS, ...FLAGS, password: password.optional() }),
  output: user
    .extend({
      invitation: invitation
        .nullable()
        .describe('Null where a password was given, and where the answer is given again'),
    })
    .meta({ id: 'NewUser', title: 'New user' }),
  location: (record) => `/v1/users/${record.id}`,
  refusals: ['conflict'],
  secret: 'invitation',
  run: async (context, input) => {
    const { caller, parts, transaction } = context
    refuseForeignPassword(caller, input)
    const { role, isAuditor = false, selfServiceOnly = false } = input
    const limitedView = limitedViewOf({ role, isAuditor, selfServiceOnly })
    const organization = await transaction(({ tx }) => organizationName(tx))
    const person =
      input.password === undefined
        ? null
        : await personOf(parts.database, { ...input, names: [input.name, organization] }, 'password')
    const status = person ? 'active' : 'invited'
    const way = person ? null : await wayTo(context, input.email)
    const made = await transaction(async (inside) => {
      const { tx } = inside
      await lockMembers(tx)
      const { name, email } = input
      const accountId = person ? await keepPerson(tx, person) : await accountOfInvited(tx, email)
      const [joined] = await tx.read<{ id: string; time: string }>(
        join(tx.organizationId, newMemberId(), accountId, name, role, status, limitedView),
      )
      if (!joined)
        throw new Refusal(
          'conflict',
          `${email} is a user of this organization already: change that user instead.`,
          { field: 'email' },
        )
      const { id, time } = joined
      audit(tx, caller, {
        time,
        action: 'user.create',
        subject: { type: 'user', id, title: name },
        changes: movedBetween(
          ['email', 'name', 'role', 'isAuditor', 'selfServiceOnly', 'status'],
          {},
          {
            ...{ email, name, role, status },
            ...(isAuditor ? { isAuditor } : {}),
            ...(selfServiceOnly ? { selfServiceOnly } : {}),
          },
        ),
      })
      return {
        record: await readUser(tx, id),
        invited: way && (await inviteMember(inside, id, way)),
      }
    })
    return { ...made.record, invitation: made.invited && (await deliver(context, made.invited)) }
  },
})

/** A password that an admin has chosen would open whatever its owner is let into later. */
function refuseForeignPassword({ channel }: Caller, { password }: { password?: string | undefined }): void {
  if (password !== undefined && channel !== 'cli')
    throw invalid({
      path: 'password',
      message: 'leave it out: they choose their own when they accept the invitation',
    })
}

const SET_BY_SERVICE = [
  'email',
  'mfaEnabled',
  'lastLoginAt',
  'personnelId',
  'createdAt',
  'updatedAt',
  'version',
]

export const updateUser = operation({
  name: 'updateUser',
  method: 'PATCH',
  path: '/v1/users/{id}',
  needs: confirmed(capability('settings.manage'), 'role', 'status', 'isAuditor', 'selfServiceOnly'),
  writes: true,
  title: 'Change a user',
  description:
    'Name, role, what is left of it to an auditor or to who is here for themselves alone, and whether they may sign in. It takes effect on the next call of every session, key and token of theirs. Disabling a user ends their sessions, links and calendar address for good; their API keys and connected apps work again once the user is active.',
  input: z.strictObject({
    id,
    ifMatch,
    confirm,
    name: MEMBER_FIELDS.name.optional(),
    role: MEMBER_FIELDS.role.optional(),
    ...FLAGS,
    status: z.enum(['invited', 'active', 'disabled']).optional(),
    ...Object.fromEntries(SET_BY_SERVICE.map((field) => [field, READ_ONLY])),
  }),
  output: user,
  headers: { ifMatch: 'if-match' },
  annotations: { idempotent: true },
  run: async ({ tx, caller }, { id, ifMatch, confirm, ...input }) => {
    const { before, time } = await lockUser(tx, id, ifMatch)
    refuseMoved(SET_BY_SERVICE, before, input)
    const { name = before.name, role = before.role, status = before.status } = input
    const { isAuditor = before.isAuditor, selfServiceOnly = before.selfServiceOnly } = input
    const limitedView = limitedViewOf({ role, isAuditor, selfServiceOnly })
    refuseTransition(before, status)
    const now = { name, role, isAuditor, selfServiceOnly, status }
    const changes = movedBetween(Object.keys(now), before, now)
    if (Object.keys(changes).length === 0) return before
    const isWeakened = isDemotion(before.role, role) || (before.status === 'active' && status !== 'active')
    if (role !== 'admin' || status !== 'active') await refuseLastAdmin(tx, before)
    if (isWeakened) await refuseUnconfirmed(tx, before, { confirm })
    const record = { ...before, ...now, version: before.version + 1, updatedAt: time }
    tx.write(change(tx.organizationId, id, name, role, status, time, limitedView))
    if (status === 'disabled') await endEntrances(tx, id)
    audit(tx, caller, { time, action: 'user.update', subject: { type: 'user', id, title: name }, changes })
    return record
  },
})

export const removeUser = operation({
  name: 'removeUser',
  method: 'DELETE',
  path: '/v1/users/{id}',
  needs: confirmed(capability('settings.manage')),
  writes: true,
  title: 'Remove a user from the organization',
  description:
    'Their API keys, connected apps and sessions of this organization end with it for good, also should they be added again. Records they own keep naming them until somebody else is made owner.',
  input: z.strictObject({ id, ifMatch, confirm }),
  output: nothing,
  headers: { ifMatch: 'if-match' },
  annotations: { destructive: true, idempotent: true },
  run: async ({ tx, caller }, { id, ifMatch, confirm }) => {
    const { before, time } = await lockUser(tx, id, ifMatch)
    await refuseLastAdmin(tx, before)
    await refuseUnconfirmed(tx, before, { confirm, removed: true })
    tx.write(change(tx.organizationId, id, before.name, before.role, 'removed', time, null))
    await endCredentials(tx, caller, before, time)
    audit(tx, caller, {
      time,
      action: 'user.remove',
      subject: { type: 'user', id, title: before.name },
      changes: movedBetween(['email', 'name', 'role', 'status'], before, {}),
    })
    return null
  },
})

/** Invited becomes active by accepting, and is otherwise removed; the other two go both ways. */
function refuseTransition({ status: from, name }: User, to: User['status']): void {
  if (from === to || (from !== 'invited' && to !== 'invited')) return
  const allowed = from === 'active' ? ['disabled'] : from === 'disabled' ? ['active'] : []
  const why =
    from === 'invited' ? `${name} becomes active by accepting the invitation` : 'nobody is invited twice'
  throw new Refusal('invalid_transition', `status cannot go from ${from} to ${to}: ${why}.`, {
    path: 'status',
    from,
    to,
    allowed,
  })
}

/** A new member, or one who comes back; no row where they are one already. */
const join = statement(`
  insert into members as m (organization_id, user_id, account_id, name, role, status, limited_view, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, clock_now(), clock_now())
  on conflict (organization_id, account_id) do update
     set name = excluded.name, role = excluded.role, status = excluded.status, limited_view = excluded.limited_view, version = m.version + 1,
         updated_at = excluded.updated_at
   where m.status = 'removed'
  returning user_id as id, updated_at as time`)

const change = statement(`
  update members set name = $3, role = $4, status = $5, limited_view = $7, version = version + 1, updated_at = $6
   where organization_id = $1 and user_id = $2`)
