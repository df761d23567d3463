import type { Cause, Detail } from '../client/signature-check.ts'

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`

export const endpoints = {
  title: 'Webhooks',
  text: 'Addresses of yours that hear of changes here, each change signed and sent once it is saved.',
  add: 'Add Endpoint',
  log: 'Delivery log',
  bench: 'Signature bench',
  list: 'Webhook endpoints',
  columns: {
    address: 'Endpoint',
    state: 'State',
    failures: 'Failures in a row',
    day: 'Last 24 hours',
    types: 'Signals',
  },
  states: { on: 'On', off: 'Off', failures: 'Off: failing' },
  types: (number: number) => count(number, 'type', 'types'),
  failures: (number: number) => `${number} of 10`,
  full: 'An organization has at most ten endpoints. Delete one to add another.',
  empty: {
    title: 'No endpoints yet',
    text: 'An endpoint is an https address of yours. Choose what it should hear of, and every such change is posted there, signed, with retries for three days. The same by the API:',
    curl: (origin: string) => `curl ${origin}/v1/webhook-endpoints \\
  -H "Authorization: Bearer $PLUMBLINE_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"address": "https://hooks.example.com/plumbline", "signalTypes": ["risk.created", "risk.updated"]}'`,
  },
  management: {
    title: 'From a program',
    text: 'A program adds and changes endpoints, and reads the log, with a key for just that.',
    create: 'New Webhook-Management Key',
    all: 'All API keys',
  },
  form: {
    addTitle: 'Add an endpoint',
    editTitle: 'Edit the endpoint',
    address: 'Address',
    addressHint: 'A public https address. Redirects are not followed.',
    addressPlaceholder: 'https://hooks.example.com/plumbline',
    description: 'Description',
    descriptionHint: 'What it is for, in your words.',
    types: 'Signal types',
    typesHint: 'What it hears of. A test and the messages of workflows need none.',
    chosen: (number: number, all: number) => `${number} of ${all} chosen`,
    all: 'All',
    none: 'None',
    allOf: (subject: string) => `All of ${subject}`,
    unavailable: 'Not available to this organization any more.',
    add: 'Add Endpoint',
    save: 'Save Changes',
    leave: 'Leave without saving? What you changed here is lost.',
  },
  secret: {
    title: 'The secret of this endpoint',
    rotatedTitle: 'The new secret of this endpoint',
    label: 'Secret',
    code: 'A receiver that checks the signature',
    codeText: 'Each runs as it stands, with the secret in WEBHOOK_SECRET. It answers first and works later.',
    curlText: 'This one is the other way round: it sends your receiver a signed test, as the service would.',
    languages: { typescript: 'TypeScript', python: 'Python', go: 'Go', ruby: 'Ruby', curl: 'curl' },
  },
  chart: {
    quiet: 'Nothing was sent',
    succeeded: (percent: string) => `${percent} succeeded`,
    latency: (milliseconds: string) => `${milliseconds} median`,
    label: 'Attempts by the hour',
    table: 'Attempts of the last 24 hours',
    columns: {
      hour: 'Hour',
      attempts: 'Attempts',
      succeeded: 'Succeeded',
      median: 'Median',
      slow: '95 of 100',
    },
    medianLine: 'Median',
    none: 'none',
    legend: { succeeded: 'Succeeded', failed: 'Failed' },
    sample: 'Of busy hours the newest 200 deliveries are counted.',
  },
}

export const endpoint = {
  back: 'Webhooks',
  missing: { title: 'This endpoint is gone', text: 'It was deleted, or the address is mistyped.' },
  edit: 'Edit',
  test: 'Send Test',
  turnOff: 'Turn Off',
  turnOn: 'Turn On',
  rotate: 'Rotate Secret',
  remove: 'Delete',
  facts: {
    title: 'Settings',
    types: 'Signal types',
    noTypes: 'None: only tests and messages of workflows come here.',
    id: 'Id',
    created: 'Added',
    updated: 'Changed',
  },
  off: {
    failures: 'Off: ten attempts in a row failed',
    failuresText:
      'Changes made since then are not sent here, then or later. Mend the cause below, send a test, and turn it on: the count begins anew. What was missed can be redelivered from the log, where it had become a delivery.',
    person: 'Turned off',
    personText: 'Changes made while it is off are not sent here, then or later. A test can still be sent.',
  },
  day: { title: 'Last 24 hours' },
  failures: {
    title: 'Failures in a row',
    tripped: 'Why it went off',
    trippedText: 'The ten attempts that turned it off, newest first.',
    text: (number: number) =>
      `${count(number, 'attempt', 'attempts')} failed since the last success. The tenth in a row turns it off.`,
    list: 'Failed attempts in a row',
    columns: {
      at: 'When',
      answer: 'Answer',
      meaning: 'What it means',
      delivery: 'Delivery',
    },
    attempt: (number: number) => `Attempt ${number}`,
    cause: (number: number, all: number) => (number === all ? 'Likely cause:' : `Likely cause of ${number}:`),
  },
  recent: {
    title: 'Latest deliveries',
    all: 'All of this endpoint',
    none: 'None yet. Send a test, or change something that it subscribes to.',
  },
  secret: {
    title: 'Secret',
    text: 'What signatures are made with. It is not shown again; rotating makes a new one at once.',
  },
  testing: {
    title: 'Test',
    text: 'Sends webhook.test now, whatever the endpoint subscribes to.',
    sending: (seconds: string) => `Sending webhook.test: ${seconds} s of at most 10`,
    again: 'Send Another',
    open: 'Open the delivery',
  },
  turningOff: {
    title: (address: string) => `Turn off ${address}?`,
    text: 'Changes made while it is off are never sent here, also not once it is on again. What waits for a retry is not sent any more.',
    submit: 'Turn Off Endpoint',
  },
  rotation: {
    title: 'Rotate the secret?',
    text: (address: string) =>
      `From now on everything to ${address} is signed with a new secret. Your receiver refuses deliveries until it has it; they are tried again for three days, but ten failures in a row turn the endpoint off.`,
    submit: 'Rotate Secret',
  },
  removal: {
    section: 'Delete this endpoint',
    sectionText: 'Its delivery log goes with it.',
    title: (address: string) => `Delete ${address}?`,
    text: 'Nothing is sent there any more, what waits is dropped, and its delivery log goes with it. Its secret cannot be had back.',
    submit: 'Delete Endpoint',
  },
}

export const deliveries = {
  title: 'Delivery log',
  text: 'Everything that was sent to your endpoints, newest first, with every attempt.',
  list: 'Deliveries',
  columns: {
    type: 'Signal',
    status: 'Status',
    endpoint: 'Endpoint',
    attempts: 'Attempts',
    next: 'Next attempt',
    created: 'Created',
  },
  statuses: {
    pending: 'Sending',
    waiting_for_retry: 'Waiting for retry',
    delivered: 'Delivered',
    failed: 'Failed',
    not_sent: 'Not sent',
  },
  filters: {
    endpoint: 'Endpoint',
    status: 'Status',
    type: 'Signal',
    time: 'Time',
    after: 'From',
    before: 'To',
    clear: 'Clear Filters',
    without: (filter: string) => `Remove filter ${filter}`,
    deletedEndpoint: 'an endpoint that is gone',
  },
  times: { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' },
  live: 'Live',
  notLive: 'Not live: no answer just now',
  fresh: (number: number, atLeast: boolean) =>
    `Show ${number}${atLeast ? ' or More' : ''} New ${number === 1 ? 'Delivery' : 'Deliveries'}`,
  end: 'That is all.',
  empty: {
    title: 'No deliveries yet',
    text: 'As soon as something changes that an endpoint subscribes to, its delivery is here. Or send a test from the endpoint.',
    open: 'Go to Webhooks',
  },
  nothing: 'No delivery fits these filters.',
  attempts: (number: number) => `${number} of 7`,
  noNext: '–',
  noAnswer: 'No answer',
  sending: 'Sending',
  in: (time: string) => `in ${time}`,
  dueNow: 'due now',
  units: { hour: 'h', minute: 'min', second: 's' },
  many: {
    open: 'Redeliver…',
    title: 'Redeliver',
    text: 'Each is sent again once, one after another, under its own webhook-id.',
    counting: (number: number) => `Counting: ${number} so far`,
    which: 'Which',
    of: (word: string, number: number) => `${word}: ${number}`,
    delivered: 'Their receiver has taken these already.',
    unfinished: (number: number) =>
      `${count(number, 'other is', 'others are')} not finished and will be tried by themselves.`,
    bounded: (number: number) => `Only the newest ${number} were looked at: narrow the time for the rest.`,
    none: 'None of these is finished, so none can be redelivered.',
    submit: (number: number) => `Redeliver ${number}`,
    progress: (done: number, all: number) => `${done} of ${all} sent`,
    outcome: (delivered: number, failed: number, refused: number) =>
      `${delivered} delivered, ${failed} failed${refused > 0 ? `, ${refused} refused` : ''}`,
    stop: 'Stop',
    stopped: (left: number) => `Stopped. ${count(left, 'was', 'were')} not sent.`,
    finished: 'Done.',
    lost: 'The service did not take the next one, so it went no further.',
  },
}

export const delivery = {
  title: 'Delivery',
  back: 'Delivery log',
  missing: {
    title: 'This delivery is not here',
    text: 'Its endpoint was deleted, it is older than the log, or the address is mistyped.',
  },
  redeliver: 'Redeliver',
  unfinished: 'It is tried again by itself. It can be redelivered once it is delivered, failed or not sent.',
  check: 'Check Signature',
  id: 'webhook-id',
  idText:
    'The id of this delivery, and the webhook-id of every attempt and redelivery of it: a receiver that remembers it takes each delivery once.',
  endpoint: 'Endpoint',
  created: 'Created',
  subject: 'About',
  signal: 'Signal id',
  attempts: 'Attempts',
  next: 'Next attempt',
  none: 'None',
  run: 'Workflow run',
  timeline: {
    title: 'Attempts',
    none: 'Nothing was sent yet.',
    attempt: (number: number) => `Attempt ${number}`,
    uncounted: 'Does not count towards the seven',
    underWay: 'Under way',
    cause: 'Likely cause',
    next: 'Next attempt',
    last: 'No further attempt will follow.',
    took: (milliseconds: string) => `took ${milliseconds}`,
    sent: 'What was sent',
  },
  request: {
    title: 'Request',
    headers: 'Headers',
    noHeaders: 'They are made with each attempt; there was none yet.',
    body: 'Body',
    view: 'How the body is shown',
    pretty: 'Pretty',
    raw: 'Raw',
    prettyNote: 'Laid out for reading. Signatures are over the raw bytes.',
    copy: 'Copy Exact Body',
    bytes: (number: string) => `${number} bytes`,
  },
  answer: {
    title: 'What the receiver answered',
    empty: 'An empty body.',
    truncated: 'The first 4 KB; the rest was not kept.',
    notText: 'Not valid UTF-8: what could not be read stands as �.',
    text: 'Text',
    hex: 'Bytes',
    view: 'How the answer is shown',
  },
}

export const bench = {
  title: 'Signature bench',
  text: 'Paste what your receiver got, and see why its check says no. It is worked out in this browser: the secret is sent nowhere and kept nowhere.',
  headers: 'Headers',
  headersHint: 'With webhook-id, webhook-timestamp and webhook-signature, one to a line.',
  headersPlaceholder: 'webhook-id: dlv_…\nwebhook-timestamp: 1770000000\nwebhook-signature: v1,…',
  body: 'Body',
  bodyHint: 'The raw bytes, as they came.',
  secret: 'Secret',
  secretHint: 'The one of this endpoint, beginning with whsec_.',
  computed: 'What your code computed',
  computedHint: 'Optional. Then it can tell what the code does differently.',
  clock: 'Clock of the receiver',
  clockHint: 'Optional: its time when it checked, in unix seconds or ISO 8601. Empty: now.',
  submit: 'Check',
  clear: 'Clear',
  from: 'From delivery',
  fromText: (number: number) => `Headers and body are those of attempt ${number}.`,
  compared: 'Compared with the log by its webhook-id, which is all that was sent.',
  authentic: 'The signature is right',
  authenticText: 'Secret, headers and body belong together. Your receiver should take this.',
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
    title: ({ names: [given] = [] }) => `webhook-timestamp is no unix time: ${given}`,
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
    title: () => 'The body was parsed and written anew',
    cure: 'Check the signature over the raw bytes, before any JSON middleware. Written anew, spaces, order or escapes differ.',
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
    title: ({ at }) => `The body is another from byte ${at} on`,
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
    cure: 'More than 5 minutes are refused. If the receiver checked just when it came, its clock is off: set it by NTP. If it checked later, check on arrival. To see how it was, give the receiver’s clock of then.',
  },
  computed_hex: {
    title: () => 'The code writes the signature in hexadecimal',
    cure: 'It is the right one, but in base64 it is what the header has.',
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
    cure: 'The log could not be asked about this webhook-id, so which of both it is cannot be told here.',
  },
}

const spellSeconds = (seconds: number): string =>
  seconds < 7_200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3_600)} hours`
