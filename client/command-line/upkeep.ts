import type pg from 'pg'
import { type Config, readConfig } from '../../server/config.ts'
import { withClient } from '../../server/database/connect.ts'
import { inspectLogin } from '../../server/database/login.ts'
import { refuseUnfit, schemaOf } from '../../server/database/migrate.ts'
import { missingProtection, refuseMissingRoles, sentenceOf } from '../../server/database/row-security.ts'
import { DatabaseUnfit } from '../../server/database/unfit.ts'
import { givenMasterKeys, masterKeyFile } from '../../server/keyring/master-key.ts'
import { examineMasterKeys, keyIsLost, problemWith } from '../../server/keyring/master-key-proof.ts'
import { type AskAs, olderKeyUses } from '../../server/keyring/older-keys.ts'
import { refuseUnusableHosts } from '../../server/ports.ts'
import { migrateAsOwner, refuseWrongMasterKey } from '../../server/preparation.ts'
import type { Command } from './command.ts'
import { problemOf } from './failure.ts'
import { fieldLines } from './print.ts'
import { withDatabase } from './service.ts'

const CHECK = 'plumbline check'

const runMigrations: Command = {
  name: 'migrate',
  summary: 'Brings the database to what this version expects',
  flags: {},
  notes: 'Uses DATABASE_OWNER_URL where it is set. Any number of processes may do it at once.',
  run: (given) => {
    const config = readConfig(process.env)
    const keys = givenMasterKeys(config)
    return withDatabase(config, given, async (url) => {
      await withClient(url, 'plumbline migrate', refuseMissingRoles)
      await refuseWrongMasterKey(config, url, keys)
      const applied = await migrateAsOwner(config, url)
      const text = applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'There was nothing to apply.'
      return { json: { applied }, text }
    })
  },
}

const check: Command = {
  name: 'config check',
  summary: 'Tells every setting and whether the service could start with them',
  flags: {},
  notes:
    'Reads the variables of the shell it is started from: a service that is started elsewhere, by a unit file or in ' +
    'a container, has those of that place.',
  run: async (given) => {
    const config = readConfig(process.env)
    await refuseUnusableHosts(config)
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
    AUDIT_CHECKPOINTS_FILE: config.auditCheckpointsFile,
    METRICS_HOST: config.metricsHost,
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
  return withClient(url, CHECK, async (client) => {
    const login = await inspectLogin(client)
    const { applied, known } = await schemaOf(client)
    const schema = { applied: applied.at(-1) ?? null, expected: known.at(-1) ?? null }
    const isMigrated = applied.length > 0 && known.every((name) => applied.includes(name))
    const missing = isMigrated ? await missingProtection(client) : null
    const found = { kind, reachable: true, login, schema, missing: missing ?? undefined }
    try {
      // The embedded database is migrated by whoever holds it next; nobody needs to be told.
      if (config.databaseUrl !== null) {
        await refuseMissingRoles(client)
        await refuseUnfit(url)
      } else if (missing) throw new DatabaseUnfit(sentenceOf(missing))
      return { ...found, problem: undefined }
    } catch (error) {
      return { ...found, problem: problemOf(error).detail }
    }
  })
}

/** What the database says of the ring, and what still needs an older key. Nothing is made where there is none. */
async function examineKey(url: string, config: Config) {
  try {
    const keys = givenMasterKeys(config)
    return await withClient(url, CHECK, async (client) => {
      const findings = await examineMasterKeys(client, keys?.keyring ?? null)
      if (keys === null) {
        const problem = findings.isUnused ? undefined : keyIsLost(masterKeyFile(config.dataDir))
        return { source: 'made at the first start', ids: [], opens: findings.isUnused, problem }
      }
      const problem = problemWith(findings, keys)
      const { applied, known } = await schemaOf(client)
      const isMigrated = applied.length === known.length
      const olderKeys = isMigrated ? await olderKeyUses(askingAs(client), keys.keyring.ids) : []
      return { source: sourceOf(config), ids: keys.keyring.ids, opens: !problem, olderKeys, problem }
    })
  } catch (error) {
    // Not permitted, or a role that does not exist.
    const isBarred = ['42501', '22023'].includes((error as { code?: string }).code ?? '')
    const problem = isBarred
      ? 'not checked: the login cannot use the required roles'
      : problemOf(error).detail
    return { opens: false, problem }
  }
}

const sourceOf = (config: Config) => config.masterKeysFrom ?? 'DATA_DIR'

const askingAs =
  (client: pg.Client): AskAs =>
  async (role, text, values) => {
    await client.query(`set role ${role}`)
    const result = await client.query(text, values)
    await client.query('reset role')
    return result
  }

function report(
  found: { settings: object; database: object; masterKey: object },
  problems: readonly string[],
): string {
  const section = (title: string, values: object) => [title, ...fieldLines(values), '']
  return [
    ...section('Settings', found.settings),
    ...section('Database', found.database),
    ...section('Master key', found.masterKey),
    problems.length === 0 ? 'All good.' : problems.join('\n'),
  ].join('\n')
}

export const upkeepCommands = [runMigrations, check]
