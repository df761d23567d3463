import { camel } from '../../model/calls.ts'
import { withoutSecrets } from '../log.ts'
import { invalid, Refusal } from '../refusal.ts'

/**
 * What PostgreSQL refused, in the service's words. Only what a caller can mend is translated; the rest is
 * a fault of ours, or the database being away (`isAway`). Class 22 is data that it cannot take: schemas should
 * have said so with the field, but it came from the caller.
 *
 * @returns the refusal itself where it is one already; null for what is not an expected no
 */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  const {
    code,
    constraint = '',
    table = '',
  } = error as { code?: string; constraint?: string; table?: string }
  if (code === '23505') {
    const field = uniqueFieldOf(table, constraint)
    return field ? taken(field) : null
  }
  if (code === '23503' && isDeletion(error) && KEPT[table])
    return new Refusal('referenced', KEPT[table], { table })
  if (code === '23503' && isDeletion(error))
    return new Refusal('referenced', `Other records (${table}) point here: change or remove those first.`, {
      table,
    })
  if (code === '23503') {
    const field = fieldOf(constraint)
    if (field && !/(User|Personnel)Id$/.test(field))
      return invalid({ path: field, message: 'no such record in this organization: check the id' })
    return new Refusal('principal_not_found', 'A record this one points at has just gone: choose another.')
  }
  if (code?.startsWith('22'))
    return invalid({
      path: '(input)',
      message: 'holds a time or a number that is out of range: give one that is nearer',
    })
  if (code === QUERY_CANCELED) return new StatementTooSlow()
  if (isPoolExhausted(error))
    return new Refusal(
      'unavailable',
      'The service is overloaded: no connection to its database became free in time. Nothing was written: try again in a moment.',
    )
  if (isAway(error))
    return new Refusal(
      'unavailable',
      'The database cannot be reached just now; nothing was written: try again in a moment.',
    )
  return null
}

const QUERY_CANCELED = '57014'

/** PostgreSQL ended a statement that took longer than it may. */
export class StatementTooSlow extends Refusal {
  constructor() {
    super(
      'unavailable',
      'The database took too long for this call, and nothing was written: narrow the filter or the search, or ask for fewer rows.',
    )
  }
}

/** Whether every connection of the pool was in use for as long as a call waits for one. */
const isPoolExhausted = (error: unknown): boolean =>
  /timeout exceeded when trying to connect/i.test((error as { message?: string }).message ?? '')

/** `conflict` for a value that another record has, which is told where it is known and may be. */
export function taken(field: string, holder?: { readonly id: string; readonly reference: string }): Refusal {
  const message = `${holder?.reference ?? 'another record'} has the same already: use another, or change that one`
  return new Refusal(
    'conflict',
    `${holder?.reference ?? 'Another record'} has this ${field} already: use another, or change that one.`,
    {
      field,
      ...(holder && { holder: { id: holder.id, reference: holder.reference } }),
      errors: [{ path: field, message }],
    },
  )
}

/** Of what is kept whatever becomes of the rest: what to do instead of the deletion. */
const KEPT: Readonly<Record<string, string>> = {
  applicability_statements:
    'Statements of applicability of it were approved, and are kept: retire it instead.',
}

/**
 * `workEmail` of `personnel_work_email_unique`: an index is called so where another value is the caller's to give. Of
 * any other a value that stands there already is a fault of ours.
 */
function uniqueFieldOf(table: string, constraint: string): string | null {
  const isNamed = constraint.startsWith(`${table}_`) && constraint.endsWith('_unique')
  return isNamed ? fieldNamed(constraint.slice(table.length + 1, -'_unique'.length)) : null
}

/** `managerId` of `personnel_organization_id_manager_id_fkey`, as PostgreSQL names a pair's constraint. */
function fieldOf(constraint: string): string | null {
  const column = /_organization_id_(\w+)_fkey$/.exec(constraint)?.[1]
  return column ? fieldNamed(column) : null
}

/** The stroke behind a word that PostgreSQL keeps (model/column-names.ts) is no part of the field. */
const fieldNamed = (column: string): string => camel(column.replace(/_$/, ''))

const isDeletion = (error: unknown) => /^update or delete on table/.test((error as Error).message)

const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03', // shut down, crashed, starting up
  '25006', // read-only: a standby
  '58030', // its disk fails
])

/** Whether the database was lost, is not there or can do nothing just now, rather than refusing a statement. */
export function isAway(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string }
  // Class 08: the connection. Class 53: no disk, memory or connection is left.
  return (
    (code !== undefined && (AWAY.has(code) || code.startsWith('08') || code.startsWith('53'))) ||
    /Connection terminated|connection error|timeout exceeded when trying to connect|Query read timeout/i.test(
      message,
    )
  )
}

/** Whether PostgreSQL ended a transaction because it and others waited for each other; begun again it goes through. */
export const isDeadlock = (error: unknown): boolean => (error as { code?: string }).code === '40P01'

/** Of a database that is away: what its operator can do. */
export function cureOf(error: unknown): string {
  const { code = '' } = error as { code?: string }
  return CURES[code] ?? 'see that PostgreSQL runs, and that DATABASE_URL leads to it'
}

/** For a line of the log about what is tried again. */
export const tryingOn = (error: unknown): string =>
  isAway(error) ? `trying on: ${cureOf(error)}` : 'trying on'

const CURES: Record<string, string> = {
  '25006':
    'PostgreSQL is read-only: let DATABASE_URL lead to the primary, and default_transaction_read_only be off',
  '53100': 'the disk of PostgreSQL is full: make room there',
  '53200': 'PostgreSQL has no memory left: give it more, or lower work_mem and shared_buffers',
  '53300': 'PostgreSQL has no connection left: raise its max_connections, or run fewer processes',
}

/** Whether a connection came to nothing: nobody there, no TLS, or the login or the name of the database not known. */
export function isUnreachable(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  const isNowhere = /^(ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|28...|3D...)$/.test(code)
  return isAway(error) || isNowhere || isWithoutTls(error)
}

const isWithoutTls = (error: unknown): boolean => {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return /^(ERR_TLS|ERR_SSL|CERT_)|SELF_SIGNED|UNABLE_TO_/.test(code) || NO_TLS.test(message)
}
const NO_TLS = /does not support SSL connections/

/** A database that a setting names cannot be reached; the message says why, and which setting that is. */
export class DatabaseUnreachable extends Error {
  override name = 'DatabaseUnreachable'

  constructor(setting: 'DATABASE_URL' | 'DATABASE_OWNER_URL', error: unknown) {
    const { message, code } = error as { message?: string; code?: string }
    const why = withoutSecrets(message || (code ?? ''))
    const cure = isWithoutTls(error)
      ? `let the server speak TLS with a certificate that ${setting} can verify (sslrootcert=FILE), or say sslmode=disable there on a network of your own`
      : `check ${setting} and that it runs`
    super(`The database cannot be reached (${why}): ${cure}.`)
  }
}
