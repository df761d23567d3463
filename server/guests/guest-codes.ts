import { randomInt, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { audit } from '../journal/audit.ts'
import { guestCodeMail } from '../mail/messages.ts'
import { guest, type OwnContext, operation } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { mailGuest } from './guest-mails.ts'
import { guestOf } from './guest-session.ts'

/*
 * Proof that whoever sits there reads the mailbox where the link was sent: six digits, mailed there, given back in the
 * browser that asked for them. A code has five tries and ten minutes; of one pass so many are mailed within an hour, and
 * in all since its last link was made, that whoever holds a forwarded link guesses in vain. From one network address come
 * fewer: so that same one, asking and asking, leaves some to whoever the link is for.
 */
const DIGITS = 6
const TRIES = 5
const MINUTES = 10
/** Asked for from one network address, and of a pass from wherever. */
const FROM_ONE = { inHour: 5, inAll: 15 }
const OF_PASS = { inHour: 15, inAll: 45 }

export const sendGuestCode = operation({
  name: 'sendGuestCode',
  title: 'Have a code mailed',
  by: 'guest',
  needs: guest(),
  writes: true,
  input: z.strictObject({}),
  output: z.object({ minutes: z.int().describe('How long the code is good') }),
  run: async ({ tx, caller, parts }) => {
    const { id, sessionId } = guestOf(caller)
    const from = caller.ip ?? ''
    if (!parts.mail) throw new Refusal('conflict', 'This service sends no mail, and asks for no code: go on.')
    const [ofPass] = await tx.read(count(tx.organizationId, id, OF_PASS.inHour, OF_PASS.inAll))
    const [fromOne] = await tx.read(countFrom(tx.organizationId, id, from, FROM_ONE.inHour, FROM_ONE.inAll))
    if (!ofPass || !fromOne) throw spent(await isOver(tx, id, from))
    const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
    const [to] = await tx.read<{ address: string; organization: string }>(
      keep(tx.organizationId, sessionId, parts.keyring.hash(boundTo(sessionId, code))),
    )
    const { address, organization } = to!
    const mail = guestCodeMail(address, { organization, code, minutes: MINUTES })
    if (!(await mailGuest(parts, tx, id, 'guest_code', mail)))
      throw new Refusal('unavailable', 'Many mails wait to be sent already: try again in a minute.')
    return { minutes: MINUTES }
  },
})

const isOver = async (tx: Transaction, id: string, from: string): Promise<boolean> =>
  (await tx.read(findOver(tx.organizationId, id, from, OF_PASS.inAll, FROM_ONE.inAll))).length > 0

const spent = (isForGood: boolean): Refusal =>
  isForGood
    ? new Refusal(
        'rate_limited',
        'As many codes were mailed for this link as may be: use the last one, wait for the next reminder, or ask whoever sent the link for a new one.',
      )
    : new Refusal(
        'rate_limited',
        'Many codes were mailed for this already: use the last one, or try again in an hour.',
        { retryAfter: 3600 },
      )

export const confirmGuestCode = operation({
  name: 'confirmGuestCode',
  title: 'Give the code that was mailed',
  by: 'guest',
  needs: guest(),
  // A wrong one is counted, though it is refused.
  writes: 'own',
  input: z.strictObject({
    code: z
      .string()
      .regex(/^\d{6}$/)
      .meta({ title: 'Code', example: '204518' }),
  }),
  output: z.object({ isConfirmed: z.literal(true) }),
  run: async (context, { code }) => {
    const tried = await tryCode(context, code)
    if (tried !== 'right') throw invalid({ path: 'code', message: WRONG[tried] })
    return { isConfirmed: true as const }
  },
})

const WRONG = {
  wrong: `this is not the code that was sent last, or it has expired: enter that one within ${MINUTES} minutes, or send another`,
  spent: `the ${TRIES} tries of this code are used up, so it is good for nothing any more: send another code`,
}

const tryCode = (
  { transaction, caller, parts }: OwnContext,
  code: string,
): Promise<'right' | keyof typeof WRONG> =>
  transaction(async ({ tx }) => {
    const { id, sessionId, name } = guestOf(caller)
    const [tried] = await tx.read<{ codeHash: Buffer; tries: number }>(
      tryOnce(tx.organizationId, sessionId, TRIES),
    )
    if (!tried) {
      const [isSpent] = await tx.read(findSpent(tx.organizationId, sessionId, TRIES))
      return isSpent ? 'spent' : 'wrong'
    }
    const given = parts.keyring.hashes(boundTo(sessionId, code))
    if (!given.some((hash) => timingSafeEqual(hash, tried.codeHash)))
      return tried.tries < TRIES ? 'wrong' : 'spent'
    tx.write(confirm(tx.organizationId, sessionId))
    const subject = { type: 'guest_pass', id, title: name }
    audit(tx, caller, { time: await tx.now, action: 'guest_pass.confirm', subject })
    return 'right'
  })

/** A code of one session is worth nothing in another. */
const boundTo = (sessionId: string, code: string): string => `${sessionId} ${code}`

/** Parameters: organization, pass, how many within an hour, how many in all. No row where there were as many. */
const count = statement(`
  update guest_passes
     set codes = codes + 1,
         codes_in_hour = case when codes_since > clock_now() - interval '1 hour' then codes_in_hour + 1 else 1 end,
         codes_since = case when codes_since > clock_now() - interval '1 hour' then codes_since else clock_now() end
   where organization_id = $1 and id = $2 and codes < $4::int
     and (codes_since is null or codes_since <= clock_now() - interval '1 hour' or codes_in_hour < $3::int)
  returning id`)

/** Parameters: organization, pass, from where, how many within an hour, how many in all. */
const countFrom = statement(`
  insert into guest_code_counts as c (organization_id, pass_id, ip, codes, codes_in_hour, codes_since)
  values ($1, $2, $3, 1, 1, clock_now())
      on conflict (organization_id, pass_id, ip) do update
     set codes = c.codes + 1,
         codes_in_hour = case when c.codes_since > clock_now() - interval '1 hour' then c.codes_in_hour + 1 else 1 end,
         codes_since = case when c.codes_since > clock_now() - interval '1 hour' then c.codes_since else clock_now() end
   where c.codes < $5::int and (c.codes_since <= clock_now() - interval '1 hour' or c.codes_in_hour < $4::int)
  returning ip`)

/** Parameters: organization, pass, from where, how many of the pass in all, how many from there. */
const findOver = statement(`
  select p.id from guest_passes p
    left join guest_code_counts c on c.organization_id = p.organization_id and c.pass_id = p.id and c.ip = $3
   where p.organization_id = $1 and p.id = $2 and (p.codes >= $4::int or c.codes >= $5::int)`)

const keep = statement(`
  update guest_sessions s
     set code_hash = $3, code_tries = 0, code_expires_at = clock_now() + interval '${MINUTES} minutes'
    from organizations o
   where s.organization_id = $1 and s.id = $2 and o.id = s.organization_id
  returning s.address, o.name as organization`)

const tryOnce = statement(`
  update guest_sessions set code_tries = code_tries + 1
   where organization_id = $1 and id = $2 and code_hash is not null and code_tries < $3::int
     and code_expires_at > clock_now()
  returning code_hash as "codeHash", code_tries as tries`)

const findSpent = statement(`
  select from guest_sessions
   where organization_id = $1 and id = $2 and code_hash is not null and code_tries >= $3::int`)

const confirm = statement(`
  update guest_sessions set confirmed_at = clock_now(), code_hash = null
   where organization_id = $1 and id = $2`)
