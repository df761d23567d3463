import type { Channel } from '../../model/channel.ts'

/** What a door knows of a request before anybody knows who makes it. */
export interface RequestContext {
  readonly channel: Channel
  readonly requestId: string
  readonly ip?: string
  readonly userAgent?: string
  /** Secrets of the devices that the browser says it is (identity/sign-in/known-devices.ts); only at the sign-in. */
  readonly devices?: readonly string[]
}
