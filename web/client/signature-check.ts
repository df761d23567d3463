/*
 * Why a signature does not fit, worked out where the secret was typed: the browser's own cryptography, no call,
 * nothing kept. A check compares one text; so where it fails, everything that commonly goes wrong is done on
 * purpose, until the result is the one that was seen. What then fits is the cause, and no guess.
 */

export interface Arrived {
  /** As pasted: `name: value` lines, the arguments of a curl, or JSON. */
  headers: string
  body: string
  secret: string
  /** The signature that the receiver's code computed. */
  computed?: string
  /** The receiver's clock, in unix seconds. */
  clock?: number
  /** What the log has of this webhook-id. */
  logged?: Logged
}

export type Logged =
  | { found: false }
  | { found: true; body: string; attempts: readonly { headers: Readonly<Record<string, string>> }[] }

export type Cause =
  | 'headers_missing'
  | 'timestamp_unreadable'
  | 'signature_unreadable'
  | 'secret_missing'
  | 'secret_not_one'
  | 'secret_spoiled'
  | 'secret_not_decoded'
  | 'secret_wrong'
  | 'body_reserialized'
  | 'body_newline_added'
  | 'body_newline_lost'
  | 'body_crlf'
  | 'body_trimmed'
  | 'body_changed'
  | 'id_wrong'
  | 'timestamp_changed'
  | 'clock_off'
  | 'computed_hex'
  | 'computed_without_id'
  | 'computed_body_only'
  | 'computed_wrong'
  | 'secret_or_body'

export type SignatureCheck =
  | { authentic: true; computedMatches: boolean | null }
  | { authentic: false; cause: Cause; detail: Detail }

export interface Detail {
  /** Names of headers, an id, a difference of clocks: what the cause speaks of. */
  names?: string[]
  seconds?: number
  /** The first byte that differs, and what stands around it on either side. */
  at?: number
  sent?: string
  given?: string
}

export const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
const TOLERANCE_SECONDS = 300
const SECRET_BYTES = 32

const encoder = new TextEncoder()

export async function checkSignature(arrived: Arrived): Promise<SignatureCheck> {
  const { body, computed, logged } = arrived
  const headers = readHeaders(arrived.headers)
  const missing = HEADERS.filter((name) => !headers[name])
  if (missing.length > 0) return wrong('headers_missing', { names: missing })
  const id = headers['webhook-id']!
  const timestamp = headers['webhook-timestamp']!
  const signatures = headers['webhook-signature']!.split(' ')
  if (!/^\d{1,13}$/.test(timestamp)) return wrong('timestamp_unreadable', { names: [timestamp] })
  if (!signatures.some((one) => /^v1,[A-Za-z0-9+/]{43}=$/.test(one))) return wrong('signature_unreadable')

  if (arrived.secret.trim() === '') return wrong('secret_missing')
  const mended = arrived.secret.replaceAll(/["'\s]/g, '')
  const key = decodeSecret(mended)
  if (!key) return wrong('secret_not_one')
  const fits = (signature: string) => signatures.includes(`v1,${signature}`)
  const content = `${id}.${timestamp}.`

  if (fits(await sign(key, content + body))) {
    if (mended !== arrived.secret.trim() || !mended.startsWith('whsec_')) return wrong('secret_spoiled')
    const late = await judgeComputed(computed, key, mended, { id, timestamp, body })
    if (late) return late
    const seconds = Math.round((arrived.clock ?? Date.now() / 1_000) - Number(timestamp))
    if (Math.abs(seconds) > TOLERANCE_SECONDS) return wrong('clock_off', { seconds })
    return { authentic: true, computedMatches: computed?.trim() ? true : null }
  }

  for (const [cause, changed] of changesUndone(body))
    if (fits(await sign(key, content + changed))) return wrong(cause, differenceOf(changed, body))
  for (const raw of rawKeys(mended))
    if (fits(await sign(raw, content + body))) return wrong('secret_not_decoded')
  return explainedByLog({ id, timestamp, body, signatures }, logged, async (text) =>
    fits(await sign(key, text)),
  )
}

/** Texts that the body may have been before the receiver had it in hand. */
function changesUndone(body: string): (readonly [Cause, string])[] {
  const changes: (readonly [Cause, string])[] = [
    ['body_newline_added', body.replace(/\r?\n$/, '')],
    ['body_newline_lost', `${body}\n`],
    ['body_crlf', body.replaceAll('\r\n', '\n')],
    ['body_crlf', body.replaceAll(/\r?\n/g, '\r\n')],
    ['body_trimmed', body.trim().replace(/^\uFEFF/, '')],
  ]
  try {
    changes.push(['body_reserialized', JSON.stringify(JSON.parse(body))])
  } catch {}
  return changes.filter(([, text]) => text !== body)
}

/** What the code did differently, told by the value that it came to. */
async function judgeComputed(
  computed: string | undefined,
  key: Uint8Array,
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: string },
): Promise<SignatureCheck | null> {
  const given = computed?.trim().replace(/^v1,/, '')
  if (!given) return null
  const content = `${id}.${timestamp}.`
  if (given === (await sign(key, content + body))) return null
  const hex = /^[0-9a-f]{64}$/i.test(given) ? base64Of(bytesOfHex(given)) : null
  if (hex === (await sign(key, content + body))) return wrong('computed_hex')
  const is = (signature: string) => signature === given || signature === hex
  for (const raw of rawKeys(secret))
    for (const text of [content + body, body, `${timestamp}.${body}`])
      if (is(await sign(raw, text))) return wrong('secret_not_decoded')
  if (is(await sign(key, body))) return wrong('computed_body_only')
  if (is(await sign(key, `${timestamp}.${body}`))) return wrong('computed_without_id')
  for (const [cause, changed] of [...changesUndone(body), ...reserializations(body)])
    if (is(await sign(key, content + changed))) return wrong(cause, differenceOf(body, changed))
  return wrong('computed_wrong')
}

/** How other languages write JSON by themselves. */
function reserializations(body: string): (readonly [Cause, string])[] {
  try {
    const value: unknown = JSON.parse(body)
    const spaced = JSON.stringify(value, null, 1)
      .replaceAll(/\n\s*(?=[}\]])/g, '')
      .replaceAll(/([{[])\n\s*/g, '$1')
      .replaceAll(/,\n\s*/g, ', ')
    return [spaced, JSON.stringify(value, null, 2), JSON.stringify(value, null, 4)].map(
      (text) => ['body_reserialized', text] as const,
    )
  } catch {
    return []
  }
}

/** Where nothing fits, what was really sent tells the secret from the body. */
async function explainedByLog(
  { id, timestamp, body, signatures }: { id: string; timestamp: string; body: string; signatures: string[] },
  logged: Logged | undefined,
  fits: (content: string) => Promise<boolean>,
): Promise<SignatureCheck> {
  if (!logged) return wrong('secret_or_body')
  if (!logged.found) return wrong('id_wrong', { names: [id] })
  const attempt = logged.attempts.find(({ headers }) =>
    signatures.includes(headers['webhook-signature'] ?? ''),
  )
  if (attempt && attempt.headers['webhook-id'] !== id)
    return wrong('id_wrong', { names: [id, attempt.headers['webhook-id'] ?? ''] })
  if (attempt && attempt.headers['webhook-timestamp'] !== timestamp)
    return wrong('timestamp_changed', { names: [timestamp, attempt.headers['webhook-timestamp'] ?? ''] })
  if (logged.body === body) return wrong('secret_wrong')
  // Both may be wrong; the secret is told first, since the body is only known to differ.
  if (!(await fits(`${id}.${timestamp}.${logged.body}`))) return wrong('secret_wrong')
  return wrong('body_changed', differenceOf(logged.body, body))
}

function wrong(cause: Cause, detail: Detail = {}): SignatureCheck {
  return { authentic: false, cause, detail }
}

const AROUND = 24

function differenceOf(sent: string, given: string): Detail {
  let at = 0
  while (at < sent.length && sent[at] === given[at]) at += 1
  const from = Math.max(0, at - AROUND)
  const around = (text: string) => text.slice(from, at + AROUND)
  return { at: encoder.encode(sent.slice(0, at)).length, sent: around(sent), given: around(given) }
}

/** Headers, however they were copied; names in lower case. */
export function readHeaders(text: string): Record<string, string> {
  const read: Record<string, string> = {}
  const add = (name: string, value: unknown) => {
    read[name.trim().toLowerCase()] = String(value).trim()
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) add(name, Array.isArray(one) ? one.join(' ') : one)
    return read
  } catch {}
  for (const line of text.split(/\r?\n/)) {
    const plain = line
      .trim()
      .replace(/^(-H|--header)\s+/, '')
      .replace(/\s*\\$/, '')
      .replace(/^(['"])(.*)\1,?$/, '$2')
    const found = /^['"]?([A-Za-z0-9-]+)['"]?\s*(?::|=>|=|\t)\s*['"]?(.*?)['"]?,?$/.exec(plain)
    if (found) add(found[1]!, found[2])
  }
  return read
}

/** The bytes of a secret; null where it is none. Without its prefix it is read too, to be told so. */
function decodeSecret(secret: string): Uint8Array | null {
  const text = secret.replace(/^whsec_/, '')
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return null
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return bytes.length === SECRET_BYTES ? bytes : null
}

/** Keys that code uses which takes the secret as it is written. */
const rawKeys = (secret: string): Uint8Array[] => {
  const text = secret.replace(/^whsec_/, '')
  return [`whsec_${text}`, text, text.replace(/=$/, '')].map((one) => encoder.encode(one))
}

async function sign(key: Uint8Array, content: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', Uint8Array.from(key), algorithm, false, ['sign'])
  return base64Of(new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(content))))
}

const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

const bytesOfHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
