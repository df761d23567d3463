import type { Logger } from 'pino'
import { readSmtpUrl } from './smtp-url.ts'

/**
 * Mail to people, through the one server that SMTP_URL names.
 *
 * A mail holds what lets somebody in, so it goes to one address at a time, over verified TLS (smtp-url.ts), and
 * nothing of it is logged. Sending waits for a network, so it is never done inside a transaction: what is to be mailed
 * is a job (jobs/send-mail.ts), which outlives the process.
 */
export interface Mail {
  /** @returns null, or why it was not sent, in words for whoever asked for it */
  send(message: Message): Promise<string | null>
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
