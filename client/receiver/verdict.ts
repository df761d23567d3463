import { createHmac, timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** A delivery as it came, before anyone believed it. */
export interface Arrived {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Verdict {
  readonly authentic: boolean
  /** One line: that it is verified, or the exact cause why not. */
  readonly line: string
}

/**
 * Whether a delivery is authentic under one of the secrets, by the reference library; and where it is not,
 * what exactly is wrong.
 */
export function judge(arrived: Arrived, secrets: readonly string[]): Verdict {
  if (secrets.length === 0)
    return { authentic: false, line: 'not verified: paste the endpoint’s secret here' }
  for (const secret of secrets) {
    try {
      new Webhook(secret).verify(arrived.body, { ...arrived.headers })
      return { authentic: true, line: 'verified' }
    } catch {}
  }
  return { authentic: false, line: `NOT AUTHENTIC: ${causeOf(arrived, secrets)}` }
}

/** Receivers reject a timestamp further than this from their own clock. */
const TOLERANCE_SECONDS = 300

function causeOf({ headers, body }: Arrived, secrets: readonly string[]): string {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (!id || !timestamp || !signatures) return 'a webhook- header is missing'
  const signed = `${id}.${timestamp}.${body}`
  const matches = secrets.some((secret) => signatures.split(' ').some((entry) => isOf(entry, secret, signed)))
  if (!matches) return 'the signature was made with another secret, or the body was changed on its way'
  const off = Math.round(Date.now() / 1000 - Number(timestamp))
  return Math.abs(off) > TOLERANCE_SECONDS
    ? `the timestamp is ${Math.abs(off)} seconds ${off > 0 ? 'old' : 'ahead'}`
    : 'the headers are not of the form the contract has'
}

function isOf(entry: string, secret: string, signed: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  const given = Buffer.from(entry)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
