import pg from 'pg'
import { openKeyring } from '../../server/access/keyring.ts'
import { keptMasterKey } from '../../server/access/master-key.ts'
import { type Config, readConfig } from '../../server/config.ts'
import { inspectLogin } from '../../server/database/login.ts'
import { migrate, refuseUnfit, schemaOf } from '../../server/database/migrate.ts'
import type { Command } from './command.ts'
import { problemOf } from './failure.ts'
import { columns } from './print.ts'
import { withDatabase } from './service.ts'

const runMigrations: Command = {
  name: 'migrate',
  summary: 'Brings the database to what this version expects',
  flags: {},
  notes: 'Uses DATABASE_OWNER_URL where it is set. Any number of processes may do it at once.',
  run: (given) => {
    const config = readConfig(process.env)
    return withDatabase(config, given, async (url) => {
      const applied = await migrate({ url: config.databaseOwnerUrl ?? url })
      const text = applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'There was nothing to apply.'
      return { json: { applied }, text }
    })
  },
}

const check: Command = {
  name: 'config check',
  summary: 'Tells every setting and whether the service could start with them',
  flags: {},
  run: async (given) => {
    const config = readConfig(process.env)
    const settings = shownSettings(config)
    const { database, masterKey } = await withDatabase(config, given, async (url) => ({
      database: await examine(url, config),
      masterKey: await examineKey(url, config),
    })).catch((error) => ({
      database: { reachable: false, problem: problemOf(error).detail },
      masterKey: { opens: false, problem: 'not tried, since the database cannot be reached' },
    }))
    const problems = [database.problem, masterKey.problem].filter((problem) => problem !== undefined)
    const json = { ok: problems.length === 0, settings, database, masterKey }
    return { json, text: report(json, problems), exitCode: problems.length === 0 ? 0 : 1 }
  },
}

/** Every setting as it is understood; of secrets, only that they are set. */
function shownSettings(config: Config): Record<string, unknown> {
  const given = (value: string | null) => (value === null ? null : '(set)')
  return {
    DATABASE_URL: redacted(config.databaseUrl),
    DATABASE_OWNER_URL: redacted(config.databaseOwnerUrl),
    DATA_DIR: config.dataDir,
    HOST: config.host,
    PORT: config.port,
    PUBLIC_URL: config.publicUrl,
    TRUSTED_PROXIES: config.trustedProxies,
    MASTER_KEY: given(config.masterKeys),
    ROLE: config.role,
    WEBHOOK_ALLOWED_NETWORKS: config.webhookAllowedNetworks,
    WEBHOOK_CA_FILE: given(config.webhookCertificateAuthorities),
    WEBHOOK_RETRY_DELAYS: config.webhookRetryDelays.map((delay) => `${delay / 1000}s`),
    RATE_LIMIT: `${config.rateLimit.calls}/${config.rateLimit.windowMs / 1000}s`,
    RETENTION_DAYS: config.retentionDays,
    METRICS_PORT: config.metricsPort,
    SMTP_URL: redacted(config.smtpUrl),
    LOG_LEVEL: config.logLevel,
  }
}

/** An URL without its password, and without parameters, which may hold one too. */
function redacted(text: string | null): string | null {
  if (text === null) return null
  const url = URL.parse(text)
  if (!url) return '(set)'
  const login = url.username ? `${url.username}${url.password ? ':…' : ''}@` : ''
  return `${url.protocol}//${login}${url.host}${url.pathname}`
}

async function examine(url: string, config: Config) {
  const kind = config.databaseUrl === null ? 'embedded' : 'DATABASE_URL'
  return withClient(url, async (client) => {
    const login = await inspectLogin(client)
    const { applied, known } = await schemaOf(client)
    const schema = { applied: applied.at(-1) ?? null, expected: known.at(-1) ?? null }
    const found = { kind, reachable: true, login, schema }
    try {
      // The embedded database is migrated by whoever holds it next; nobody needs to be told.
      if (config.databaseUrl !== null) await refuseUnfit(url)
      return { ...found, problem: undefined }
    } catch (error) {
      return { ...found, problem: problemOf(error).detail }
    }
  })
}

/** Whether the ring is well formed, and has every key that a secret at rest was sealed with. */
async function examineKey(url: string, config: Config) {
  try {
    const source = config.masterKeys === null ? 'DATA_DIR' : 'MASTER_KEY'
    const ring = config.masterKeys ?? keptMasterKey(config.dataDir)
    openKeyring(ring)
    const ids = ring.split(/[\s,]+/).flatMap((entry) => entry.split(':')[0] || [])
    const missing = (await sealedWith(url)).filter((id) => !ids.includes(id))
    const problem = `The master key has no ${missing.join(', ')}, with which secrets in the database are sealed: add it behind the others.`
    return { source, ids, opens: missing.length === 0, problem: missing.length === 0 ? undefined : problem }
  } catch (error) {
    return { opens: false, problem: problemOf(error).detail }
  }
}

/** Where secrets rest, and who may look at them from outside of an organization. */
const SEALED = [
  { table: 'webhook_endpoints', column: 'secret_cipher', role: 'plumbline_engine' },
  { table: 'sign_in_providers', column: 'client_secret_cipher', role: 'plumbline_gate' },
  { table: 'totp_secrets', column: 'sealed_secret', role: 'plumbline_gate' },
  { table: 'oauth_clients', column: 'secret_sealed', role: 'plumbline_gate' },
] as const

/** The ids of the master keys that secrets at rest begin with. */
const sealedWith = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const ids = new Set<string>()
    for (const { table, column, role } of SEALED) {
      const { rows } = await client
        .query("select to_regclass($1) is not null and pg_has_role($2, 'member') as there", [table, role])
        .catch(() => ({ rows: [{ there: false }] }))
      if (!rows[0].there) continue
      await client.query(`set role ${role}`)
      const found = await client.query(`
        select distinct convert_from(substring(${column} from 2 for get_byte(${column}, 0)), 'UTF8') as id
          from ${table} where length(${column}) > 0`)
      await client.query('reset role')
      for (const { id } of found.rows) ids.add(id)
    }
    return [...ids]
  })

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'plumbline check',
    connectionTimeoutMillis: 5_000,
  })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function report(
  found: { settings: object; database: object; masterKey: object },
  problems: readonly string[],
): string {
  const section = (title: string, values: object) => [
    title,
    ...columns(
      Object.entries(values).flatMap(([name, value]) =>
        value === undefined ? [] : [[`  ${name}`, plainly(value)]],
      ),
    ),
    '',
  ]
  return [
    ...section('Settings', found.settings),
    ...section('Database', found.database),
    ...section('Master key', found.masterKey),
    problems.length === 0 ? 'All good.' : problems.join('\n'),
  ].join('\n')
}

function plainly(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '–'
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value as object)
    .map(([name, one]) => `${name} ${plainly(one)}`)
    .join(', ')
}

export const upkeepCommands = [runMigrations, check]
