import { join, resolve } from 'node:path'
import { type FilesPlace, filesPlace, mediaTypes, scanner } from './config/files.ts'
import {
  certificates,
  databaseOwnerUrl,
  databaseUrl,
  hostName,
  integer,
  masterKeys,
  metricsPort,
  networks,
  oneOf,
  proxies,
  publicUrl,
  rateLimit,
  readableFolder,
  readTimeout,
  retryDelays,
  smtpUrl,
  writable,
} from './config/values.ts'

export type { FilesPlace } from './config/files.ts'
export { ConfigInvalid } from './config/invalid.ts'

/**
 * The settings of one process, read once from the environment. A value that
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
  /** Calls that one process works on at the same time; the others wait for their turn (caller/call-turns.ts). */
  readonly callsAtOnce: number
  /** How long PostgreSQL may take for one statement of a call that only reads. */
  readonly readTimeoutMs: number
  readonly retentionDays: number
  /** Where checkpoints of the audit log go besides the database. */
  readonly auditCheckpointsFile: string
  /** Where the metrics listen: loopback, unless told otherwise. */
  readonly metricsHost: string
  /** 0: none. */
  readonly metricsPort: number
  /** A taken port is an error only where it was asked for by name. */
  readonly metricsPortGiven: boolean
  /** Where the bytes of files are kept. */
  readonly files: FilesPlace
  /** Of one file. */
  readonly fileMaxBytes: number
  /** Of all files of an organization together. */
  readonly filesPerOrganization: number
  /** Media types that are taken beside those that the service knows (model/file-types.ts). */
  readonly fileTypes: readonly string[]
  /** Who looks into each file before anybody gets it; absent: nobody. */
  readonly filesScan: { readonly host: string; readonly port: number } | null
  /** Further fonts for PDFs, in addition to those that come with the service. */
  readonly fontsFolder: string | null
  /** Absent: the service sends no mail, and admins hand out its links. */
  readonly smtpUrl: string | null
  readonly logLevel: LogLevel
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * @param environment usually `process.env`; an empty value counts as absent
 * @throws {ConfigInvalid} for the first value that makes no sense
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const get = (name: string) => environment[name]?.trim() || null
  const port = integer('PORT', get('PORT') ?? '3000', 0, 65_535)
  const host = hostName('HOST', get('HOST') ?? '127.0.0.1')
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
    trustedProxies: proxies(get('TRUSTED_PROXIES')),
    ...masterKeys(get('MASTER_KEY'), get('MASTER_KEY_FILE'), get('DATABASE_URL') !== null),
    role: oneOf('ROLE', get('ROLE') ?? 'all', ['all', 'api', 'worker'] as const),
    webhookAllowedNetworks: networks('WEBHOOK_ALLOWED_NETWORKS', get('WEBHOOK_ALLOWED_NETWORKS')),
    webhookCertificateAuthorities: certificates('WEBHOOK_CA_FILE', get('WEBHOOK_CA_FILE')),
    webhookRetryDelays: retryDelays(get('WEBHOOK_RETRY_DELAYS') ?? '30s,2m,10m,1h,6h,24h'),
    rateLimit: rateLimit(get('RATE_LIMIT') ?? '500/10m'),
    callsAtOnce: integer('CALLS_AT_ONCE', get('CALLS_AT_ONCE') ?? '16', 2, 200),
    readTimeoutMs: readTimeout(get('READ_TIMEOUT') ?? '10s'),
    retentionDays: integer('RETENTION_DAYS', get('RETENTION_DAYS') ?? '30', 1, 3_650),
    auditCheckpointsFile:
      writable('AUDIT_CHECKPOINTS_FILE', get('AUDIT_CHECKPOINTS_FILE')) ??
      join(dataDir, 'audit-checkpoints.jsonl'),
    metricsHost: hostName('METRICS_HOST', get('METRICS_HOST') ?? '127.0.0.1'),
    metricsPort: metricsPort(get('METRICS_PORT'), port),
    metricsPortGiven: get('METRICS_PORT') !== null,
    files: filesPlace(get('FILES'), dataDir, get),
    fileMaxBytes: integer('FILE_MAX_BYTES', get('FILE_MAX_BYTES') ?? '104857600', 1, 1024 ** 4),
    filesPerOrganization: integer(
      'FILES_PER_ORGANIZATION',
      get('FILES_PER_ORGANIZATION') ?? '21474836480',
      1,
      1024 ** 5,
    ),
    fileTypes: mediaTypes('FILE_TYPES', get('FILE_TYPES')),
    filesScan: scanner('FILES_SCAN', get('FILES_SCAN')),
    fontsFolder: readableFolder('FONTS', get('FONTS')),
    smtpUrl: smtpUrl(get('SMTP_URL')),
    logLevel: oneOf('LOG_LEVEL', get('LOG_LEVEL') ?? 'info', LOG_LEVELS),
  }
}
