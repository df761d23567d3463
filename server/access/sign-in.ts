import { z } from 'zod'
import { statement } from '../database/connect.ts'
import { entryOfStranger, insertEntry } from '../journal/audit.ts'
import type { Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import type { Arrival } from './admission.ts'
import { email } from './members.ts'
import { isPassword } from './passwords.ts'
import { sessionAct } from './sessions/session-act.ts'
import { enter, entered } from './sign-in/entrance.ts'
import { countAttempt, forgetAttempts } from './sign-in/sign-in-counts.ts'

/**
 * Signing in with e-mail and password.
 *
 * An attempt is counted before anything is done for it. Then a password is hashed whether the e-mail is known
 * or not, and every failure has the same words: neither the answer nor its time tells who is known here. Who
 * has a second factor gets no session yet, but a ticket for the second step (entrance.ts).
 */
export const signIn = sessionAct({
  name: 'signIn',
  title: 'Sign in with e-mail and password',
  asks: 'nobody',
  input: z.strictObject({ email, password: z.string().min(1).max(256) }),
  output: entered,
  run: async ({ parts, arrival, session }, { email, password }) => {
    await countAttempt(parts, 'password', email, arrival.ip)
    const person = await findPerson(parts, email)
    if (!(await isPassword(password, person?.passwordHash ?? null)) || !person) {
      if (person) noteFailure(parts, arrival, person)
      throw notRight()
    }
    await forgetAttempts(parts, 'password', email, arrival.ip)
    const proved = { accountId: person.id, organizationId: homeOf(person), method: 'password' } as const
    const by = person.passwordHash === null ? {} : { passwordHash: person.passwordHash }
    return enter(parts, arrival, { ...proved, ...by }, session)
  },
})

export interface KnownPerson {
  readonly id: string
  readonly email: string
  readonly passwordHash: string | null
  readonly hasSecondFactor: boolean
  /** Where they may go: active there, the last place first. */
  readonly organizations: readonly string[]
  /** Who they are in one that they have joined, for the audit log: who only invited them is told nothing. */
  readonly member: { readonly organizationId: string; readonly userId: string } | null
  /** The database's clock. */
  readonly now: string
}

/** The person of an e-mail, or null; one who is disabled is nobody. */
export async function findPerson(parts: Parts, email: string): Promise<KnownPerson | null> {
  const { rows } = await parts.database.gate.query(find(email))
  return (rows[0] as KnownPerson | undefined) ?? null
}

/** The same for whom a second factor names. */
export async function findPersonById(parts: Parts, accountId: string): Promise<KnownPerson | null> {
  const { rows } = await parts.database.gate.query(findById(accountId))
  return (rows[0] as KnownPerson | undefined) ?? null
}

/**
 * Where somebody goes who has just proved who they are.
 * @throws {Refusal} `sign_in_failed` where they are active nowhere
 */
export function homeOf(person: KnownPerson): string {
  const [home] = person.organizations
  if (home !== undefined) return home
  throw new Refusal(
    'sign_in_failed',
    'You are active in no organization: open the link of your invitation, or ask an admin.',
  )
}

const notRight = () =>
  new Refusal('sign_in_failed', 'E-mail or password is not right: check both, or choose a new password.')

const NOTED_EVERY = 60_000
const MOST_REMEMBERED = 10_000
const noted = new Map<string, number>()

/** Beside the answer and not in its way; a stranger must not be able to fill the log. */
export function noteFailure(parts: Parts, arrival: Arrival, { id, member }: KnownPerson): void {
  const now = Date.now()
  if (member === null || now - (noted.get(id) ?? 0) < NOTED_EVERY) return
  if (noted.size >= MOST_REMEMBERED) noted.clear()
  noted.set(id, now)
  parts.database.gate
    .query('select clock_now() as now')
    .then(({ rows }) => {
      const deed = {
        time: rows[0].now,
        action: 'session.begin',
        outcome: 'failed',
        subject: { type: 'user', id: member.userId },
      } as const
      return parts.database.gate.query(insertEntry(...entryOfStranger(member.organizationId, arrival, deed)))
    })
    .catch((err) => parts.log.warn({ err }, 'could not log a failed sign-in'))
}

const PERSON = `
  select u.id, u.email, u.password_hash as "passwordHash", u.has_second_factor as "hasSecondFactor",
         array(select m.organization_id from members m join organizations o on o.id = m.organization_id
                where m.account_id = u.id and m.status = 'active' and o.status = 'active'
                order by m.organization_id = u.last_organization_id desc nulls last, m.created_at, m.organization_id)
           as organizations,
         (select json_build_object('organizationId', m.organization_id, 'userId', m.user_id) from members m
           where m.account_id = u.id and m.status in ('active', 'disabled')
           order by m.created_at, m.organization_id limit 1) as member, clock_now() as now
    from users u
   where u.disabled_at is null`

const find = statement(`${PERSON} and lower(u.email) = lower($1)`)
const findById = statement(`${PERSON} and u.id = $1`)
