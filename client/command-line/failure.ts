import { BackupRefused } from '../../server/backup/format.ts'
import { ConfigInvalid } from '../../server/config.ts'
import { EmbeddedDatabaseFault } from '../../server/database/embedded.ts'
import { DatabaseUnreachable, isUnreachable, refusalOf } from '../../server/database/errors.ts'
import { DatabaseUnfit } from '../../server/database/unfit.ts'
import { MasterKeyRefused } from '../../server/keyring/keyring.ts'
import { withoutSecrets } from '../../server/log.ts'
import type { Problem } from './problem.ts'
import { RemotelyRefused } from './remote.ts'
import { requestId } from './service.ts'

export function problemOf(error: unknown): Problem {
  if (error instanceof RemotelyRefused) return error.problem
  if (error instanceof ConfigInvalid || error instanceof MasterKeyRefused)
    return plain('config_invalid', 'A setting is not valid', 500, error.message)
  if (error instanceof BackupRefused)
    return plain('backup_refused', 'The backup cannot be used', 500, error.message)
  if (error instanceof DatabaseUnfit)
    return plain('database_unfit', 'The database cannot be used', 500, error.message)
  if (error instanceof EmbeddedDatabaseFault)
    return plain('unavailable', 'The embedded database cannot be used', 503, error.message)
  if (error instanceof DatabaseUnreachable || isUnreachable(error)) {
    const { message } =
      error instanceof DatabaseUnreachable ? error : new DatabaseUnreachable('DATABASE_URL', error)
    return plain('unavailable', 'The database cannot be reached', 503, message)
  }
  const refusal = refusalOf(error)
  if (!refusal)
    return plain(
      'internal',
      'Something went wrong on our side',
      500,
      withoutSecrets((error as Error).message),
    )
  const { code, title, status, message, members } = refusal
  return { ...members, ...plain(code, title, status, message) }
}

const plain = (code: string, title: string, status: number, detail: string): Problem => ({
  type: `urn:plumbline:problem:${code}`,
  title,
  status,
  detail,
  code,
  requestId,
})

/** The problem for a person: what is wrong, and each field at fault. */
export function wordsOf({ detail, errors = [] }: Problem): string {
  const fields = errors.length > 1 ? errors.map(({ path, message }) => `  ${path}: ${message}`) : []
  return [`plumbline: ${detail}`, ...fields].join('\n')
}
