import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { explained } from '../../model/fields.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { plusDays } from '../../model/recurrence.ts'
import { ROLE_SCOPES, type Role } from '../../model/scopes.ts'
import type { Caller } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import { transaction } from '../database/transaction.ts'
import { audit } from '../journal/audit.ts'
import { andAuditors, nothing, operation, type Parts, person } from '../operation.ts'
import { daysEnding } from '../records/ends-of-days.ts'
import { calledOf } from '../records/notices.ts'
import { readableKinds } from '../records/readable.ts'
import { Refusal } from '../refusal.ts'
import { BUCKETS, type DeadlineRow, type Ends, endsOf, rowsOf, selvesOf } from './deadline-rows.ts'
import { type CalendarEvent, calendarOf } from './icalendar.ts'

/*
 * What is due, for the calendar of a person: at an address of their own, which any calendar program reads again and
 * again. The address is the credential: of its secret a digest is kept, it is shown once, and whoever asks for another
 * ends it. What is at it is judged anew each time, by what the person may read now; who is no longer here has nothing.
 */

/** Below this word of the service's address they are. */
export const CALENDARS = 'ical'

const PATH = '/v1/calendar-feed'

const EVENTS_AT_MOST = 5_000
const DAYS_BACK = 366
const DAYS_AHEAD = 731

const whose = explained('Whose', {
  mine: 'What you are to see to',
  everybody: 'All that you may read',
})

const feed = z
  .object({
    whose,
    createdAt: z.string().describe('Since when its address is good'),
    lastReadAt: z.string().nullable().describe('When a program read it last, to the hour'),
  })
  .meta({ id: 'CalendarFeed', title: 'Calendar feed' })

export const getCalendarFeed = operation({
  name: 'getCalendarFeed',
  method: 'GET',
  path: PATH,
  needs: andAuditors(person()),
  writes: false,
  title: 'Read whether one has a calendar feed',
  input: z.strictObject({}),
  output: z.object({ feed: feed.nullable() }),
  run: async ({ tx, caller }) => {
    const [row] = await tx.read<z.input<typeof feed>>(find(tx.organizationId, caller.userId))
    return { feed: row ?? null }
  },
})

export const createCalendarFeed = operation({
  name: 'createCalendarFeed',
  method: 'POST',
  path: PATH,
  needs: andAuditors(person()),
  writes: true,
  secret: 'url',
  title: 'Make an address for a calendar',
  description: 'Of what is due. It is shown this once; one that was there before ends with it.',
  input: z.strictObject({ whose: whose.default('mine') }),
  output: z.object({ url: z.string(), feed }),
  run: async ({ tx, caller, parts }, { whose }) => {
    const secret = randomBytes(32).toString('base64url')
    const now = await tx.now
    tx.write(put(tx.organizationId, caller.userId, digest(secret), whose, now))
    audit(tx, caller, {
      time: now,
      action: 'calendar_feed.create',
      subject: subjectOf(caller),
      changes: { whose: { from: null, to: whose } },
    })
    return {
      url: `${parts.config.publicUrl}/${CALENDARS}/${secret}.ics`,
      feed: { whose, createdAt: now, lastReadAt: null },
    }
  },
})

export const endCalendarFeed = operation({
  name: 'endCalendarFeed',
  method: 'DELETE',
  path: PATH,
  needs: andAuditors(person()),
  writes: true,
  title: 'End the address for a calendar',
  input: z.strictObject({}),
  output: nothing,
  annotations: { destructive: true, idempotent: true },
  run: async ({ tx, caller }) => {
    const [now, [ended]] = await Promise.all([
      tx.now,
      tx.read<{ whose: string }>(end(tx.organizationId, caller.userId)),
    ])
    if (ended)
      audit(tx, caller, {
        time: now,
        action: 'calendar_feed.end',
        subject: subjectOf(caller),
        changes: { whose: { from: ended.whose, to: null } },
      })
    return null
  },
})

const subjectOf = ({ userId, credential }: Caller) => ({ type: 'user', id: userId, title: credential.name })

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const COLUMNS = `whose, created_at as "createdAt", last_read_at as "lastReadAt"`
const find = statement(`select ${COLUMNS} from calendar_feeds where organization_id = $1 and user_id = $2`)
const put = statement(`
  insert into calendar_feeds (organization_id, user_id, secret_hash, whose, created_at) values ($1, $2, $3, $4, $5)
  on conflict (organization_id, user_id) do update
    set secret_hash = excluded.secret_hash, whose = excluded.whose, created_at = excluded.created_at, last_read_at = null`)
const end = statement(
  'delete from calendar_feeds where organization_id = $1 and user_id = $2 returning whose',
)

interface Feed {
  readonly organizationId: string
  readonly organization: string
  readonly userId: string
  readonly accountId: string
  readonly name: string
  readonly role: Role
  readonly limitedView: Caller['limitedView']
  readonly features: Caller['features']
  readonly whose: 'mine' | 'everybody'
  readonly lacksSecondFactor: boolean
}

/**
 * The calendar at an address: of what was due within a year and will be within two.
 * @throws {Refusal} `link_invalid`, alike for one that never was, was ended, or is that of somebody who has left,
 *   or has yet to set up the second factor that their organization asks for
 */
export async function readCalendar(parts: Parts, secret: string): Promise<string> {
  const { rows } = await parts.database.gate.query(follow(digest(secret)))
  const [found] = rows as Feed[]
  if (!found) throw invalidCalendar()
  return transaction(parts.database.tenant, found.organizationId, async (tx) => {
    if (found.lacksSecondFactor) {
      const identities = await tx.read(findIdentity(found.organizationId, found.userId))
      if (identities.length === 0) throw invalidCalendar()
    }
    const today = (await tx.now).slice(0, 10)
    const [[ends], selves] = await Promise.all([
      tx.read<Ends>(
        build(endsOf(found.organizationId, plusDays(today, -DAYS_BACK), plusDays(today, DAYS_AHEAD))),
      ),
      found.whose === 'mine'
        ? tx.read<{ id: string }>(build(selvesOf(found.organizationId, found.userId)))
        : [],
    ])
    const wanted = {
      organization: found.organizationId,
      kinds: readableKinds(callerOf(found)).map(({ name }) => name),
      owners: found.whose === 'mine' ? selves.map(({ id }) => id) : undefined,
    }
    const toCome = await tx.read<DeadlineRow>(build(rowsOf(wanted, ends!, AHEAD, null, EVENTS_AT_MOST)))
    const left = EVENTS_AT_MOST - toCome.length
    // Of what is late the latest, in the room that is left.
    const late = await tx.read<DeadlineRow>(build(rowsOf(wanted, ends!, ['late'], null, left, true)))
    const { publicUrl } = parts.config
    const dayOf = await daysEnding(tx)
    const isCut = toCome.length + late.length === EVENTS_AT_MOST
    return calendarOf(`Plumbline: ${found.organization}`, today, [
      ...[...late.reverse(), ...toCome].map((row) => eventOf(row, dayOf(row.date), publicUrl)),
      ...(isCut ? [cutEvent(today, publicUrl)] : []),
    ])
  })
}

const AHEAD = BUCKETS.filter((bucket) => bucket !== 'late')

/** Tells whoever looks at a calendar that it does not have everything. */
const cutEvent = (today: string, publicUrl: string): CalendarEvent => ({
  uid: 'cut@plumbline',
  date: today,
  summary: `Only ${EVENTS_AT_MOST} dates are shown here`,
  description: 'Those that come next, and the latest of the past. The app has all of them.',
  url: `${publicUrl}/calendar`,
})

/** Whoever the calendar is of, as they may read now. */
const callerOf = ({
  organizationId,
  features,
  userId,
  accountId,
  name,
  role,
  limitedView,
}: Feed): Caller => ({
  ...{ organizationId, features, userId, accountId, role, limitedView },
  credential: { type: 'session', id: CALENDARS, name },
  granted: ROLE_SCOPES[role],
  channel: 'rest',
  requestId: CALENDARS,
})

/** @param date a day where all of it is left for what is due, else the moment */
function eventOf(row: DeadlineRow, date: string, publicUrl: string): CalendarEvent {
  const kind = everyKind.find(({ name }) => name === row.type)!
  const said = [row.reference, row.title].filter(Boolean).join(' ')
  return {
    uid: `${row.record_id}-${row.name}@plumbline`,
    date,
    summary: `${calledOf(kind, row.name)}: ${said}`,
    description: [kind.title, row.state?.replaceAll('_', ' '), row.owner?.displayName]
      .filter(Boolean)
      .join('\n'),
    url: `${publicUrl}/${kind.page}/${row.record_id}`,
  }
}

export const invalidCalendar = () =>
  new Refusal('not_found', 'There is no calendar at this address: make a new one in your profile.')

const follow = statement(`
  with read as (
    update calendar_feeds set last_read_at = greatest(created_at, date_trunc('hour', clock_now()))
     where secret_hash = $1
       and last_read_at is distinct from greatest(created_at, date_trunc('hour', clock_now())))
  select f.organization_id as "organizationId", o.name as organization, o.features, f.whose,
         m.user_id as "userId", m.account_id as "accountId", m.name, m.role,
         m.limited_view as "limitedView",
         o.second_factor_required and not u.has_second_factor as "lacksSecondFactor"
    from calendar_feeds f
    join members m on m.organization_id = f.organization_id and m.user_id = f.user_id and m.status = 'active'
    join users u on u.id = m.account_id and u.disabled_at is null
    join organizations o on o.id = f.organization_id and o.status = 'active'
   where f.secret_hash = $1`)

/** Whether somebody signs in by a provider, which asks for what it wants. */
const findIdentity = statement('select from sign_in_identities where organization_id = $1 and user_id = $2')
