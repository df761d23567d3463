/**
 * How an attempt can end, in the words its log shows: those of the contract, and two more that are logged but never
 * counted. An outcome is a value on the attempt, not an error.
 */

export interface OutcomeWords {
  /** The line of the log. */
  readonly title: string
  readonly meaning: string
  readonly likelyCause: string
  /** A failed attempt: it is retried. */
  readonly failure: boolean
  /** Takes one of the seven attempts and, when a failure, one of the ten in a row that turn an endpoint off. */
  readonly counted: boolean
}

export const outcomes = {
  success: {
    title: 'Answered 2xx',
    meaning: 'The receiver took the delivery.',
    likelyCause: 'Everything worked. The body of the answer is kept, but not read.',
    failure: false,
    counted: true,
  },
  refused: {
    title: 'Answered 401 or 403',
    meaning: 'The receiver refused the delivery.',
    likelyCause:
      'Its signature check failed: the secret is wrong or was rotated, the part after whsec_ was not base64-decoded to the key, or the check ran over a parsed body instead of the raw one.',
    failure: true,
    counted: true,
  },
  body_rejected: {
    title: 'Answered 400 or 422',
    meaning: 'The receiver could not use the body.',
    likelyCause: 'It rejects fields or signal types it does not know. Ignore unknown ones and answer 2xx.',
    failure: true,
    counted: true,
  },
  no_handler: {
    title: 'Answered 404 or 405',
    meaning: 'Nothing takes a POST at this path.',
    likelyCause: 'The path is wrong, or the receiver expects another method.',
    failure: true,
    counted: true,
  },
  receiver_error: {
    title: 'Answered 5xx',
    meaning: 'The receiver failed.',
    likelyCause: 'A fault inside the receiver. Its own log will say which.',
    failure: true,
    counted: true,
  },
  other_answer: {
    title: 'Answered something else',
    meaning: 'The receiver answered, but not with 2xx.',
    likelyCause: 'The status code says why. Only 2xx counts as received; 410 and Retry-After change nothing.',
    failure: true,
    counted: true,
  },
  redirected: {
    title: 'Answered with a redirect',
    meaning: 'The address has moved. Redirects are not followed.',
    likelyCause: 'Register the final address.',
    failure: true,
    counted: true,
  },
  timeout: {
    title: 'No answer within 10 seconds',
    meaning: 'The receiver was too slow.',
    likelyCause: 'It works before it answers. Answer first, work later.',
    failure: true,
    counted: true,
  },
  could_not_connect: {
    title: 'Could not connect',
    meaning: 'DNS, TLS or the connection failed, or the connection ended before a whole answer had come.',
    likelyCause:
      'The name does not resolve, the certificate is not valid for the host, a firewall is in between, or the receiver is down.',
    failure: true,
    counted: true,
  },
  address_not_public: {
    title: 'Address is not a public https address',
    meaning: 'The host is private or reserved, so nothing was sent.',
    likelyCause: 'Use a public address.',
    failure: true,
    counted: true,
  },
  connection_closed: {
    title: 'Kept connection was closed',
    meaning: 'The receiver closed a connection kept from an earlier delivery before it answered.',
    likelyCause:
      'An idle limit of the receiver or of a balancer before it. The delivery is sent again at once.',
    failure: true,
    counted: false,
  },
  interrupted: {
    title: 'Interrupted',
    meaning: 'The sending process stopped before it knew the answer. The receiver may have the delivery.',
    likelyCause: 'A restart of the service. The delivery is sent again under the same webhook-id.',
    failure: true,
    counted: false,
  },
} as const satisfies Record<string, OutcomeWords>

export type Outcome = keyof typeof outcomes

/**
 * Which of its ways `could_not_connect` went, and where to look first. They are about the receiver's own name,
 * route and answer: what leads inside is `address_not_public`, and tells nothing more.
 */
export const connectionFailures = {
  name_not_found: 'The host name does not resolve: it is mistyped, or its DNS records are missing.',
  refused: 'Nothing listens at this port of the host, or a firewall refuses it.',
  reset: 'The receiver, or a firewall or balancer before it, ended the connection without an answer.',
  unreachable: 'There is no way to the address of the host: a firewall drops it, or the host is down.',
  certificate_expired: 'The certificate has expired, or is not valid yet: renew it.',
  certificate_name: 'The certificate is for another host name: issue it for the one in the address.',
  certificate_untrusted:
    'The certificate is self-signed, of an unknown authority, or comes without its intermediate certificates.',
  tls: 'No TLS connection came about: the receiver speaks no TLS at this port, or no version of it that is safe.',
  protocol: 'What came back is no valid HTTP/1.1 answer.',
} as const

export type ConnectionFailure = keyof typeof connectionFailures

/** The outcome of an answer by its status: every 3xx is a redirect, whether or not it says where. */
export function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status <= 299) return 'success'
  if (status >= 300 && status <= 399) return 'redirected'
  if (status === 401 || status === 403) return 'refused'
  if (status === 400 || status === 422) return 'body_rejected'
  if (status === 404 || status === 405) return 'no_handler'
  if (status >= 500 && status <= 599) return 'receiver_error'
  return 'other_answer'
}
