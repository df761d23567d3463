import type { z } from 'zod'
import type { Needs } from '../../model/needs.ts'
import type { Caller } from '../caller/caller.ts'
import type { Parts, TransactionContext } from '../operation.ts'

/**
 * A kind of job: work that takes longer than a call, as a plain value in the one list (`server/job-kinds.ts`).
 *
 * `run` does the work piece by piece. Each piece is one call of `step`, and one transaction, which also moves the
 * place of the job: so whatever ends the process, no piece is done twice and none is left out. A job that was cut
 * short begins `run` again, and its pieces go on from the place that the last of them left. Between two pieces a
 * cancel acts, the rights of whoever started it are judged anew, and other jobs get their turn; `step` then does not
 * return. So `run` keeps nothing of its own between two pieces, and catches nothing around them.
 */
export interface JobKind<Input extends z.ZodType = z.ZodType, Place = unknown> {
  readonly name: string
  /** What people call it, in sentence case: `Recalculate the risk matrix`. */
  readonly title: string
  /** What one of them is about, shown behind its title: `risks.xlsx`. */
  readonly about?: (input: z.output<Input>) => string | undefined
  /** What one of them is called in place of all that, where it says it better. */
  readonly called?: (input: z.output<Input>) => string | undefined
  /** The id of what it works on, by which that is opened. */
  readonly worksOn?: (input: z.output<Input>) => string
  readonly input: Input
  /** The right that it takes to start it, to go on with it, and to read its errors and its result. */
  readonly needs: Needs
  /** What an input takes besides, at the same times. */
  readonly needsFor?: (input: z.output<Input>) => readonly Needs[]
  /** It reads and writes nothing but its result, so auditors go on with it as well. */
  readonly writes?: false
  /** Whoever started it alone has its result: nobody else does, and no admin. */
  readonly isPrivate?: true
  /** How many of an organization are worked at one time, by all processes together; the others wait in order. */
  readonly perOrganization: number
  /** So many of an organization wait at most; as many as come, where it is left out. */
  readonly waitingAtMost?: number
  /** And so many of one person, whose jobs then do not shut the others out. */
  readonly waitingAtMostEach?: number
  /** For so many days it can be read after it is over. */
  readonly keptDays: number
  /** Its input holds a secret, or what is nobody's business: it is sealed at rest, and wiped when the job is over. */
  readonly isSealed?: true
  /** Whoever started it in the app is told when it is over, where they waited long for it. */
  readonly isTold?: true
  readonly run: (work: Work<z.output<Input>, Place>) => Promise<Failed | undefined>
}

/** It ended in vain, for a reason that is nobody's fault here, in a sentence. */
export interface Failed {
  readonly failed: string
}

/** What a run is given. */
export interface Work<Input, Place> {
  readonly job: {
    readonly id: string
    /** Empty where it is of no organization. */
    readonly organizationId: string
  }
  readonly input: Input
  readonly parts: Parts
  /**
   * One piece: a transaction that also moves the place.
   * @param piece is given the place that the piece before it left, null at first, and returns that of the next; null
   *   where the job is over, which ends it in the same transaction
   * @returns what the piece returned
   */
  step(piece: (context: Piece<Place>) => Promise<Place | null>): Promise<Place | null>
  /**
   * Ends the turn: for a kind that does much between two pieces, which would be done in vain if the turn were over by
   * then. The first piece of a turn is always worked.
   */
  handBack(): never
  /** A transaction beside the pieces, which does not move the place. */
  transaction<T>(work: (context: TransactionContext) => Promise<T>): Promise<T>
}

/** What a piece is given; it is written with it, or not at all. */
export interface Piece<Place> extends TransactionContext {
  readonly place: Place | null
  /** How much is done of how much, in whatever the kind counts. */
  progress(done: number, total?: number): void
  /** Something that could not be done, which does not end the job. Those beyond the first hundred are only counted. */
  error(error: JobError): void
  /** The file that is its result, with what there is to be added of its bytes. */
  result(file: ResultFile): void
  /**
   * Adds to the file that is its result.
   * @param section of the file: they follow each other, whatever order their parts come in
   */
  append(bytes: Uint8Array, section?: number): void
}

export interface JobError {
  /** Where it was read from, counted from 1. */
  readonly row?: number
  readonly field?: string
  readonly message: string
}

export interface ResultFile {
  readonly name: string
  /** Its media type. */
  readonly type: string
  readonly bytes?: Uint8Array
}

export const ERRORS_KEPT = 100

/** The list's common form. */
// biome-ignore lint/suspicious/noExplicitAny: a kind takes its own input; only the list forgets which
export type AnyJobKind = JobKind<any, any>

/** All that it takes to start a job, to go on with it, and to read what came of it. */
export const needsOfJob = ({ needs, needsFor }: AnyJobKind, input: unknown): readonly Needs[] => [
  needs,
  ...(needsFor?.(input) ?? []),
]

/** What people call one of them: its title, with what it is about where that is known. */
export function titleOf({ title, about, called, input }: AnyJobKind, given: unknown): string {
  const read = input.safeParse(given)
  const name = read.success ? called?.(read.data) : undefined
  if (name !== undefined) return name
  const told = read.success ? about?.(read.data) : undefined
  return told === undefined ? title : `${title}: ${told}`
}

/** The id of what it works on; null where that is nothing to be opened. */
export function worksOnOf({ worksOn, input }: AnyJobKind, given: unknown): string | null {
  const read = input.safeParse(given)
  return read.success ? (worksOn?.(read.data) ?? null) : null
}

/** Describes a kind of job; the types of `run` follow from its schemas. */
export const jobKind = <Input extends z.ZodType, Place = unknown>(
  described: JobKind<Input, Place>,
): JobKind<Input, Place> => described

/** Who started it, as its row keeps them. */
export type StartedBy = Pick<
  Caller,
  'userId' | 'accountId' | 'credential' | 'channel' | 'requestId' | 'ip' | 'userAgent' | 'client' | 'tool'
> & {
  readonly granted: readonly string[]
  /** Who started it before somebody let it go on. */
  readonly first?: { readonly userId: string; readonly credentialId: string }
}

/** A job that a process has a claim on. */
export interface ClaimedJob {
  readonly id: string
  readonly organizationId: string | null
  readonly kind: string
  readonly lane: string
  readonly input: unknown
  readonly sealedInput: Buffer | null
  readonly startedBy: StartedBy | null
  /** As they stood when it was claimed. */
  readonly place: unknown
  readonly features: Caller['features'] | null
  readonly claimId: string
  readonly faults: number
}
