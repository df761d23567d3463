import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { readSmtpUrl } from './access/mail/smtp-url.ts'

/**
 * The settings of one process, read once from the environment (decisions, Configuration). A value that
 * makes no sense stops the start with one line that says which and why.
 */
export interface Config {
  /** Absent: the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | null
  readonly databaseOwnerUrl: string | null
  readonly dataDir: string
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  /** CIDRs of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  /** `id:base64` entries; null where a key is to be made under `dataDir` on the first start. */
  readonly masterKeys: string | null
  readonly masterKeysFrom: 'MASTER_KEY' | 'MASTER_KEY_FILE' | null
  readonly role: 'all' | 'api' | 'worker'
  readonly webhookAllowedNetworks: readonly string[]
  /** PEM text of further certificate authorities. */
  readonly webhookCertificateAuthorities: string | null
  /** Milliseconds to wait after the first, second … failed attempt. */
  readonly webhookRetryDelays: readonly number[]
  readonly rateLimit: { readonly calls: number; readonly windowMs: number }
  readonly retentionDays: number
  /** Where checkpoints of the audit log go besides the database. */
  readonly auditCheckpointsFile: string
  /** Where the metrics listen: loopback, unless told otherwise. */
  readonly metricsHost: string
  /** 0: none. */
  readonly metricsPort: number
  /** A taken port is an error only where it was asked for by name. */
  readonly metricsPortGiven: boolean
  /** Absent: the service sends no mail, and admins hand out its links. */
  readonly smtpUrl: string | null
  readonly logLevel: LogLevel
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** One setting is wrong; the message names it, says why, and what would be right. */
export class ConfigInvalid extends Error {
  override name = 'ConfigInvalid'
}

/**
 * @param environment usually `process.env`; an empty value counts as absent
 * @throws {ConfigInvalid} for the first value that makes no sense
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const get = (name: string) => environment[name]?.trim() || null
  const port = integer('PORT', get('PORT') ?? '3000', 0, 65_535)
  const host = get('HOST') ?? '127.0.0.1'
  const dataDir = resolve(get('DATA_DIR') ?? './data')
  return {
    databaseUrl: databaseUrl('DATABASE_URL', get('DATABASE_URL')),
    databaseOwnerUrl: databaseOwnerUrl(get('DATABASE_OWNER_URL'), get('DATABASE_URL') !== null),
    dataDir,
    host,
    port,
    publicUrl: publicUrl(
      // A name and not an address: a browser keeps no passkey for an IP address.
      get('PUBLIC_URL') ?? `http://localhost:${port}`,
    ),
    trustedProxies: list(get('TRUSTED_PROXIES')),
    ...masterKeys(get('MASTER_KEY'), get('MASTER_KEY_FILE'), get('DATABASE_URL') !== null),
    role: oneOf('ROLE', get('ROLE') ?? 'all', ['all', 'api', 'worker'] as const),
    webhookAllowedNetworks: list(get('WEBHOOK_ALLOWED_NETWORKS')),
    webhookCertificateAuthorities: file('WEBHOOK_CA_FILE', get('WEBHOOK_CA_FILE')),
    webhookRetryDelays: retryDelays(get('WEBHOOK_RETRY_DELAYS') ?? '30s,2m,10m,1h,6h,24h'),
    rateLimit: rateLimit(get('RATE_LIMIT') ?? '500/10m'),
    retentionDays: integer('RETENTION_DAYS', get('RETENTION_DAYS') ?? '30', 1, 3_650),
    auditCheckpointsFile: resolve(get('AUDIT_CHECKPOINTS_FILE') ?? join(dataDir, 'audit-checkpoints.jsonl')),
    metricsHost: get('METRICS_HOST') ?? '127.0.0.1',
    metricsPort: integer('METRICS_PORT', get('METRICS_PORT') ?? '9464', 0, 65_535),
    metricsPortGiven: get('METRICS_PORT') !== null,
    smtpUrl: smtpUrl(get('SMTP_URL')),
    logLevel: oneOf('LOG_LEVEL', get('LOG_LEVEL') ?? 'info', LOG_LEVELS),
  }
}

function wrong(name: string, value: string, expected: string): ConfigInvalid {
  return new ConfigInvalid(`${name}=${value} is not valid: ${expected}.`)
}

function integer(name: string, value: string, min: number, max: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= min && number <= max)) throw wrong(name, value, `give a whole number from ${min} to ${max}`)
  return number
}

function oneOf<const T extends readonly string[]>(name: string, value: string, values: T): T[number] {
  if (!values.includes(value)) throw wrong(name, value, `give one of ${values.join(', ')}`)
  return value
}

const list = (value: string | null) => (value ?? '').split(',').flatMap((part) => part.trim() || [])

function file(name: string, path: string | null): string | null {
  if (path === null) return null
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw wrong(name, path, `the file cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** The value is never shown: it may hold a password. */
function databaseUrl(name: string, value: string | null): string | null {
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

function databaseOwnerUrl(value: string | null, hasDatabaseUrl: boolean): string | null {
  if (value !== null && !hasDatabaseUrl)
    throw new ConfigInvalid(
      'DATABASE_OWNER_URL is set and DATABASE_URL is not: set both, or neither for the embedded database.',
    )
  return databaseUrl('DATABASE_OWNER_URL', value)
}

/** The value is never shown: it may hold a password. */
function smtpUrl(value: string | null): string | null {
  try {
    if (value !== null) readSmtpUrl(value)
  } catch (error) {
    throw wrong('SMTP_URL', '…', (error as Error).message)
  }
  return value
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1', '[::1]']
export const isLoopback = (host: string) => LOOPBACK.includes(host)

function publicUrl(value: string): string {
  const url = URL.parse(value)
  if (url?.pathname !== '/' || url.search || url.hash || url.username)
    throw wrong('PUBLIC_URL', value, 'give an origin such as https://plumbline.example.com')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    throw wrong('PUBLIC_URL', value, 'it must be https, or http on a loopback host')
  return url.origin
}

/** Only the form is read here; access/keyring.ts decodes and judges the keys. */
function masterKeys(
  value: string | null,
  path: string | null,
  hasDatabaseUrl: boolean,
): Pick<Config, 'masterKeys' | 'masterKeysFrom'> {
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

function duration(name: string, value: string): number {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(value)
  if (!match) throw wrong(name, value, 'give durations such as 30s, 10m, 1h')
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]
}

function retryDelays(value: string): number[] {
  const delays = list(value).map((part) => duration('WEBHOOK_RETRY_DELAYS', part))
  if (delays.length === 0 || delays.length > 20)
    throw wrong('WEBHOOK_RETRY_DELAYS', value, 'give one to twenty durations, with commas between')
  return delays
}

function rateLimit(value: string): Config['rateLimit'] {
  const match = /^(\d{1,9})\/(\w+)$/.exec(value)
  const calls = Number(match?.[1] ?? 0)
  if (!match || calls < 1) throw wrong('RATE_LIMIT', value, 'give calls and window, such as 500/10m')
  return { calls, windowMs: duration('RATE_LIMIT', match[2]!) }
}
