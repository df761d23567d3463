import { sql } from 'kysely'
import { z } from 'zod'
import { idOf, until } from '../../model/fields.ts'
import { byPerson } from '../../model/needs.ts'
import { dayIn } from '../../model/zoned-times.ts'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import { audit } from '../journal/audit.ts'
import { guestLinkMail } from '../mail/messages.ts'
import { operation, type TransactionContext } from '../operation.ts'
import {
  readNeedsOf,
  recordOfAnyKind,
  refuseUnlessReadable,
  TO_READ,
  TO_WRITE,
} from '../records/any-record.ts'
import { refuseArchived } from '../records/archived.ts'
import { endOfDay } from '../records/ends-of-days.ts'
import { behind, orderBy, PAGE, page, pageOf, readCursor } from '../records/paging.ts'
import { ID } from '../records/schemas.ts'
import { invalid, Refusal } from '../refusal.ts'
import { endGuestLinks, makeGuestLink } from './guest-links.ts'
import { mailGuest } from './guest-mails.ts'
import { FROM_PASSES, type GuestPass, guestPass, lockPass, PASS_COLUMNS } from './guest-pass.ts'

/*
 * The passes of a record, for its members: whoever may read it sees who is let in there, whoever may change it extends,
 * revokes and sends them. Somebody lets people in; no program does.
 */

const ONE = '/v1/guest-passes/{id}'
const id = idOf('gps').meta({ title: 'Guest pass', refersTo: 'gps' })
const DAYS_AT_MOST = 366

const ORDER = {
  sort: '-createdAt',
  column: sql.ref('p.created_at'),
  id: sql.ref('p.id'),
  descending: true,
} as const

export const listGuestPasses = operation({
  name: 'listGuestPasses',
  method: 'GET',
  path: '/v1/records/{recordId}/guest-passes',
  needs: byPerson(TO_READ),
  needsFor: ({ recordId }) => readNeedsOf(recordId),
  writes: false,
  isAside: true,
  title: 'List the guest passes of a record',
  description: 'Who is let in there without being a member, the latest first.',
  input: z.strictObject({ recordId: ID.describe('The id of a record of any kind'), ...PAGE }),
  output: pageOf(guestPass),
  run: async (context, { recordId, limit, cursor }) => {
    await recordOfAnyKind(context, recordId)
    const { tx } = context
    const place = readCursor(cursor, ORDER.sort)
    const rows = await tx.read<GuestPass>(
      build(sql`
        select ${sql.raw(PASS_COLUMNS)} from ${sql.raw(FROM_PASSES)}
         where p.organization_id = ${tx.organizationId} and p.record_id = ${recordId}
           ${place ? sql`and ${behind(ORDER, place)}` : sql``} ${orderBy(ORDER)} limit ${limit + 1}`),
    )
    return page(
      rows,
      limit,
      ORDER.sort,
      (row) => row,
      ({ createdAt, id }) => ({ value: createdAt, id }),
    )
  },
})

export const extendGuestPass = operation({
  name: 'extendGuestPass',
  method: 'POST',
  path: `${ONE}/extend`,
  needs: byPerson(TO_WRITE),
  writes: true,
  title: 'Extend a guest pass',
  description: 'Sets when it expires; one that has expired is open again. One that was revoked stays so.',
  input: z.strictObject({ id, expiresAt: until('Expires').describe('Within the coming year') }),
  output: guestPass,
  refusals: ['conflict'],
  annotations: { idempotent: true },
  run: async (context, { id, expiresAt: asked }) => {
    const { tx, caller } = context
    const pass = await passToChange(context, id)
    const expiresAt = await endOfDay(tx, asked)
    const time = await tx.now
    const days = (Date.parse(expiresAt) - Date.parse(time)) / 86_400_000
    if (days <= 0 || days > DAYS_AT_MOST)
      throw invalid({ path: 'expiresAt', message: 'give a moment within the coming year' })
    tx.write(extend(tx.organizationId, id, expiresAt))
    const changes = { expiresAt: { from: pass.expiresAt, to: expiresAt } }
    audit(tx, caller, { time, action: 'guest_pass.extend', subject: subjectOf(pass), changes })
    return lockPass(tx, id)
  },
})

export const revokeGuestPass = operation({
  name: 'revokeGuestPass',
  method: 'POST',
  path: `${ONE}/revoke`,
  needs: byPerson(TO_WRITE),
  writes: true,
  title: 'Revoke a guest pass',
  description: 'It opens nothing from the next call on, for good. Once more changes nothing.',
  input: z.strictObject({ id }),
  output: guestPass,
  annotations: { destructive: true, idempotent: true },
  run: async (context, { id }) => {
    const { tx, caller } = context
    const pass = await passOf(context, id)
    if (pass.revokedAt !== null) return pass
    tx.write(revoke(tx.organizationId, id))
    audit(tx, caller, { time: await tx.now, action: 'guest_pass.revoke', subject: subjectOf(pass) })
    return lockPass(tx, id)
  },
})

export const sendGuestLink = operation({
  name: 'sendGuestLink',
  method: 'POST',
  path: `${ONE}/link`,
  needs: byPerson(TO_WRITE),
  writes: true,
  title: 'Send the link of a guest pass again',
  description:
    'A new link, and earlier ones open nothing any more. It goes by mail where the service sends any; else it is in the answer, to be handed over.',
  input: z.strictObject({ id }),
  output: z
    .object({
      sentTo: z.string().nullable().describe('The address it is mailed to; nobody else has the link'),
      link: z.string().nullable().describe('To hand over where it is not mailed; shown this once'),
    })
    .meta({ id: 'GuestLink', title: 'Link of a guest pass' }),
  refusals: ['conflict'],
  secret: 'link',
  run: async (context, { id }) => {
    const { tx, caller, parts } = context
    const pass = await passToChange(context, id)
    if (pass.state !== 'open')
      throw new Refusal('conflict', 'This pass opens nothing any more: extend it first, or make a new one.')
    endGuestLinks(tx, id)
    audit(tx, caller, { time: await tx.now, action: 'guest_pass.send', subject: subjectOf(pass) })
    if (!parts.mail) return { sentTo: null, link: makeGuestLink(parts, tx, id, pass.address) }
    await mailGuestLink(context, pass)
    return { sentTo: pass.address, link: null }
  },
})

/** Mails a new link of a pass, beside those that there are. */
async function mailGuestLink({ tx, parts }: TransactionContext, pass: GuestPass): Promise<void> {
  const [row] = await tx.read<{ organization: string; title: string; timeZone: string }>(
    toldOf(tx.organizationId, pass.recordId),
  )
  const { timeZone, ...told } = row!
  const address = makeGuestLink(parts, tx, pass.id, pass.address)
  const mail = guestLinkMail(pass.address, {
    ...told,
    address,
    until: dayIn(timeZone, new Date(pass.expiresAt)),
  })
  if (!(await mailGuest(parts, tx, pass.id, 'guest_link', mail)))
    throw new Refusal('conflict', 'Many mails wait to be sent already: try again in a minute.')
}

/** @throws {Refusal} `not_found` to whoever may not read its record, and what it takes to change that */
async function passOf(context: TransactionContext, id: string): Promise<GuestPass> {
  const pass = await lockPass(context.tx, id)
  refuseUnlessReadable(context, pass.recordId, 'write')
  return pass
}

/** @throws {Refusal} `conflict` for one that was revoked, and where its record is archived */
async function passToChange(context: TransactionContext, id: string): Promise<GuestPass> {
  const pass = await passOf(context, id)
  const { kind, record } = await recordOfAnyKind(context, pass.recordId)
  refuseArchived(kind, record)
  if (pass.revokedAt !== null)
    throw new Refusal('conflict', 'This pass was revoked, which stays so: make a new one.')
  return pass
}

const subjectOf = ({ id, name }: GuestPass) => ({ type: 'guest_pass', id, title: name })

const extend = statement('update guest_passes set expires_at = $3 where organization_id = $1 and id = $2')

const revoke = statement(
  'update guest_passes set revoked_at = clock_now() where organization_id = $1 and id = $2 and revoked_at is null',
)

const toldOf = statement(`
  select o.name as organization, k.called as title, o.timezone as "timeZone"
    from known_records k join organizations o on o.id = k.organization_id
   where k.organization_id = $1 and k.id = $2`)
