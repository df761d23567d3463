import { X509Certificate } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, resolve } from 'node:path'
import pg from 'pg'
import { readSmtpUrl } from '../mail/smtp-url.ts'
import { parseNetwork } from '../outbound/network.ts'
import { ConfigInvalid } from './invalid.ts'
import { isLoopback } from './loopback.ts'

/*
 * How each setting is read from its text. Whoever reads one knows nothing of our code: a refusal names the variable,
 * shows the value unless it may hold a secret, and says what would be right.
 */

export function wrong(name: string, value: string, expected: string): ConfigInvalid {
  return new ConfigInvalid(`${name}=${value} is not valid: ${expected}.`)
}

export function integer(name: string, value: string, min: number, max: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= min && number <= max)) throw wrong(name, value, `give a whole number from ${min} to ${max}`)
  return number
}

export function oneOf<const T extends readonly string[]>(name: string, value: string, values: T): T[number] {
  if (!values.includes(value)) throw wrong(name, value, `give one of ${values.join(', ')}`)
  return value
}

/** An address, or a name that leads to one; whether it is this machine's is asked when it listens (ports.ts). */
export function hostName(name: string, value: string): string {
  const isName = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(value) && !/^[\d.]+$/.test(value)
  if (isIP(value) === 0 && !isName)
    throw wrong(
      name,
      value,
      'give an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them; the port is a setting of its own',
    )
  return value
}

export function metricsPort(value: string | null, port: number): number {
  const own = integer('METRICS_PORT', value ?? '9464', 0, 65_535)
  if (value !== null && own !== 0 && own === port)
    throw wrong('METRICS_PORT', value, 'the calls are taken at that PORT; give another, or 0 for no metrics')
  return own
}

export function networks(name: string, value: string | null): string[] {
  return list(value).map((part) => network(name, part))
}

function network(name: string, part: string): string {
  try {
    parseNetwork(part)
  } catch (error) {
    throw wrong(name, part, (error as Error).message)
  }
  return part
}

/** Names that the library knows, which reads the addresses of requests. */
const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal']

export function proxies(value: string | null): string[] {
  return list(value).map((part) => {
    if (PROXY_NAMES.includes(part)) return part
    if (part.endsWith('/0'))
      throw wrong('TRUSTED_PROXIES', part, 'everybody could say where a request came from; name your proxies')
    return network('TRUSTED_PROXIES', part)
  })
}

/** The path of a file that can be written, or made. */
export function writable(name: string, value: string | null): string | null {
  if (value === null) return null
  const path = resolve(value)
  let place = path
  while (!existsSync(place)) place = dirname(place)
  try {
    accessSync(place, constants.W_OK)
  } catch (error) {
    throw wrong(name, value, `the file cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
  if (place === path ? !statSync(path).isFile() : !statSync(place).isDirectory())
    throw wrong(name, value, 'give the path of a file')
  return path
}

/** The path of a folder that can be read. */
export function readableFolder(name: string, value: string | null): string | null {
  if (value === null) return null
  const path = resolve(value)
  try {
    readdirSync(path)
  } catch (error) {
    throw wrong(name, value, `the folder cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  return path
}

export function certificates(name: string, path: string | null): string | null {
  const text = file(name, path)
  if (text === null || path === null) return null
  const found = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  if (found.length === 0) throw wrong(name, path, 'the file has no certificate in PEM form')
  try {
    for (const certificate of found) new X509Certificate(certificate)
  } catch {
    throw wrong(name, path, 'a certificate in the file cannot be read: give them in PEM form')
  }
  return text
}

export const list = (value: string | null) => (value ?? '').split(',').flatMap((part) => part.trim() || [])

function file(name: string, path: string | null): string | null {
  if (path === null) return null
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw wrong(name, path, `the file cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** The value is never shown: it may hold a password. */
export function databaseUrl(name: string, value: string | null): string | null {
  if (value === null) return null
  if (!/^postgres(ql)?:\/\//.test(value))
    throw wrong(name, '…', 'give a URL such as postgresql://plumbline:password@host/plumbline')
  try {
    new pg.Client({ connectionString: value }) // reads the URL, and the files it names
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    throw wrong(
      name,
      '…',
      code && path
        ? `the file ${path} that it names cannot be read (${code})`
        : 'it is not a URL; in a password, write signs such as @ / # ? as %40 %2F %23 %3F',
    )
  }
  return value
}

export function databaseOwnerUrl(value: string | null, hasDatabaseUrl: boolean): string | null {
  if (value !== null && !hasDatabaseUrl)
    throw new ConfigInvalid(
      'DATABASE_OWNER_URL is set and DATABASE_URL is not: set both, or neither for the embedded database.',
    )
  return databaseUrl('DATABASE_OWNER_URL', value)
}

/** The value is never shown: it may hold a password. */
export function smtpUrl(value: string | null): string | null {
  try {
    if (value !== null) readSmtpUrl(value)
  } catch (error) {
    throw wrong('SMTP_URL', '…', (error as Error).message)
  }
  return value
}

export function publicUrl(value: string): string {
  const url = URL.parse(value)
  if (url?.pathname !== '/' || url.search || url.hash || url.username)
    throw wrong('PUBLIC_URL', value, 'give an origin such as https://plumbline.example.com')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    throw wrong('PUBLIC_URL', value, 'it must be https, or http on a loopback host')
  return url.origin
}

/** `id:base64` entries, and the setting they came by; null where a key is to be made on the first start. */
interface MasterKeysGiven {
  readonly masterKeys: string | null
  readonly masterKeysFrom: 'MASTER_KEY' | 'MASTER_KEY_FILE' | null
}

/** Only the form is read here; keyring/keyring.ts decodes and judges the keys. */
export function masterKeys(
  value: string | null,
  path: string | null,
  hasDatabaseUrl: boolean,
): MasterKeysGiven {
  if (value !== null && path !== null)
    throw new ConfigInvalid('MASTER_KEY and MASTER_KEY_FILE are both set: keep one of them.')
  if (value !== null) return { masterKeys: value, masterKeysFrom: 'MASTER_KEY' }
  if (path !== null)
    return { masterKeys: file('MASTER_KEY_FILE', path)!.trim(), masterKeysFrom: 'MASTER_KEY_FILE' }
  if (hasDatabaseUrl)
    throw new ConfigInvalid(
      'MASTER_KEY is missing: with DATABASE_URL set, give MASTER_KEY or MASTER_KEY_FILE as id:base64 of 32 random bytes.',
    )
  return { masterKeys: null, masterKeysFrom: null }
}

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const LONGEST = 365 * UNITS.d

function duration(name: string, value: string): number {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(value)
  if (!match) throw wrong(name, value, 'give durations such as 30s, 10m, 1h')
  const milliseconds = Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]
  if (milliseconds > LONGEST) throw wrong(name, value, 'a year is the longest')
  return milliseconds
}

export function retryDelays(value: string): number[] {
  const delays = list(value).map((part) => duration('WEBHOOK_RETRY_DELAYS', part))
  if (delays.length === 0 || delays.length > 20)
    throw wrong('WEBHOOK_RETRY_DELAYS', value, 'give one to twenty durations, with commas between')
  return delays
}

/** Less than what ends any statement (database/connect.ts). */
const READ_TIMEOUT_AT_MOST = 30_000

export function readTimeout(value: string): number {
  const milliseconds = duration('READ_TIMEOUT', value)
  if (milliseconds < 1 || milliseconds > READ_TIMEOUT_AT_MOST)
    throw wrong('READ_TIMEOUT', value, 'give a duration from 1ms to 30s, such as 10s')
  return milliseconds
}

export function rateLimit(value: string): { calls: number; windowMs: number } {
  const match = /^(\d{1,9})\/(\w+)$/.exec(value)
  const calls = Number(match?.[1] ?? 0)
  if (!match || calls < 1) throw wrong('RATE_LIMIT', value, 'give calls and window, such as 500/10m')
  const windowMs = duration('RATE_LIMIT', match[2]!)
  if (windowMs === 0) throw wrong('RATE_LIMIT', value, 'the window must have a length, such as in 500/10m')
  return { calls, windowMs }
}
