/** What receivers may let through by; it is part of the contract with them. */
export const USER_AGENT = 'Plumbline-Webhooks/2.0'

/** What the headers of a request are made of. */
export interface Sent {
  /** `webhook-id` */
  readonly id: string
  /** `host:port` of the address; empty where it has none. */
  readonly host: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly signature: string
  /** Bytes of the body. */
  readonly length: number
}

/**
 * The headers of a request, in their order. The log keeps the signature alone and makes the rest again from here, so a
 * header that changes needs the old form as well, for what was sent with it.
 */
export const sentHeaders = ({ id, host, timestamp, signature, length }: Sent) => ({
  host,
  connection: 'keep-alive',
  'webhook-id': id,
  'webhook-timestamp': `${timestamp}`,
  'webhook-signature': signature,
  'content-type': 'application/json',
  'user-agent': USER_AGENT,
  'accept-encoding': 'identity',
  'content-length': `${length}`,
})

/** @param origin of an address, `https://` and its host; null where it has none */
export const hostOf = (origin: string | null): string => origin?.slice('https://'.length) ?? ''
