import type { Logger } from 'pino'
import { readSmtpUrl } from './smtp-url.ts'

/**
 * Mail to people, through the one server that SMTP_URL names.
 *
 * A mail holds what lets somebody in, so it goes to one address at a time, over verified TLS (smtp-url.ts), and
 * nothing of it is logged. Sending waits for a network, so it is never done inside a transaction; and where
 * waiting would tell who is known here, it is done after the answer (`later`). There is no queue that outlives
 * the process: whoever waits for a mail that was lost asks for another.
 */
export interface Mail {
  /** @returns null, or why it was not sent, in words for whoever asked for it */
  send(message: Message): Promise<string | null>
  /**
   * Does something behind the answer, a few at a time; what fails there is logged.
   * @param instead done in its place where too many wait already
   */
  later(work: () => Promise<void>, instead?: () => Promise<void>): void
  /** Waits for what is under way, and gives up what has not begun. */
  close(): Promise<void>
}

export interface Message {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

const WITHIN = 15_000
const STEP_WITHIN = 5_000

/** @param smtpUrl as config.ts judged it */
export function openMail(smtpUrl: string, log: Logger): Mail {
  const { from, auth, ...server } = readSmtpUrl(smtpUrl)
  const settings = {
    ...server,
    ...(auth ? { auth: { ...auth } } : {}),
    connectionTimeout: STEP_WITHIN,
    greetingTimeout: STEP_WITHIN,
    dnsTimeout: STEP_WITHIN,
    socketTimeout: STEP_WITHIN,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const queue = new Queue(log)
  return {
    send: async ({ to, ...message }) => {
      try {
        // Loaded for the first mail: many a service never sends one.
        const { createTransport } = await import('nodemailer')
        await createTransport(settings).sendMail({
          ...message,
          from: { ...from },
          to: { name: '', address: to },
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.timeout(WITHIN),
        })
        return null
      } catch (error) {
        const { code, command, responseCode } = error as SmtpFault
        log.warn({ code, command, responseCode }, 'a mail could not be sent')
        return isOfAddress(error as SmtpFault) ? ADDRESS : SERVER
      }
    },
    later: (work, instead) => queue.add(work, instead),
    close: () => queue.close(),
  }
}

/** Words of the server itself stay out: they may quote the mail. */
interface SmtpFault {
  code?: string
  command?: string
  responseCode?: number
}

const isOfAddress = ({ code, command, responseCode = 0 }: SmtpFault): boolean =>
  code === 'EENVELOPE' && command === 'RCPT TO' && responseCode >= 500

const ADDRESS = 'The mail server takes no mail for this address.'
const SERVER = 'The mail server could not be reached, or did not take the mail.'

const AT_ONCE = 2
const WAITING_AT_MOST = 500

class Queue {
  #log: Logger
  #waiting: (() => Promise<void>)[] = []
  #underWay = new Set<Promise<void>>()

  constructor(log: Logger) {
    this.#log = log
  }

  add(work: () => Promise<void>, instead?: () => Promise<void>): void {
    if (this.#waiting.length < WAITING_AT_MOST) this.#waiting.push(work)
    else {
      this.#log.warn('too many mails wait: one is not sent')
      if (instead) this.#run(instead)
    }
    this.#next()
  }

  async close(): Promise<void> {
    this.#waiting = []
    await Promise.all(this.#underWay)
  }

  #next(): void {
    const work = this.#underWay.size < AT_ONCE ? this.#waiting.shift() : undefined
    if (work) this.#run(work)
  }

  #run(work: () => Promise<void>): void {
    const run = work()
      .catch((err) => this.#log.warn({ err }, 'a mail could not be prepared'))
      .finally(() => {
        this.#underWay.delete(run)
        this.#next()
      })
    this.#underWay.add(run)
  }
}
