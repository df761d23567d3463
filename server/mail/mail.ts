import { isIP } from 'node:net'
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
  /** The same, for whoever tries again what may leave later. */
  deliver(message: Message): Promise<Delivered>
}

/** What came of a mail; `why` has the code of the server, and none of its words. */
export type Delivered =
  | { readonly outcome: 'sent' }
  /** Nothing is sent for now; where it is of the address, to that address alone. */
  | { readonly outcome: 'away'; readonly why: string; readonly isOfAddress: boolean }
  /** It is never taken, or never at this address. */
  | { readonly outcome: 'refused'; readonly why: string; readonly isOfAddress: boolean }

export interface Message {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The address that turns off mails of this kind by one POST (RFC 8058); where they can be turned off. */
  readonly unsubscribe?: string
}

const WITHIN = 15_000
const STEP_WITHIN = 5_000

/**
 * @param smtpUrl as config.ts checked it
 * @param publicUrl whose host name the service gives the mail server (EHLO); some servers refuse any other
 */
export function openMail(smtpUrl: string, log: Logger, publicUrl?: string): Mail {
  const { from, auth, ...server } = readSmtpUrl(smtpUrl)
  const settings = {
    ...server,
    ...(publicUrl ? { name: ehloName(publicUrl) } : {}),
    ...(auth ? { auth: { ...auth } } : {}),
    connectionTimeout: STEP_WITHIN,
    greetingTimeout: STEP_WITHIN,
    dnsTimeout: STEP_WITHIN,
    socketTimeout: STEP_WITHIN,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const deliver = async ({ to, unsubscribe, ...message }: Message): Promise<Delivered> => {
    try {
      // Loaded for the first mail: many a service never sends one.
      const { createTransport } = await import('nodemailer')
      await createTransport(settings).sendMail({
        ...message,
        from: { ...from },
        to: { name: '', address: to },
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribe ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
        },
        ...(unsubscribe ? { list: { unsubscribe } } : {}),
        signal: AbortSignal.timeout(WITHIN),
      })
      return { outcome: 'sent' }
    } catch (error) {
      const { code, command, responseCode } = error as SmtpFault
      log.warn({ code, command, responseCode }, 'a mail could not be sent')
      return faultOf(error as SmtpFault)
    }
  }
  return {
    deliver,
    send: async (message) => {
      const sent = await deliver(message)
      if (sent.outcome === 'sent') return null
      return sent.outcome === 'refused' && sent.isOfAddress ? ADDRESS : SERVER
    },
  }
}

/** A name with a dot, or the literal of an address (RFC 5321 §4.1.3): a mail server knows no other. */
function ehloName(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1, -1)}]`
  if (isIP(hostname)) return `[${hostname}]`
  return hostname.includes('.') ? hostname : '[127.0.0.1]'
}

function faultOf(fault: SmtpFault): Delivered {
  const { code, command, responseCode, response = '' } = fault
  const [enhanced] = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(response) ?? []
  const said = [responseCode || code, enhanced].filter(Boolean).join(' ')
  const isOf = isOfAddress(fault)
  const isWaiting = isPutOff(fault)
  const words = isOf ? ADDRESS : isWaiting ? MAILBOX : SERVER
  const why = said ? `${words} (${said})` : words
  const isNever = isOf || (command === 'DATA' && (responseCode ?? 0) >= 500)
  return isNever
    ? { outcome: 'refused', why, isOfAddress: isOf }
    : { outcome: 'away', why, isOfAddress: isWaiting }
}

/** Words of the server itself stay out: they may quote the mail. */
interface SmtpFault {
  code?: string
  command?: string
  responseCode?: number
  response?: string
}

/** That nobody is there, or takes no mail; a server that does not forward, or minds who sends, refuses any (RFC 3463). */
function isOfAddress({ code, command, responseCode = 0, response = '' }: SmtpFault): boolean {
  const [, subject] = /\b5\.(\d{1,3})\.\d{1,3}\b/.exec(response) ?? []
  const isThere = subject === undefined || subject === '1' || subject === '2'
  return code === 'EENVELOPE' && command === 'RCPT TO' && responseCode >= 500 && isThere
}

/** That a mailbox is full, or its domain wants to be asked later: other addresses are taken meanwhile (RFC 3463, 5321). */
function isPutOff({ code, command, responseCode = 0, response = '' }: SmtpFault): boolean {
  const [, subject] = /\b4\.(\d{1,3})\.\d{1,3}\b/.exec(response) ?? []
  const isTemporary = responseCode >= 400 && responseCode < 500 && responseCode !== 421
  return code === 'EENVELOPE' && command === 'RCPT TO' && isTemporary && subject !== '3'
}

const ADDRESS = 'The mail server takes no mail for this address.'
const MAILBOX = 'This address takes no mail for now.'
const SERVER = 'The mail server could not be reached, or did not take the mail.'
