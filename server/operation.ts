import type { Provider } from 'oidc-provider'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Kind, Source } from '../model/kind.ts'
import type { KindName, kinds } from '../model/kinds/index.ts'
import type { Needs } from '../model/needs.ts'
import type { InStates } from '../model/states.ts'
import type { Whom } from '../model/whom.ts'
import type { CallCounter } from './caller/call-counter.ts'
import type { CallTurns } from './caller/call-turns.ts'
import type { Caller } from './caller/caller.ts'
import type { RequestContext } from './caller/request-context.ts'
import type { Session } from './caller/session.ts'
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
 * `by` says who may call it, and each door serves what is its own:
 * - `credential`: whoever shows one; a program its key or token, a person their session or the command line. It is
 *   done for a `Caller`, in their organization;
 * - `session`: a browser in which somebody is signed in, at the web app's door alone: what changes or ends that;
 * - `anybody`: a browser, whoever sits there, at the same door: what leads to a session;
 * - `guest`: a browser that was let in by a guest pass, at the door for guests alone (guests/). It is done for a `Caller`,
 *   too, and takes nothing that names a record: that one is the pass's.
 *
 * Input is one flat object whatever the door. Names in `{}` come from the path; the rest from the query
 * (GET, DELETE) or the body (POST, PATCH, PUT); those listed in `headers` may also come as a header.
 *
 * What `run` may do for a caller is said by `writes`:
 * - `false`: it reads, in a transaction of the caller's organization;
 * - `true`: it writes, and the transaction is committed when it returns;
 * - `'own'`: it also waits for something slow (a network, a password hash), so it gets the transaction as
 *   a function and opens it when it needs it.
 */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Writes extends boolean | 'own' = boolean | 'own',
  By extends CalledBy = CalledBy,
> extends Described<Input, Output> {
  readonly by: By
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly needs: Needs
  readonly writes: Writes
  readonly takes: Takes
  readonly answers: Answers
  readonly run: (context: ContextOf<By, Writes>, input: z.output<Input>) => Promise<ResultOf<By, Output>>
}

export type CalledBy = 'anybody' | 'session' | 'guest' | 'credential'

/** What one call may bring, and how much of it. */
export interface Takes {
  /** The media types of the bytes that it takes as they are, as its `bodyIs`; the rest stands in the path or the query. */
  readonly types?: readonly string[]
  readonly bytes: number
  /** Every member and item counts. */
  readonly values: number
}

export const TAKES_AT_MOST: Takes = { bytes: 256 * 1024, values: 20_000 }

/**
 * A redirect is for a browser that comes from elsewhere by itself. Of a stream `run` gives the bytes (`streamed`, in
 * bytes.ts): a program that calls by REST gets them, everybody else a link to them, which works once. A `link` is the
 * same for all of them.
 */
export type Answers = 'json' | 'nothing' | 'redirect' | 'stream' | 'link'

/** Whether what it answers is bytes. */
export const answersBytes = ({ answers }: Pick<AnyOperation, 'answers'>): boolean =>
  answers === 'stream' || answers === 'link'

/** Whether it reads or writes many records: such calls share fewer places (caller/call-turns.ts). */
export const isLarge = ({ isLarge, writes, input, answers }: AnyOperation): boolean =>
  isLarge === true ||
  (writes === false && ('limit' in input.shape || 'q' in input.shape || answers === 'stream'))

/** What an operation says of itself, whoever may call it. */
interface Described<Input extends z.ZodObject, Output extends z.ZodType> {
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly input: Input
  readonly output: Output
  /** What else is needed for an input that tells of things beyond those of `needs`. */
  readonly needsFor?: (input: z.output<Input>) => readonly Needs[]
  /** Agents are shown it last: there are more lists than they have room for at first, and findTools finds it. */
  readonly isAside?: true
  /** Of a list: what a row shows to a reader who has little room and names no fields. */
  readonly rowFields?: readonly string[]
  /** What it shows beside them where it is so, as it asks somebody to see to the row; and why. */
  readonly rowMarks?: readonly string[]
  /** Of a change: what it asks of its fields beyond their form. */
  readonly fieldRules?: FieldRules
  /** It reads or writes many records. Lists, searches and exports need not say so (`isLarge`). */
  readonly isLarge?: true
  /** Codes it refuses with beside those that follow from its form, for the documents. */
  readonly refusals?: readonly Code[]
  /**
   * The input that is judged while it runs, or whose items are, one by one: what no field could take refuses its own
   * item alone.
   */
  readonly judgesEach?: string
  /** The input that the whole body of a request is; what else it takes stands in the path or a header. */
  readonly bodyIs?: string
  /** An input to show how it is used, what stands in the path included. */
  readonly example?: Readonly<Record<string, unknown>>
  /** The record that it acts on, by its `id`: the page of each offers it, with a form for the rest. */
  readonly on?: OnRecord
  /**
   * Of what other kinds have in the same form: the one tool by which agents reach all of these, the kind that this one
   * is for, and what is to be known of it alone.
   */
  readonly sharedTool?: SharedTool & { readonly kind: Kind; readonly note?: string }
  /** What it takes: JSON, unless it says `types`; the common limits hold for what it leaves out. */
  readonly takes?: Partial<Takes>
  /** What it answers. Left out: JSON, or nothing where its output is `nothing`. */
  readonly answers?: Answers
  /** Its bytes are a picture on a page that the caller reads: to be shown, and no download for the audit log. */
  readonly isShownOnPage?: true
  /** Input names that may also come as this header. */
  readonly headers?: Readonly<Record<string, string>>
  /** The path of what was created; makes the answer a 201, unless it was there already (`foundThere`). */
  readonly location?: (output: z.output<Output>) => string
  /** `openWorld`: it reaches beyond this service. */
  readonly annotations?: {
    readonly destructive?: boolean
    readonly idempotent?: boolean
    readonly openWorld?: boolean
  }
  /** The outcome holds a secret under these names: shown once, and kept nowhere. */
  readonly secret?: string | readonly string[]
}

/** A record that an operation acts on. */
export type OnRecord = { readonly [Name in KindName]: OnRecordOf<Name> }[KindName]

interface OnRecordOf<Name extends KindName> {
  readonly kind: Name
  /** What its button says, a verb; where left out, the title without what the kind is called. */
  readonly button?: string
  /** The states in which it can be done, by field, of which null is to be empty: the page offers it in no other, and no other is changed by it. */
  readonly when?: {
    readonly [Field in keyof (typeof kinds)[Name]['fields']]?: readonly (z.output<
      (typeof kinds)[Name]['fields'][Field]
    > | null)[]
  } & { readonly source?: readonly Source[] }
  /** Whom of those who may do it each record leaves it to: the page offers it to nobody else. */
  readonly who?: Whom
  /** Inputs that are what the page shows of the record: said back, as whoever decides was shown it, and asked of nobody. */
  readonly shown?: readonly (keyof (typeof kinds)[Name]['derived'] & string)[]
}

/** A tool that stands for operations of one form, each over the records of its kind. */
export interface SharedTool {
  readonly name: string
  readonly title: string
  readonly description?: string
  /** Whether work seldom begins with it: where not all tools have room, it makes room for the lists. */
  readonly isAside?: true
}

/** What is done for a caller, who has shown a credential. */
interface ForCaller<Input extends z.ZodObject, Output extends z.ZodType, Writes extends boolean | 'own'>
  extends Described<Input, Output> {
  readonly by?: 'credential'
  readonly method: Operation['method']
  readonly path: string
  readonly needs: Needs
  readonly writes: Writes
  readonly run: Operation<Input, Output, Writes, 'credential'>['run']
}

/** What is done for a guest. Its path follows from its name. */
interface ForGuest<Input extends z.ZodObject, Output extends z.ZodType, Writes extends boolean | 'own'>
  extends Described<Input, Output> {
  readonly by: 'guest'
  readonly needs: Needs
  readonly writes: Writes
  readonly run: Operation<Input, Output, Writes, 'guest'>['run']
}

/** What is done for a browser. Its path follows from its name, unless it has one of its own. */
interface ForBrowser<Input extends z.ZodObject, Output extends z.ZodType, By extends 'anybody' | 'session'>
  extends Described<Input, Output> {
  readonly by: By
  readonly method?: 'GET' | 'POST'
  readonly path?: string
  /** What is asked of the session; of `anybody` nothing is. */
  readonly needs?: By extends 'session' ? Needs : never
  readonly run: Operation<Input, Output, 'own', By>['run']
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
  /** 200, 201, 204, or 303 of a redirect. A kept refusal has its own. */
  readonly status: number
  readonly body: unknown
  readonly location?: string
  /** What a browser is to keep, beside the answer. */
  readonly cookies?: Cookies
}

/** Null: it keeps that one no more. Left out: as before. */
export interface Cookies {
  /** The secret of the session that now is. */
  readonly session?: string | null
  /** What it brings back with the answer of a sign-in provider. */
  readonly provider?: string | null
  /** The devices that it is, one of each person who signed in in it. */
  readonly devices?: readonly string[]
  /** The secret of the session of a guest; it goes nowhere but to the door for guests. */
  readonly guest?: string | null
}

/**
 * What operations are given of the service. What a room above this file has to give, it declares itself, by merging
 * with this interface, and service.ts builds it; so whoever asks for a part stands above the room that declares it.
 */
export interface Parts {
  /** The one list, for the doors that serve it and for what tells of it. */
  readonly operations: readonly AnyOperation[]
  readonly config: Config
  readonly log: Logger
  readonly database: Database
  readonly keyring: Keyring
  readonly callCounter: CallCounter
  readonly callTurns: CallTurns
  /** Null where the service sends none. */
  readonly mail: Mail | null
  readonly outbound: Outbound
}

interface Context {
  readonly caller: Caller
  readonly parts: Parts
  /** The record that the operation acts on, the states in which it can, and who; none where anybody can in any. */
  readonly actsOn?:
    | {
        readonly kind: KindName
        readonly id: unknown
        readonly when: InStates
        readonly who?: Whom | undefined
      }
    | undefined
}

export interface TransactionContext extends Context {
  readonly tx: Transaction
}

export interface OwnContext extends Context {
  /** Whether bytes that it answers leave with this call; else a link to them does, and it is done again when that is followed. */
  readonly sendsBytes: boolean
  transaction<T>(work: (context: TransactionContext) => Promise<T>): Promise<T>
}

/** What a browser brought to the web app's door. */
export interface Browser {
  readonly requestContext: RequestContext
  readonly session: Session | null
  /** Of a sign-in that it began at a provider. */
  readonly providerSecret?: string | undefined
  /**
   * The request of a program that it was sent here with.
   * @throws {Refusal} `not_found` for one that it did not come with, or that is over
   */
  readonly pendingConsent: (uid: string) => Promise<PendingConsent>
}

/** What the authorization server's library knows of a request that waits for its answer. */
export interface PendingConsent {
  readonly provider: Provider
  readonly interaction: Awaited<ReturnType<Provider['interactionDetails']>>
}

/** Of whom the door knows: for `anybody` there may be no session. */
export interface BrowserContext<By extends 'anybody' | 'session' = 'anybody' | 'session'> extends Browser {
  readonly parts: Parts
  readonly session: By extends 'session' ? Session : Session | null
}

/** What an operation for browsers gives back: its answer, and what the browser is to keep. */
export interface Outcome<Body> {
  readonly body: Body
  readonly cookies?: Omit<Cookies, 'devices'>
  /** The session is the one there was, under another secret: nobody has just shown who they are. */
  readonly isSameSession?: true
}

export type ContextOf<By, Writes> = By extends 'credential' | 'guest'
  ? Writes extends 'own'
    ? OwnContext
    : TransactionContext
  : By extends 'anybody' | 'session'
    ? BrowserContext<By>
    : never

type ResultOf<By, Output extends z.ZodType> = By extends 'credential' | 'guest'
  ? z.input<Output>
  : Outcome<z.input<Output>>

/** The list's common form: what a door needs of any operation. */
// biome-ignore lint/suspicious/noExplicitAny: an operation takes its own input; only the list forgets which
export type AnyOperation = Operation<any, any, any, any>

/** Describes an operation, by `credential` unless it says otherwise; the types of `run` follow from the schemas. */
export function operation<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  const Writes extends boolean | 'own',
>(described: ForCaller<Input, Output, Writes>): Operation<Input, Output, Writes, 'credential'>
export function operation<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  const Writes extends boolean | 'own',
>(described: ForGuest<Input, Output, Writes>): Operation<Input, Output, Writes, 'guest'>
export function operation<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  const By extends 'anybody' | 'session',
>(described: ForBrowser<Input, Output, By>): Operation<Input, Output, 'own', By>
export function operation(
  described: Described<z.ZodObject, z.ZodType> & { readonly by?: CalledBy },
): AnyOperation {
  const { name, output, by = 'credential' } = described
  const ofBrowsers = { method: 'POST', path: `/web/${name}`, needs: NOTHING, writes: 'own' }
  const ofGuests = { method: 'POST', path: `/guest/${name}` }
  return {
    ...(by === 'credential' ? {} : by === 'guest' ? ofGuests : ofBrowsers),
    ...described,
    by,
    takes: { ...TAKES_AT_MOST, ...described.takes },
    answers: described.answers ?? (output === nothing ? 'nothing' : 'json'),
  } as AnyOperation
}

/** Of a session, what is its person's own, unless it says what else it needs. */
const NOTHING: Needs = { anyOf: [], ofOneself: true }

/** What an operation says it needs, so that whoever describes one finds all words for it here. */
export {
  andAuditors,
  anySession,
  capability,
  confirmed,
  guest,
  oneself,
  own,
  ownOf,
  person,
  scope,
  settingUp,
} from '../model/needs.ts'

const found = new WeakSet<object>()

/** What an operation answers that may add something, and found it there: a 200. */
export function foundThere<Body extends object>(body: Body): Body {
  found.add(body)
  return body
}
export const wasThere = (body: unknown): boolean => found.has(body as object)

/** The output of what answers nothing (204). */
export const nothing = z.null()

/** The output of what answers with a redirect (303): the whole address where the browser goes on. */
export const redirect = z.object({ location: z.string() })

const told = new WeakMap<z.core.$ZodType, z.ZodType>()

/** A schema that takes more than should be sent: the documents tell of `strict` in its place. */
export function looselyTaken<Loose extends z.ZodType>(loose: Loose, strict: z.ZodType): Loose {
  told.set(loose, strict)
  return loose
}

/** What the documents tell of in place of a schema, if anything. */
export const toldInPlaceOf = (schema: z.core.$ZodType): z.ZodType | undefined => told.get(schema)
