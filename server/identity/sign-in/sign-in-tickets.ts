import { randomBytes } from 'node:crypto'
import { statement } from '../../database/connect.ts'
import type { Transaction } from '../../database/transaction.ts'
import type { Parts } from '../../operation.ts'
import { Refusal } from '../../refusal.ts'

/**
 * What somebody holds between the password and the second factor. It is no session: it opens nothing but the
 * second step, for five minutes and five tries, and the try that succeeds removes it.
 */
const MINUTES = 5
const TRIES = 5

export interface Ticket {
  readonly accountId: string
  readonly organizationId: string
  /** What was proved already. */
  readonly method: 'password' | 'link'
  /** By which hash, where it was a password. */
  readonly passwordHash?: string
}

/**
 * @returns the ticket's secret, kept nowhere else
 * @throws {Refusal} `sign_in_failed` where the password was replaced meanwhile
 */
export async function makeTicket(parts: Parts, ticket: Ticket): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const { accountId, organizationId, method, passwordHash = null } = ticket
  const hash = parts.keyring.hash(secret)
  const { rowCount } = await parts.database.gate.query(
    insert(hash, accountId, organizationId, method, passwordHash),
  )
  if (rowCount === 0) throw startOver()
  return secret
}

/**
 * Whose a ticket is; no try of it is spent.
 * @throws {Refusal} `sign_in_failed` with `startOver`
 */
export async function peekTicket(parts: Parts, secret: string): Promise<Ticket & { hash: Buffer }> {
  const { rows } = await parts.database.gate.query(peek(parts.keyring.hashes(secret)))
  if (!rows[0]) throw startOver()
  return rows[0]
}

/**
 * Spends a try of a ticket.
 * @throws {Refusal} `sign_in_failed` with `startOver`
 */
export async function tryTicket(parts: Parts, secret: string): Promise<Ticket & { hash: Buffer }> {
  const { rows } = await parts.database.gate.query(spend(parts.keyring.hashes(secret)))
  if (!rows[0]) throw startOver()
  return rows[0]
}

/**
 * Uses a ticket up; of two at the same moment, one does.
 * @throws {Refusal} `sign_in_failed` with `startOver`
 */
export async function takeTicket(tx: Transaction, hash: Buffer): Promise<Ticket> {
  const [ticket] = await tx.readAsGate<Ticket>(take(hash))
  if (!ticket) throw startOver()
  return ticket
}

const startOver = () =>
  new Refusal('sign_in_failed', 'This took too long, or too many tries: begin again with your password.', {
    startOver: true,
  })

/** Waits for a change of the password that is under way, which removes the tickets there are. */
const insert = statement(`
  insert into sign_in_tickets (secret_hash, user_id, organization_id, method, expires_at)
  select $1, id, $3, $4, clock_now() + interval '${MINUTES} minutes' from users
   where id = $2 and ($5::text is null or password_hash = $5) for share`)

const FIELDS = 'secret_hash as hash, user_id as "accountId", organization_id as "organizationId", method'

const peek = statement(`
  select ${FIELDS} from sign_in_tickets
   where secret_hash = any($1) and tries < ${TRIES} and expires_at > clock_now()`)

const spend = statement(`
  update sign_in_tickets set tries = tries + 1
   where secret_hash = any($1) and tries < ${TRIES} and expires_at > clock_now()
  returning ${FIELDS}`)

const take = statement(`
  delete from sign_in_tickets where secret_hash = $1 and expires_at > clock_now() returning ${FIELDS}`)
