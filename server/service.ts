import type { Logger } from 'pino'
import { CallCounter } from './caller/call-counter.ts'
import { CallTurns } from './caller/call-turns.ts'
import type { Config } from './config.ts'
import { connect, type Database } from './database/connect.ts'
import { dueListeners } from './due-listeners.ts'
import { openFileStore } from './files/open-store.ts'
import { SignInEvents } from './identity/sign-in-events.ts'
import { jobKinds } from './job-kinds.ts'
import type { AnyJobKind } from './jobs/job-kind.ts'
import { openJobs } from './jobs/jobs.ts'
import { settleDenied } from './journal/denied.ts'
import { EntryLimiter } from './journal/entry-limiter.ts'
import { type Keyring, openKeyring } from './keyring/keyring.ts'
import { openLog } from './log.ts'
import { type Mail, openMail } from './mail/mail.ts'
import type { Parts } from './operation.ts'
import { operations } from './operations.ts'
import { openGuardedFetch } from './outbound/guarded-fetch.ts'
import { parseNetwork } from './outbound/network.ts'
import { openTextRecords } from './outbound/text-records.ts'
import { WorkerConnection } from './queue/worker-connection.ts'
import { References } from './records/references.ts'
import { openWebhooks } from './webhooks/webhooks.ts'

/**
 * The service, built once from its settings: main.ts builds it to serve, the command line to do one thing,
 * and tests build the very same.
 */
export interface Service extends Parts {
  close(): Promise<void>
}

/** For jobs, sign-in and what else takes no turn among the calls. */
const CONNECTIONS_BESIDES_CALLS = 4

/**
 * @param databaseUrl of the service's login on a migrated database
 * @param masterKeys the ring, `id:base64` entries
 * @param log where it writes what happened; standard output, unless given
 * @param furtherJobKinds of a test's own, beside those of the list
 */
export function buildService(
  config: Config,
  databaseUrl: string,
  masterKeys: string,
  log: Logger = openLog(config.logLevel),
  furtherJobKinds: readonly AnyJobKind[] = [],
): Service {
  const keyring: Keyring = openKeyring(masterKeys)
  const database: Database = connect(
    databaseUrl,
    { tenant: config.callsAtOnce + CONNECTIONS_BESIDES_CALLS },
    config.databaseOwnerUrl ?? databaseUrl,
  )
  const mail: Mail | null = config.smtpUrl === null ? null : openMail(config.smtpUrl, log, config.publicUrl)
  const entryLimiter = new EntryLimiter((err) => log.warn({ err }, 'an audit entry could not be written'))
  const connection = new WorkerConnection(database.listener, log)
  const webhooks = openWebhooks({ config, log, database, keyring, connection })
  const jobs = openJobs({
    config,
    log,
    database,
    connection,
    kinds: [...jobKinds, ...furtherJobKinds],
    parts: () => service,
  })
  const guarded = openGuardedFetch({
    allowedNetworks: config.webhookAllowedNetworks.map(parseNetwork),
    certificateAuthorities: config.webhookCertificateAuthorities ?? undefined,
  })
  const service: Service = {
    operations,
    config,
    log,
    keyring,
    database,
    webhooks,
    jobs,
    worker: () => connection.worker,
    dueListeners,
    reserveSends: (organizationId) => webhooks.reserve(organizationId),
    wakeSends: (endpointIds) => webhooks.wake(endpointIds),
    mail,
    files: openFileStore(config.files),
    outbound: { fetch: guarded.fetch, textsOf: openTextRecords() },
    callCounter: new CallCounter(database.gate),
    callTurns: new CallTurns(config.callsAtOnce),
    references: new References(database.gate),
    signIns: new SignInEvents(() => service, entryLimiter),
    entryLimiter,
    close: async () => {
      await jobs.stop()
      await webhooks.stop()
      await connection.end()
      await guarded.close()
      await settleDenied()
      await entryLimiter.settle()
      await database.close()
    },
  }
  return service
}
