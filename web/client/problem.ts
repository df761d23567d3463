/** What the service answers when it says no (RFC 9457), or what we say of a service that did not answer. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: string
  readonly status: number
  readonly title: string
  readonly requestId: string | null
  /** Which field of the input is meant, and what is the matter with it. */
  readonly errors: readonly { path: string; message: string }[]
  /** Whatever else it told. */
  readonly members: Readonly<Record<string, unknown>>

  constructor(told: ProblemMembers) {
    super(told.detail)
    this.code = told.code
    this.status = told.status
    this.title = told.title
    this.requestId = told.requestId
    this.errors = told.errors ?? []
    this.members = { ...told }
  }
}

export interface ProblemMembers {
  code: string
  status: number
  title: string
  detail: string
  requestId: string | null
  errors?: { path: string; message: string }[]
}

export const isProblem = (error: unknown, code: string): boolean =>
  error instanceof Problem && error.code === code

/** Whether what was asked for was decided on something that is not so any more: it has to be read again. */
export const isOutOfDate = (error: unknown): boolean =>
  error instanceof Problem && ['version_mismatch', 'conflict', 'not_found'].includes(error.code)

/** Whether the service will say the same again: what was asked for cannot be had so. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429

/** Whether the service did not answer, or could not: nothing was wrong with what was asked. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof Problem && (['unanswered', 'unreadable'].includes(error.code) || error.status === 503)
