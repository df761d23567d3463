import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { downloadLink, Streamed } from '../bytes.ts'
import type { Caller } from '../caller/caller.ts'
import { type Row, statement } from '../database/connect.ts'
import { type Transaction, transaction } from '../database/transaction.ts'
import { actingCaller, startedBy } from '../jobs/acting.ts'
import type { StartedBy } from '../jobs/job-kind.ts'
import type { AnyOperation, Parts } from '../operation.ts'
import { Refusal } from '../refusal.ts'

/**
 * Links to bytes, for whoever cannot take a stream as an answer: a page, which would have to hold all of it before it
 * is saved, an agent, and a program that hands a file on. A link is good once, for five minutes. It keeps the call and
 * who made it, and following it makes the call again: so what its caller may not read any more, it does not give. One
 * that a session asked for works in that session alone.
 *
 * Of the secret its digest is kept: of 32 random bytes nothing can be guessed, and after five minutes nothing is left.
 */
export const LINK_MINUTES = 5

/** Below this word of the service's address stand the links. */
export const DOWNLOADS = 'download'

/** A call that answers bytes, as it was made. */
export interface BytesCall {
  readonly operation: AnyOperation
  /** As it came, whatever the door. */
  readonly raw: unknown
}

/** Makes a link to what a call answered, in its transaction. */
export async function linkTo(
  tx: Transaction,
  { config }: Parts,
  caller: Caller,
  { operation, raw }: BytesCall,
  { name, type, bytes }: Streamed,
): Promise<z.output<typeof downloadLink>> {
  const secret = randomBytes(32).toString('base64url')
  const { credential, channel } = caller
  const [row] = await tx.readAsGate<{ expiresAt: string }>(
    insert(
      digest(secret),
      caller.organizationId,
      operation.name,
      JSON.stringify(raw ?? {}),
      JSON.stringify(startedBy(caller)),
      credential.type === 'session' && channel === 'ui' ? credential.id : null,
    ),
  )
  return { url: `${config.publicUrl}/${DOWNLOADS}/${secret}`, expiresAt: row!.expiresAt, name, type, bytes }
}

/** What a link was made for, and who it acts as. */
export interface FollowedLink extends BytesCall {
  readonly caller: Caller
}

/**
 * Uses a link up.
 * @param sessionId of the browser that follows it
 * @throws {Refusal} `link_invalid`, alike for one that never was, was used, is too old or is another session's; what
 *   is told to a caller who may no longer do what it was made for
 */
export async function followLink(
  parts: Parts,
  secret: string,
  sessionId: string | null,
): Promise<FollowedLink> {
  const { rows } = await parts.database.gate.query<Row>(take(digest(secret), sessionId))
  const link = rows[0] as Kept | undefined
  const operation = parts.operations.find(({ name }) => name === link?.operation)
  if (!link || !operation) throw invalidLink()
  const caller = await transaction(parts.database.tenant, link.organizationId, (tx) =>
    actingCaller(tx, link.startedBy, [operation.needs]),
  )
  return { operation, raw: link.input, caller }
}

interface Kept {
  readonly organizationId: string
  readonly operation: string
  readonly input: unknown
  readonly startedBy: StartedBy
}

export const invalidLink = (): Refusal =>
  new Refusal('link_invalid', 'This link was used already, or is too old: ask for the file again.')

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const insert = statement(`
  insert into download_links (secret_hash, organization_id, operation, input, started_by, session_id, expires_at)
  values ($1, $2, $3, $4, $5, $6, clock_now() + interval '${LINK_MINUTES} minutes')
  returning expires_at as "expiresAt"`)

const take = statement(`
  delete from download_links
   where secret_hash = $1 and expires_at > clock_now() and (session_id is null or session_id = $2)
  returning organization_id as "organizationId", operation, input, started_by as "startedBy"`)

export const removeOldLinks = statement('delete from download_links where expires_at <= clock_now()')
