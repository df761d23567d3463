import { BUTTONS } from '../../model/page-names.ts'
import { counted } from './counts.ts'

export const endpoints = {
  title: 'Webhooks',
  text: 'Addresses that receive changes here as they happen, each in a signed request.',
  add: BUTTONS.addEndpoint,
  log: 'Delivery log',
  bench: 'Signature checker',
  list: 'Webhook endpoints',
  columns: {
    address: 'Endpoint',
    state: 'State',
    failures: 'Failures in a row',
    day: 'Last 24 hours',
    types: 'Signals',
  },
  states: { on: 'On', off: 'Off', failures: 'Off: failing' },
  types: (number: number) => counted(number, 'type', 'types'),
  failures: (number: number) => `${number} of 10`,
  full: 'An organization has at most ten endpoints. Delete one to add another.',
  empty: {
    title: 'No endpoints yet',
    text: (retries: string) =>
      `An endpoint is an https address of yours. Choose what it should hear of, and every such change is posted there, signed, with retries for ${retries}. The same by the API:`,
    curl: (origin: string) => `curl ${origin}/v1/webhook-endpoints \\
  -H "Authorization: Bearer $PLUMBLINE_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"address": "https://hooks.example.com/plumbline", "signalTypes": ["risk.created", "risk.updated"]}'`,
  },
  management: {
    title: 'From a program',
    text: 'A program adds and changes endpoints, and reads the log, with a key for just that.',
    create: BUTTONS.newWebhookKey,
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
    typesHint: 'Choose at least one. Tests and workflow messages are always sent.',
    typesMissing: 'Choose at least one signal type.',
    chosen: (number: number, all: number) => `${number} of ${all} chosen`,
    all: 'All',
    none: 'None',
    allOf: (subject: string) => `All of ${subject}`,
    unavailable: 'No longer available to this organization.',
    add: 'Add endpoint',
    save: 'Save changes',
    leave: 'Leave without saving? Your changes will be lost.',
  },
  secret: {
    title: 'The secret of this endpoint',
    rotatedTitle: 'The new secret of this endpoint',
    label: 'Secret',
    code: 'A receiver that checks the signature',
    codeText:
      'Each runs as it is, with the secret in WEBHOOK_SECRET. It answers first and does its work later.',
    curlText: 'This one sends your receiver a signed test, as the service would.',
    languages: {
      typescript: 'TypeScript',
      python: 'Python',
      go: 'Go',
      java: 'Java',
      ruby: 'Ruby',
      curl: 'curl',
    },
  },
  chart: {
    quiet: 'Nothing was sent',
    attempts: (count: number) => counted(count, 'attempt', 'attempts'),
    succeeded: (percent: string) => `${percent} succeeded`,
    latency: (milliseconds: string) => `${milliseconds} median`,
    label: 'Attempts by the hour',
    table: 'Attempts of the last 24 hours',
    columns: {
      hour: 'Hour',
      attempts: 'Attempts',
      succeeded: 'Succeeded',
      median: 'Median',
      slow: '95th percentile',
    },
    medianLine: 'Median',
    none: 'none',
    legend: { succeeded: 'Succeeded', failed: 'Failed' },
  },
}

export const endpoint = {
  back: 'Webhooks',
  missing: { title: 'Endpoint not found', text: 'It was deleted, or the address is mistyped.' },
  edit: 'Edit',
  test: BUTTONS.testEndpoint,
  turnOff: 'Turn off',
  turnOn: 'Turn on',
  rotate: 'Rotate secret',
  remove: 'Delete',
  facts: {
    title: 'Settings',
    types: 'Signal types',
    noTypes: 'None: only tests and workflow messages are sent here.',
    id: 'Id',
    created: 'Added',
    updated: 'Changed',
  },
  off: {
    failures: 'Off: ten attempts in a row failed',
    failuresText:
      'Changes made since then are not sent here, now or later. Fix the cause below, send a test, and turn it on: the count starts again at 0. Deliveries that already existed can be redelivered from the log.',
    person: 'Turned off',
    personText: 'Changes made while it is off are not sent here, now or later. A test can still be sent.',
  },
  day: { title: 'Last 24 hours' },
  failures: {
    title: 'Failures in a row',
    tripped: 'Why it was turned off',
    trippedText: 'The ten attempts that turned it off, newest first.',
    text: (number: number) =>
      `${counted(number, 'attempt', 'attempts')} failed since the last success. The tenth in a row turns it off.`,
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
    text: 'Used to sign deliveries. It is not shown again; rotating creates a new one immediately.',
  },
  testing: {
    title: 'Test',
    text: 'Sends webhook.test now, whatever the endpoint subscribes to.',
    sending: (seconds: string) => `Sending webhook.test: ${seconds} s of at most 10`,
    again: 'Send another',
    open: 'Open the delivery',
  },
  turningOff: {
    title: (address: string) => `Turn off ${address}?`,
    text: 'Changes made while it is off are never sent here, not even once it is on again. Deliveries that wait for a retry are no longer sent.',
    submit: 'Turn off endpoint',
  },
  rotation: {
    title: 'Rotate the secret?',
    text: (address: string, retries: string) =>
      `From now on everything to ${address} is signed with a new secret. Your receiver refuses deliveries until it has it; they are tried again for ${retries}, but ten failures in a row turn the endpoint off.`,
    submit: 'Rotate secret',
  },
  removal: {
    section: 'Delete this endpoint',
    sectionText: 'Its delivery log is deleted too.',
    title: (address: string) => `Delete ${address}?`,
    text: 'Nothing more is sent there, waiting deliveries are dropped, and its delivery log is deleted. Its secret cannot be recovered.',
    submit: 'Delete endpoint',
  },
}
