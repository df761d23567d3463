/** Why a command failed, as the API would tell it (RFC 9457), and as a person reads it. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly requestId: string
  readonly errors?: readonly { path: string; message: string }[]
}
