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

/** Were one of these in a value, whoever chose it would write the rest of the request. */
const ENDS_ITS_LINE = /[^\x20-\x7e]/

/** What stands before the body of a request; null where a value cannot be sent, as none of ours is. */
export function requestHead(path: string, headers: Readonly<Record<string, string>>): string | null {
  if (ENDS_ITS_LINE.test(path)) return null
  let head = `POST ${path} HTTP/1.1\r\n`
  for (const name in headers) {
    const value = headers[name]!
    if (ENDS_ITS_LINE.test(value)) return null
    head += `${name}: ${value}\r\n`
  }
  return `${head}\r\n`
}
