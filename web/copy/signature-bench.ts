import type { Cause, Detail } from '../client/signature-check.ts'

export const bench = {
  title: 'Signature checker',
  text: 'Paste what your receiver got to see why its check fails. The check runs in this browser: the secret is neither sent nor stored.',
  headers: 'Headers',
  headersHint: 'With webhook-id, webhook-timestamp and webhook-signature, one to a line.',
  headersPlaceholder: 'webhook-id: dlv_…\nwebhook-timestamp: 1770000000\nwebhook-signature: v1,…',
  body: 'Body',
  bodyHint: 'The raw bytes, as they came.',
  secret: 'Secret',
  secretHint: 'The secret of this endpoint, beginning with whsec_.',
  computed: 'What your code computed',
  computedHint: 'Optional. Shows what the code does differently.',
  clock: 'Clock of the receiver',
  clockHint: 'Optional: its time when it checked, in unix seconds or ISO 8601. Empty: now.',
  submit: 'Check',
  clear: 'Clear',
  from: 'From delivery',
  fromText: (number: number) => `Headers and body are those of attempt ${number}.`,
  compared: 'Compared with the delivery log. Only the webhook-id was sent.',
  authentic: 'The signature is valid',
  authenticText: 'Secret, headers and body belong together. Your receiver should accept this.',
  authenticComputed: 'The signature that your code computed is the same.',
  difference: {
    sent: (at: number) => `As it was signed, around byte ${at}`,
    given: 'As it is here',
  },
}

const names = (all: readonly string[] = []) => all.join(', ')

/** What each cause is, and its cure. */
export const causes: Record<Cause, { title: (detail: Detail) => string; cure: string }> = {
  headers_missing: {
    title: ({ names: missing }) => `Missing: ${names(missing)}`,
    cure: 'Paste all three. Where they are missing in the receiver, a proxy or framework before it drops them.',
  },
  timestamp_unreadable: {
    title: ({ names: [given] = [] }) => `webhook-timestamp is not a unix time: ${given}`,
    cure: 'It is whole seconds since 1970, such as 1770000000, and signed as that text.',
  },
  signature_unreadable: {
    title: () => 'webhook-signature is not of the form v1, and base64',
    cure: 'Paste the whole value, beginning with v1, and ending with =. Where several stand there, one that fits is enough.',
  },
  secret_missing: { title: () => 'No secret', cure: 'Paste the secret of this endpoint.' },
  secret_not_one: {
    title: () => 'This is not the secret of an endpoint',
    cure: 'It is whsec_ and 44 characters of base64. Perhaps it was cut off, or this is an API key. If it is lost, rotate it.',
  },
  secret_spoiled: {
    title: () => 'The right secret, but not as it was given',
    cure: 'It has quotes or spaces around it, or lacks whsec_. Keep it exactly as it was shown: libraries expect the prefix.',
  },
  secret_not_decoded: {
    title: () => 'The key was not decoded',
    cure: 'The signature was made with the text of the secret. Take away whsec_, decode the rest from base64, and use those 32 bytes as the key.',
  },
  secret_wrong: {
    title: () => 'Another secret',
    cure: 'Headers and body are as they were sent, so it is the secret: that of another endpoint, or from before it was rotated. Rotate it, and give the receiver the new one.',
  },
  body_reserialized: {
    title: () => 'The body was parsed and serialized again',
    cure: 'Check the signature over the raw bytes, before any JSON middleware. Serialized again, its spaces, order or escapes differ.',
  },
  body_newline_added: {
    title: () => 'The body has a line break at its end that was not sent',
    cure: 'Something added it: a file, an editor, echo instead of printf. Check the bytes as they came.',
  },
  body_newline_lost: {
    title: () => 'The body lacks the line break at its end',
    cure: 'Something trimmed it. Check the bytes as they came.',
  },
  body_crlf: {
    title: () => 'The line breaks of the body were changed',
    cure: 'CRLF became LF, or the other way round. Read the body as bytes, not as lines of text.',
  },
  body_trimmed: {
    title: () => 'The body has spaces or a byte order mark around it that were not sent',
    cure: 'Check the bytes as they came.',
  },
  body_changed: {
    title: ({ at }) => `The body differs from byte ${at} on`,
    cure: 'Something on the way or in the receiver changed it. Check the bytes as they came.',
  },
  id_wrong: {
    title: ({ names: [given, sent] = [] }) =>
      sent ? `webhook-id is not the one that was sent: ${given}` : `No delivery has the webhook-id ${given}`,
    cure: 'The id is part of what is signed. Take it from the request itself; if it is, the request did not come from this organization.',
  },
  timestamp_changed: {
    title: ({ names: [given, sent] = [] }) => `webhook-timestamp was ${sent} when it was sent, not ${given}`,
    cure: 'Each attempt has a timestamp and a signature of its own: take both from the same request.',
  },
  clock_off: {
    title: ({ seconds = 0 }) =>
      `The signature fits, but its timestamp is ${spellSeconds(Math.abs(seconds))} ${seconds > 0 ? 'old' : 'ahead'}`,
    cure: 'More than 5 minutes are refused. If the receiver checked on arrival, its clock is off: set it by NTP. If it checked later, check on arrival. To repeat that check, enter the receiver’s clock at that time.',
  },
  computed_hex: {
    title: () => 'The code writes the signature in hexadecimal',
    cure: 'The value is right, but the header has it in base64.',
  },
  computed_without_id: {
    title: () => 'The code leaves the webhook-id out',
    cure: 'What is signed is webhook-id, a full stop, webhook-timestamp, a full stop, body.',
  },
  computed_body_only: {
    title: () => 'The code signs the body alone',
    cure: 'What is signed is webhook-id, a full stop, webhook-timestamp, a full stop, body.',
  },
  computed_wrong: {
    title: () => 'Headers, body and secret belong together, but the code comes to something else',
    cure: 'It uses another secret or other bytes. Log the length of its key (32) and of the body, and compare.',
  },
  secret_or_body: {
    title: () => 'Another secret, or the body was changed',
    cure: 'The log could not be asked about this webhook-id, so which of the two it is cannot be told here.',
  },
}

const spellSeconds = (seconds: number): string =>
  seconds < 7_200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3_600)} hours`
