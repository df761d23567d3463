import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { call } from '../../server/call.ts'
import type { Caller } from '../../server/caller/caller.ts'
import { operator, sessionOf } from '../../server/caller/operator.ts'
import { type Config, readConfig } from '../../server/config.ts'
import { joinEmbedded, startEmbedded } from '../../server/database/embedded.ts'
import { givenMasterKeys } from '../../server/keyring/master-key.ts'
import { operationsBy } from '../../server/operations.ts'
import { findOrganization } from '../../server/organization/organizations.ts'
import { prepare } from '../../server/preparation.ts'
import { buildService, type Service } from '../../server/service.ts'
import type { Given } from './command.ts'

/** Names everything this command does in the audit log and in its failure. */
export const requestId = randomUUID()

/**
 * Does something with the service's parts, built as the service itself builds them: on DATABASE_URL, or on
 * the embedded server, joined where a service runs it and held alone for this moment where none does.
 */
export async function withService<T>(given: Given, work: (service: Service) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  givenMasterKeys(config) // what is no key at all is refused before a database is touched
  return withDatabase(config, given, async (url, servedAt) => {
    const { masterKeys } = await prepare(config, url)
    // Links lead to the service that runs, whatever the port that it was given.
    const settings = servedAt && !process.env.PUBLIC_URL ? { ...config, publicUrl: servedAt } : config
    const service = buildService(settings, url, masterKeys, pino({ level: 'silent' }))
    try {
      return await work(service)
    } finally {
      await service.close()
    }
  })
}

export async function withDatabase<T>(
  config: Config,
  given: Given,
  work: (url: string, servedAt?: string) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl !== null) return work(config.databaseUrl)
  const log = given.json ? () => {} : (line: string) => console.error(line)
  const { url, publicUrl, release } = await joinEmbedded({ dataDir: config.dataDir, log })
  try {
    return await work(url, publicUrl)
  } finally {
    await release()
  }
}

/** The same without company: refuses where a service runs on the embedded database. */
export async function withOwnDatabase<T>(
  config: Config,
  given: Given,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl !== null) return work(config.databaseUrl)
  const log = given.json ? () => {} : (line: string) => console.error(line)
  const { url, stop } = await startEmbedded({ dataDir: config.dataDir, log })
  try {
    return await work(url)
  } finally {
    await stop()
  }
}

/** Who does it: the person named, or the operator of this machine where nobody is. */
export async function callerOf(
  { database }: Service,
  organization: string,
  as: string | undefined,
): Promise<Caller> {
  const { id, features } = await findOrganization(database, organization)
  const caller = as === undefined ? operator(id, features) : await sessionOf(database, id, as)
  return { ...caller, requestId }
}

/** An operation of the list, through the one place where rights are checked. */
export async function perform(
  service: Service,
  caller: Caller,
  name: string,
  input: object,
): Promise<object | null> {
  const operation = operationsBy('credential').find((one) => one.name === name)
  if (!operation) throw new Error(`no operation ${name}`)
  return (await call(service, caller, operation, input)).body as object | null
}

/** Every page of a list. */
export async function performAll(
  service: Service,
  caller: Caller,
  name: string,
  input: object,
): Promise<object[]> {
  const all: object[] = []
  let cursor: string | null = null
  do {
    const page = (await perform(service, caller, name, {
      ...input,
      limit: 200,
      ...(cursor ? { cursor } : {}),
    })) as {
      data: object[]
      nextCursor: string | null
    }
    all.push(...page.data)
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}
