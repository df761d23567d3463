import { networkOf } from '../caller/network-of.ts'
import type { RequestContext } from '../caller/request-context.ts'
import { sendMail } from '../jobs/send-mail.ts'
import { startJobAlone } from '../jobs/start-job.ts'
import { type AuditEvent, entryOfStranger, insertEntry } from '../journal/audit.ts'
import { type EntryLimiter, leftOutWords } from '../journal/entry-limiter.ts'
import { signInWaveMail } from '../mail/messages.ts'
import type { Parts } from '../operation.ts'

/**
 * What is tried at the sign-in: who is told of it, and how much.
 *
 * An attempt at a person who is known here stands in the audit log of each organization that their login opens,
 * since each of them is at risk; it says nothing about the others. Who was only invited is nobody's yet, and an
 * e-mail that is unknown belongs to no organization: those are for the operators, in the log of the service, with
 * a fingerprint in place of what was typed, which may as well be a password. Both are limited in rate, and say how
 * many were left out.
 */
export interface SignInEvent {
  readonly action:
    | 'session.begin'
    | 'session.confirm'
    | 'user.request_password_reset'
    | 'user.request_sign_in_link'
  readonly outcome: 'success' | 'failed' | 'denied'
  readonly reason: SignInReason | null
}

export type SignInReason =
  | 'wrong_password'
  | 'unknown_account'
  | 'wrong_code'
  | 'passkey_not_accepted'
  | 'too_many_attempts'
  | 'mail_link_needed'
  | 'too_many_mails'

/** A place of a login: an organization, and the id that the person has there. */
export interface Membership {
  readonly organizationId: string
  readonly userId: string
}

/** Whom it concerns: somebody who is known here, or what was typed. */
export type Concerned =
  | { readonly id: string; readonly email: string; readonly memberOf: readonly Membership[] }
  | { readonly typed: string }

const OF_ONE_PERSON = 10
const OF_UNKNOWN = 100

declare module '../operation.ts' {
  interface Parts {
    readonly signIns: SignInEvents
  }
}

export class SignInEvents {
  readonly #parts: () => Parts
  readonly #limiter: EntryLimiter
  /** For the metrics, since this process started. */
  readonly counts = { success: 0, failed: 0, denied: 0, waves: 0 }

  /** @param parts asked for when something happens */
  constructor(parts: () => Parts, limiter: EntryLimiter) {
    this.#parts = parts
    this.#limiter = limiter
  }

  /** Notes an event beside the answer and not in its way. */
  note(requestContext: RequestContext, concerned: Concerned, event: SignInEvent): void {
    const network = networkOf(requestContext.ip ?? 'none')
    this.counts[event.outcome]++
    if ('typed' in concerned) this.#tellOperators(requestContext, concerned.typed, event, network)
    else
      this.#limiter.add(
        `${concerned.id} ${event.action} ${event.outcome}`,
        OF_ONE_PERSON,
        network,
        () => this.#write(requestContext, concerned, event),
        (leftOut) =>
          this.#write({ channel: requestContext.channel, requestId: requestContext.requestId }, concerned, {
            ...event,
            reason: leftOutWords(leftOut),
          }),
      )
  }

  /**
   * Tells of a wave: an account had more wrong guesses from strangers than its budget for the hour.
   * @param concerned whom it is against; null where the account is unknown
   */
  wave(requestContext: RequestContext, concerned: Concerned): void {
    this.counts.waves++
    const { log, mail } = this.#parts()
    const about =
      'typed' in concerned ? { account: this.#fingerprint(concerned.typed) } : { accountId: concerned.id }
    log.warn(
      { ...about, requestId: requestContext.requestId },
      'a wave of guesses at the sign-in of one account',
    )
    if ('typed' in concerned) return
    this.#limiter.add(
      `${concerned.id} wave`,
      1,
      '',
      async () => {
        await this.#write(
          { channel: requestContext.channel, requestId: requestContext.requestId },
          concerned,
          {
            action: 'session.guess_wave',
            outcome: 'denied',
            reason: null,
          },
        )
        if (mail) await startJobAlone(this.#parts(), sendMail, signInWaveMail(concerned.email))
      },
      async () => {},
    )
  }

  #tellOperators(
    requestContext: RequestContext,
    typed: string,
    { action, outcome, reason }: SignInEvent,
    network: string,
  ): void {
    const { log } = this.#parts()
    const account = this.#fingerprint(typed)
    const { requestId, ip } = requestContext
    this.#limiter.add(
      'unknown',
      OF_UNKNOWN,
      network,
      async () =>
        log.info(
          { action, outcome, reason, account, requestId, ip, network },
          'sign-in of an unknown account',
        ),
      async ({ count, networks }) =>
        log.info({ leftOut: count, networks }, 'sign-ins of unknown accounts, left out of the log'),
    )
  }

  #fingerprint(typed: string): string {
    return this.#parts()
      .keyring.hash(JSON.stringify(['account', typed.toLowerCase()]))
      .toString('hex')
      .slice(0, 12)
  }

  async #write(
    requestContext: RequestContext,
    { email, memberOf }: Exclude<Concerned, { typed: string }>,
    { action, outcome, reason }: Pick<AuditEvent, 'action' | 'outcome' | 'reason'>,
  ): Promise<void> {
    if (memberOf.length === 0) return
    const { gate } = this.#parts().database
    const { rows } = await gate.query<{ now: string }>('select clock_now() as now')
    for (const { organizationId, userId } of memberOf) {
      const subject = { type: 'user', id: userId, title: email }
      const event = { time: rows[0]!.now, action, outcome, subject, reason } as AuditEvent
      await gate.query(insertEntry(...entryOfStranger(organizationId, requestContext, event)))
    }
  }
}
