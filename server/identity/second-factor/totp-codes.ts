import { Secret, TOTP } from 'otpauth'

/**
 * Codes of an authenticator app: RFC 6238 with SHA-1, six digits and steps of 30 seconds, which is what every
 * app takes whatever the address says. A code is taken one step early or late, for clocks that differ.
 */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const WINDOW = 1

/** What a person may type: apps show a gap in the middle. */
const typed = (code: string) => code.replace(/\s/g, '')

export const newTotpSecret = (): Secret => new Secret({ size: 20 })

/** The address that an app reads from a picture. */
export const totpAddress = (secret: Secret, email: string): string =>
  new TOTP({ ...FORM, issuer: 'Plumbline', label: email, secret }).toString()

/**
 * The time step that a code is of, or null where it is of none near now.
 * @param now ISO 8601, by the database's clock
 */
export function stepOf(secret: Uint8Array, code: string, now: string): number | null {
  const timestamp = Date.parse(now)
  const buffer = Uint8Array.from(secret).buffer
  const token = typed(code)
  if (!/^\d{6}$/.test(token)) return null
  const delta = TOTP.validate({ ...FORM, secret: new Secret({ buffer }), token, timestamp, window: WINDOW })
  return delta === null ? null : TOTP.counter({ period: FORM.period, timestamp }) + delta
}
