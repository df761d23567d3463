import type { InStates } from '../model/states.ts'
import { Streamed } from './bytes.ts'
import { callFromBrowser } from './call/from-browser.ts'
import type { Caller } from './caller/caller.ts'
import { writeRefusal } from './caller/limited-view.ts'
import { refuseUnlessAllowed } from './caller/rights.ts'
import { withBoundCursor, withOwnCursor } from './cursor.ts'
import { isDeadlock, refusalOf } from './database/errors.ts'
import { type Transaction, transaction } from './database/transaction.ts'
import { type BytesCall, linkTo } from './files/download-links.ts'
import { isKept, keep, type OnceKey, onceKey, release, reserve, takeKey } from './idempotency.ts'
import { parseInput, refuseUnstorable, withoutFaultyItems } from './input.ts'
import { audit } from './journal/audit.ts'
import { noteDenied } from './journal/denied.ts'
import {
  type Answer,
  type AnyOperation,
  type Browser,
  isLarge,
  type OwnContext,
  type Parts,
  type TransactionContext,
  wasThere,
} from './operation.ts'
import { projectedBy } from './output.ts'
import { again } from './records/again.ts'
import { calledSubject } from './records/called-subject.ts'
import { refusalWithHolder } from './records/holders.ts'
import { Refusal } from './refusal.ts'

/** Whether it is done for a `Caller`, in a transaction of their organization. */
const isForCaller = ({ by }: AnyOperation): boolean => by === 'credential' || by === 'guest'

/**
 * Does an operation for a caller, or for a browser (call/from-browser.ts): the only place where rights are checked,
 * input is parsed, a transaction is begun, and output passes through its schema (output.ts: what it does not name falls
 * away, so that a secret column cannot leak by accident).
 *
 * @param by who calls: of an operation by `credential` or `guest` the caller, of any other the browser
 * @param raw the flat input, as the door found it
 * @param asked what the door asks besides
 * @throws {Refusal} for every expected no; anything else is a fault of ours
 */
export async function call(
  parts: Parts,
  by: Caller | Browser,
  operation: AnyOperation,
  raw: unknown,
  asked: Asked = {},
): Promise<Answer> {
  if (isForCaller(operation) !== 'credential' in by) throw new Error(`${operation.name} is for another door`)
  if (!('credential' in by)) return callFromBrowser(parts, by, operation, raw)
  return callAs(parts, by, operation, raw, asked)
}

export interface Asked {
  /** Of a POST, for one that is repeated. */
  readonly idempotencyKey?: string | undefined
  /** Whether the door can send bytes on; where it cannot, a link to them is answered. */
  readonly takesStream?: boolean
}

async function callAs(
  parts: Parts,
  caller: Caller,
  operation: AnyOperation,
  raw: unknown,
  { idempotencyKey, takesStream = false }: Asked,
): Promise<Answer> {
  try {
    refuseUnlessAllowed(operation.needs, caller, raw)
    const refusal = writeRefusal(operation, caller)
    if (refusal) throw refusal
    const once =
      idempotencyKey === undefined ? null : onceKeyOf(parts, caller, operation, raw, idempotencyKey)
    return await perform({ parts, caller, operation, raw, once, takesStream, continues: false })
  } catch (error) {
    const refusal = refusalOf(error)
    // Being asked who one is again is no attempt at anything.
    if (refusal?.status === 403 && refusal.code !== 'identity_unconfirmed')
      noteDenied(parts, caller, operation, refusal, () => calledSubject(parts, caller, raw))
    throw refusal ?? error
  }
}

/** @throws {Refusal} for an input that cannot be walked, and so has no hash */
function onceKeyOf({ keyring }: Parts, caller: Caller, operation: AnyOperation, raw: unknown, key: string) {
  const walkable = withoutFaultyItems(operation, raw)
  refuseUnstorable(walkable, '', operation.takes.values)
  return onceKey(keyring, caller.credential.id, key, operation.name, walkable)
}

interface Call {
  parts: Parts
  caller: Caller
  operation: AnyOperation
  raw: unknown
  once: OnceKey | null
  takesStream: boolean
  /** Whether it has had a turn. */
  continues: boolean
}

async function perform(one: Call): Promise<Answer> {
  try {
    return one.operation.writes === 'own' ? await performOwn(one) : await performInOne(one)
  } catch (error) {
    const { parts, caller, raw } = one
    const refusal = await refusalWithHolder(
      (work) => transaction(parts.database.tenant, caller.organizationId, work),
      caller,
      error,
      raw,
    )
    if (one.once && refusal && isKept(refusal) && refusal.code !== 'idempotency_key_reused')
      await keepRefusal(one, one.once, refusal)
    throw refusal ?? error
  }
}

/**
 * Locks are taken in one order wherever that is known before. What a link, a batch and a deletion reach is not always:
 * of those that wait for each other PostgreSQL ends one, which has written nothing and is done anew.
 */
const performInOne = (one: Call): Promise<Answer> => again(() => performOnce(one), isDeadlock)

/**
 * A transaction of the call, when the organization has its turn. One that has had a turn has begun, and its next
 * transactions wait for theirs however long the queue is.
 */
async function inTurn<T>(one: Call, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { parts, caller, operation, continues } = one
  const { organizationId, credential } = caller
  const turn = { organizationId, credentialId: credential.id, isLarge: isLarge(operation), continues }
  const timeout = operation.writes === false ? parts.config.readTimeoutMs : undefined
  return parts.callTurns.run(turn, () => {
    one.continues = true
    return transaction(parts.database.tenant, organizationId, work, timeout)
  })
}

async function performOnce(one: Call): Promise<Answer> {
  const { parts, caller, operation, raw, once } = one
  const input = once ? null : inputOf(caller, operation, raw)
  return inTurn(one, async (tx) => {
    const first = once && (await takeKey(tx, once))
    if (first) return replay(first)
    const taken = input ?? inputOf(caller, operation, raw)
    const context: TransactionContext = { caller, parts, tx, actsOn: actsOn(operation, taken) }
    const answer = await run(one, context, taken)
    if (once) keep(tx, once, withoutSecret(operation, answer))
    return answer
  })
}

async function performOwn(one: Call): Promise<Answer> {
  const { parts, caller, operation, raw, once, takesStream: sendsBytes } = one
  const inTenant: OwnContext['transaction'] = (work) => inTurn(one, (tx) => work({ caller, parts, tx }))
  const first =
    once &&
    (await inTenant(async ({ tx }) => {
      const kept = await takeKey(tx, once)
      if (!kept) reserve(tx, once)
      return kept
    }))
  if (first) return replay(first)
  try {
    const input = inputOf(caller, operation, raw)
    const on = actsOn(operation, input)
    const own: OwnContext['transaction'] = (work) => inTenant((context) => work({ ...context, actsOn: on }))
    const answer = await run(one, { caller, parts, actsOn: on, sendsBytes, transaction: own }, input)
    if (once) await inTenant(async ({ tx }) => keep(tx, once, withoutSecret(operation, answer)))
    return answer
  } catch (error) {
    if (once) await inTenant(async ({ tx }) => release(tx, once))
    throw error
  }
}

function actsOn({ on }: AnyOperation, { id }: Record<string, unknown>): TransactionContext['actsOn'] {
  return on && (on.when || on.who)
    ? { kind: on.kind, id, when: (on.when ?? {}) as InStates, who: on.who }
    : undefined
}

/** The input, where the caller may give it. */
function inputOf(caller: Caller, operation: AnyOperation, raw: unknown) {
  const isQuery = caller.channel === 'rest' && (operation.method === 'GET' || operation.method === 'DELETE')
  const input = parseInput(operation, raw, isQuery ? 'query' : 'elsewhere')
  for (const needs of operation.needsFor?.(input) ?? []) refuseUnlessAllowed(needs, caller, raw)
  return input
}

async function run(
  { operation, raw, takesStream }: Call,
  context: TransactionContext | OwnContext,
  input: Record<string, unknown>,
): Promise<Answer> {
  const result = await operation.run(context, withOwnCursor(operation, input))
  if (result instanceof Streamed) {
    if (takesStream && operation.isShownOnPage) return { status: 200, body: result }
    if (takesStream) {
      const note = (within: TransactionContext) => noteDownload(within, operation, input, result)
      await ('tx' in context ? note(context) : context.transaction(note))
      return { status: 200, body: result }
    }
    return { status: 200, body: await linked(context, { operation, raw }, result) }
  }
  const body = withBoundCursor(operation, input, projectedBy(operation.output)(result))
  if (operation.location && !wasThere(result))
    return { status: 201, body, location: operation.location(body) }
  return { status: operation.answers === 'nothing' ? 204 : 200, body }
}

/**
 * The bytes leave the service: exports, documents and files alike. A link to them is no download yet; the call that
 * follows it is.
 */
async function noteDownload(
  { tx, caller }: TransactionContext,
  { name: operation }: AnyOperation,
  { id, fileId }: Record<string, unknown>,
  { name }: Streamed,
): Promise<void> {
  audit(tx, caller, {
    time: await tx.now,
    action: 'file.download',
    subject: { type: 'file', id: String(fileId ?? id ?? operation), title: name },
    reason: operation,
  })
}

/** A link to bytes, for a door that sends none. */
function linked(context: TransactionContext | OwnContext, one: BytesCall, bytes: Streamed) {
  const link = ({ tx, parts, caller }: TransactionContext) => linkTo(tx, parts, caller, one, bytes)
  return 'tx' in context ? link(context) : context.transaction(link)
}

function withoutSecret({ secret }: AnyOperation, answer: Answer): Answer {
  if (!secret) return answer
  const hidden = Object.fromEntries([secret].flat().map((name) => [name, null]))
  return { ...answer, body: { ...(answer.body as object), ...hidden } }
}

/** A first answer given again; where it was a refusal, it is refused again. */
function replay(answer: Answer): Answer {
  if (answer.status < 400) return answer
  const { code, detail, members } = answer.body as { code: Refusal['code']; detail: string; members: object }
  throw new Refusal(code, detail, { ...members })
}

async function keepRefusal({ parts, caller }: Call, once: OnceKey, refusal: Refusal): Promise<void> {
  const { code, message: detail, members } = refusal
  await transaction(parts.database.tenant, caller.organizationId, async (tx) => {
    const first = await takeKey(tx, once)
    if (!first) keep(tx, once, { status: refusal.status, body: { code, detail, members } })
  }).catch((error) => parts.log.warn({ err: error }, 'could not keep the answer to an idempotent request'))
}
