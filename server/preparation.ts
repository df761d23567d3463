import { type Config, ConfigInvalid } from './config.ts'
import { withClient } from './database/connect.ts'
import { DatabaseUnreachable, isUnreachable } from './database/errors.ts'
import { migrate, refuseUnfit } from './database/migrate.ts'
import { refuseMissingRoles } from './database/row-security.ts'
import { MasterKeyRefused } from './keyring/keyring.ts'
import { givenMasterKeys, type MasterKeys, makeMasterKey, masterKeyFile } from './keyring/master-key.ts'
import { examineMasterKeys, keyIsLost, leaveProof, problemWith } from './keyring/master-key-proof.ts'

/**
 * What comes between a database that answers and a service on it, for the service and the command line alike:
 * its master key is held against what is there before anything is written, it is migrated, judged, and the key
 * leaves its proof.
 *
 * @param url of the service's login
 * @returns the ring for `buildService`, and the migrations that were run
 * @throws {MasterKeyRefused} for a key that is wrong, incomplete or lost
 * @throws {DatabaseUnfit} for a database that this version cannot serve from
 */
export async function prepare(
  config: Config,
  url: string,
): Promise<{ masterKeys: string; migrated: string[] }> {
  const given = givenMasterKeys(config)
  await withClient(url, 'plumbline start', refuseMissingRoles)
  const isProven = await refuseWrongMasterKey(config, url, given)
  const migrated = await migrateAsOwner(config, url)
  await refuseUnfit(url)
  if (given && isProven) return { masterKeys: given.entries, migrated }
  const keys = given ?? makeMasterKey(config.dataDir)
  await withClient(url, 'plumbline start', (client) => leaveProof(client, keys, given === null))
  return { masterKeys: keys.entries, migrated }
}

/**
 * Migrates with the login that may: DATABASE_OWNER_URL where it is set.
 * @returns the names of the files that were run
 */
export async function migrateAsOwner(config: Config, url: string): Promise<string[]> {
  const ownerUrl = config.databaseOwnerUrl
  if (ownerUrl === null) return migrate({ url })
  try {
    await refuseOtherDatabase(url, ownerUrl)
    return await migrate({ url: ownerUrl })
  } catch (error) {
    throw isUnreachable(error) ? new DatabaseUnreachable('DATABASE_OWNER_URL', error) : error
  }
}

/** One of two settings that was changed alone would have another database migrated than the one that is served. */
async function refuseOtherDatabase(url: string, ownerUrl: string): Promise<void> {
  const [served, owned] = [await placeOf(url), await placeOf(ownerUrl)]
  if (served.place !== owned.place)
    throw new ConfigInvalid(
      `DATABASE_OWNER_URL (${owned.name}) and DATABASE_URL (${served.name}) lead to different databases: they have to name the same one.`,
    )
}

interface Place {
  readonly name: string
  /** The same for whoever is connected to it. */
  readonly place: string
}

const placeOf = (url: string): Promise<Place> =>
  withClient(url, 'plumbline start', async (client) => {
    const { rows } = await client.query<Place>(`
      select datname as name, concat(oid, ' ', extract(epoch from pg_postmaster_start_time())) as place
        from pg_database where datname = current_database()`)
    return rows[0]!
  })

/**
 * Checks the keys against a database of any version, and writes nothing.
 * @returns whether they are proven, so that a start has nothing to write
 * @throws {MasterKeyRefused}
 */
export async function refuseWrongMasterKey(
  config: Config,
  url: string,
  given: MasterKeys | null,
): Promise<boolean> {
  const findings = await withClient(url, 'plumbline start', (client) =>
    examineMasterKeys(client, given?.keyring ?? null).catch((error) => {
      // A login that may not become the roles is refused once the database is migrated, with what it needs.
      if (given && (error as { code?: string }).code === '42501') return null
      throw error
    }),
  )
  if (findings === null) return false
  if (given === null) {
    if (!findings.isUnused) throw new MasterKeyRefused(keyIsLost(masterKeyFile(config.dataDir)))
    return false
  }
  const problem = problemWith(findings, given)
  if (problem !== undefined) throw new MasterKeyRefused(problem)
  return findings.isProven
}
