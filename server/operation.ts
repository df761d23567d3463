import type { Logger } from 'pino'
import { z } from 'zod'
import type { Capability, Scope } from '../model/scopes.ts'
import type { Caller } from './caller/caller.ts'
import type { ConfirmedInput, Needs } from './caller/needs.ts'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import type { Transaction } from './database/transaction.ts'
import type { Keyring } from './keyring/keyring.ts'
import type { Mail } from './mail/mail.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Code } from './refusal.ts'

/**
 * An operation: a thing the service can do. A plain value, of which every outward surface is a reading:
 * the REST route from `method` and `path`, the tool, the OpenAPI entry and the command from the name and
 * the schemas, the tests that walk all of them from the list in operations.ts.
 *
 * Input is one flat object whatever the door. Names in `{}` come from the path; the rest from the query
 * (GET, DELETE) or the body (POST, PATCH, PUT); those listed in `headers` may also come as a header.
 *
 * What `run` may do is said by `writes`:
 * - `false`: it reads, in a transaction of the caller's organization;
 * - `true`: it writes, and the transaction is committed when it returns;
 * - `'own'`: it also waits for something slow (a network, a password hash), so it gets the transaction as
 *   a function and opens it when it needs it.
 */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Writes extends boolean | 'own' = boolean | 'own',
> {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly needs: Needs
  /** What else is needed for an input that tells of things beyond those of `needs`. */
  readonly needsFor?: (input: z.output<Input>) => readonly Needs[]
  readonly writes: Writes
  readonly title: string
  readonly description?: string
  readonly input: Input
  readonly output: Output
  /** Of a list: what a row shows to a reader who has little room and names no fields. */
  readonly rowFields?: readonly string[]
  /** Of a change: what it asks of its fields beyond their form. */
  readonly fieldRules?: FieldRules
  /** Codes it refuses with beside those that follow from its form, for the documents. */
  readonly refusals?: readonly Code[]
  /** The input whose items are judged one by one while it runs: what no field could take refuses its own item alone. */
  readonly judgesEach?: string
  /** An input to show how it is used, what stands in the path included. */
  readonly example?: Readonly<Record<string, unknown>>
  /** Bytes a body may have, where the common limit (256 KB) does not do. */
  readonly bodyAtMost?: number
  /** Input names that may also come as this header. */
  readonly headers?: Readonly<Record<string, string>>
  /** The path of what was created; makes the answer a 201. */
  readonly location?: (output: z.output<Output>) => string
  /** `openWorld`: it reaches beyond this service. */
  readonly annotations?: {
    readonly destructive?: boolean
    readonly idempotent?: boolean
    readonly openWorld?: boolean
  }
  /** The outcome holds a secret under these names: shown once, and kept nowhere. */
  readonly secret?: string | readonly string[]
  readonly run: (context: ContextOf<Writes>, input: z.output<Input>) => Promise<z.input<Output>>
}

/** A record that was read can be sent back whatever these say: they are about what is to move. */
export interface FieldRules {
  /** No program changes these. */
  readonly ofPersons: readonly string[]
  /** These always have a value. */
  readonly notCleared: readonly string[]
  /** Values that follow from an act of their own, and that no change chooses. */
  readonly notChosen: Readonly<Record<string, readonly string[]>>
}

/** What an operation answered, in words that every door can turn into its own. */
export interface Answer {
  /** 200, 201 or 204. A kept refusal has its own. */
  readonly status: number
  readonly body: unknown
  readonly location?: string
}

/**
 * What operations are given of the service. What a room above this file has to give, it declares itself, by merging
 * with this interface, and service.ts builds it; so whoever asks for a part stands above the room that declares it.
 */
export interface Parts {
  readonly config: Config
  readonly log: Logger
  readonly database: Database
  readonly keyring: Keyring
  /** Null where the service sends none. */
  readonly mail: Mail | null
  readonly outbound: Outbound
}

interface Context {
  readonly caller: Caller
  readonly parts: Parts
}

export interface TransactionContext extends Context {
  readonly tx: Transaction
}

export interface OwnContext extends Context {
  transaction<T>(work: (context: TransactionContext) => Promise<T>): Promise<T>
}

export type ContextOf<Writes> = Writes extends 'own' ? OwnContext : TransactionContext

/** The list's common form: what a door needs of any operation. */
// biome-ignore lint/suspicious/noExplicitAny: an operation takes its own input; only the list forgets which
export type AnyOperation = Operation<any, any, any>

/** Describes an operation; the types of `run` follow from the schemas. */
export function operation<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  const Writes extends boolean | 'own',
>(described: Operation<Input, Output, Writes>): Operation<Input, Output, Writes> {
  return described
}

export const scope = (...anyOf: Scope[]): Needs => ({ anyOf })
export const person = (...anyOf: Scope[]): Needs => ({ anyOf, person: true })
export const capability = (name: Capability): Needs => ({ anyOf: [], capability: name, person: true })
/** Of somebody who has just proved who they are: always, or for an input that has one of those named. */
export const confirmed = (needs: Needs, ...inputs: ConfirmedInput[]): Needs => ({
  ...needs,
  confirmed: inputs.length > 0 ? inputs : true,
})
/** What is a person's own in all their organizations. */
export const oneself = (): Needs => ({ ...confirmed(person()), ownCredential: true })
/** The same, for what sets up a second factor. */
export const settingUp = (needs: Needs): Needs => ({ ...needs, beforeSecondFactor: true })

/** The output of what answers nothing (204). */
export const nothing = z.null()

const told = new WeakMap<z.core.$ZodType, z.ZodType>()

/** A schema that takes more than should be sent: the documents tell of `strict` in its place. */
export function looselyTaken<Loose extends z.ZodType>(loose: Loose, strict: z.ZodType): Loose {
  told.set(loose, strict)
  return loose
}

/** What the documents tell of in place of a schema, if anything. */
export const toldInPlaceOf = (schema: z.core.$ZodType): z.ZodType | undefined => told.get(schema)
