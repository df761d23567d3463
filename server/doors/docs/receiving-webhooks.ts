import { BUTTONS, PAGE_GROUPS, PAGE_NAMES } from '../../../model/page-names.ts'
import type { Config } from '../../config.ts'
import { ENDPOINTS_AT_MOST } from '../../journal/write.ts'
import { FAILURES_AT_MOST, KEPT_BYTES } from '../../webhooks/limits.ts'
import { connectionFailures, outcomes } from '../../webhooks/outcomes.ts'
import { ATTEMPT_MS } from '../../webhooks/request.ts'
import { USER_AGENT } from '../../webhooks/sent-headers.ts'
import type { OpenApi } from '../openapi.ts'
import { codeBlock } from './code-block.ts'
import { durationWords } from './duration.ts'
import { type Html, html, prose } from './html.ts'
import { contents, heading, type Page, type Section } from './page.ts'
import { RECEIVERS, SIGNED_TEST, sourceOf } from './receivers.ts'
import { signalTypes } from './signal-types.ts'
import { code, table } from './table.ts'
import { example, exampleRequest } from './worked-example.ts'

const SECTIONS = {
  register: 'Registering an endpoint',
  request: 'What arrives',
  verify: 'Verifying the signature',
  receivers: 'Receivers to copy',
  try: 'Trying it out',
  answer: 'Answering',
  retries: 'Retries',
  off: 'When an endpoint is turned off',
  order: 'Order and duplicates',
  types: 'Signal types',
} as const

const h2 = (id: keyof typeof SECTIONS): Html => heading([id, SECTIONS[id]])

/**
 * All that somebody needs to know who writes a receiver: from the constants of the engine, its outcomes, the retry
 * schedule of this service and the list of signal types.
 */
export const receivingWebhooksPage = (document: () => OpenApi, config: Config): Page => ({
  path: '/docs/receiving-webhooks',
  title: 'Receiving webhooks',
  sections: Object.entries(SECTIONS) as unknown as Section[],
  content: () => content(document(), config),
})

const content = (document: OpenApi, config: Config): Html => html`
<h1>Receiving webhooks</h1>
<p>A <em>signal</em> says that something happened: a risk was added, a control changed. Each webhook endpoint that subscribes to its type gets a <em>delivery</em>: one signal as JSON in a signed POST, within seconds. The form is that of <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, so its libraries verify it.</p>
${contents(Object.entries(SECTIONS) as unknown as Section[])}
${register(config)}
${request()}
${verification()}
${receivers()}
${trying(config)}
${answering()}
${retries(config)}
${shutOff()}
${order()}
${h2('types')}
<p>An endpoint receives the types that it subscribes to. New types and new fields may come at any time: ignore what you do not know, and answer 2xx to types you do not handle.</p>
${signalTypes(document)}`

const register = ({ publicUrl }: Config): Html => html`${h2('register')}
<p>In the app: ${PAGE_GROUPS.developer}, ${PAGE_NAMES.webhooks}, ${BUTTONS.addEndpoint}. From a program: with a key that has <a href="/docs/api-keys#write:webhooks"><code>write:webhooks</code></a>, which an admin makes on the same page with ${BUTTONS.newWebhookKey}. An organization has up to ${ENDPOINTS_AT_MOST} endpoints.</p>
${codeBlock(
  'Add an endpoint',
  `curl -X POST ${publicUrl}/v1/webhook-endpoints \\
  -H "Authorization: Bearer $PLUMBLINE_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"address": "https://hooks.example.com/plumbline", "signalTypes": ["risk.created", "risk.updated"]}'`,
)}
<p>The address is a public https address with a certificate that browsers would take. Private, loopback and link-local addresses are refused, unless whoever runs this service has allowed their network (<code>WEBHOOK_ALLOWED_NETWORKS</code>); redirects are not followed, and user names, passwords and fragments have no place in it.</p>
<p>The answer holds the <code>secret</code>, this once: <code>whsec_</code> and the base64 of 32 bytes. The 32 bytes are the key of the signature; the text is not. <a href="/docs/webhook-endpoints#rotateWebhookEndpointSecret">Rotating</a> makes a new one, and from that moment only the new one signs. Deliveries that a receiver refuses because it still has the old secret are retried.</p>`

const request = (): Html => html`${h2('request')}
${codeBlock('A delivery as it arrives', exampleRequest)}
${table(
  ['Header', 'Value', 'Meaning'],
  [
    {
      cells: [
        code('webhook-id'),
        'text',
        'The delivery. The same on every attempt and when it is redelivered by hand: drop what you have seen.',
      ],
    },
    {
      cells: [
        code('webhook-timestamp'),
        'seconds since 1970, as a whole number',
        'When this attempt was sent; new on every attempt.',
      ],
    },
    {
      cells: [
        code('webhook-signature'),
        html`one or more ${code('v1,<base64>')}, with spaces between`,
        html`Signatures; one that is right is enough. See <a href="#verify">below</a>.`,
      ],
    },
    { cells: [code('content-type'), code('application/json'), 'The body is JSON in UTF-8.'] },
    { cells: [code('user-agent'), code(USER_AGENT), 'Says who sends, and proves nothing.'] },
  ],
)}
<p>The body of every signal:</p>
${table(
  ['Field', 'Value', 'Meaning'],
  [
    {
      cells: [
        code('id'),
        html`an id, ${code('sig_…')}`,
        html`The signal. Every endpoint that receives it sees the same ${code('id')}, under a ${code('webhook-id')} of its own.`,
      ],
    },
    {
      cells: [
        code('type'),
        html`${code('subject.event')}`,
        html`What happened; route by it. The <a href="#types">types</a> are listed below.`,
      ],
    },
    {
      cells: [
        code('time'),
        'a time in UTC, with milliseconds',
        'When it happened. Put signals in order by it.',
      ],
    },
    { cells: [code('organizationId'), html`an id, ${code('org_…')}`, 'Where it happened.'] },
    {
      cells: [code('subject'), html`${code('type')} and ${code('id')}`, 'The record that it is about.'],
    },
    {
      cells: [
        code('data'),
        'an object',
        'By the type. For a change of a record: the record as it is now, and what changed.',
      ],
    },
  ],
)}`

const verification = (): Html => html`${h2('verify')}
<p>Six steps. The numbers are those of the delivery above and of the secret <code>${example.secret}</code>, so that you can compare each with your own.</p>
<ol class="steps">
<li>Keep the body as the bytes that came. A parser or framework that writes the JSON anew changes them, and the check fails.</li>
<li>Refuse a <code>webhook-timestamp</code> that is no whole number, or more than <strong>5 minutes</strong> (300 seconds) before or after your clock. An attempt that was copied cannot be sent to you later then.</li>
<li>The key: take <code>whsec_</code> off the secret and decode the rest from base64. It has 32 bytes.
${codeBlock('The key, in hexadecimal', example.keyHex)}</li>
<li>What is signed: <code>webhook-id</code>, a dot, <code>webhook-timestamp</code>, a dot, and the body.
${codeBlock('The signed bytes', example.content)}</li>
<li>HMAC-SHA256 of these bytes under the key, in base64.
${codeBlock('The HMAC, in hexadecimal', example.hmacHex)}
${codeBlock('The same in base64', example.signature.slice('v1,'.length))}</li>
<li>Split <code>webhook-signature</code> at its spaces. The delivery is authentic if any entry is <code>v1,</code> and exactly this. Compare in constant time, and skip entries that begin otherwise: they are of other versions.
${codeBlock('An entry that matches', example.signature)}</li>
</ol>
<p>The same with openssl:</p>
${codeBlock(
  'The signature of the example, from the command line',
  `printf %s '${example.content}' \\
  | openssl dgst -sha256 -mac HMAC -macopt hexkey:${example.keyHex} -binary \\
  | base64`,
)}
<p>If a check fails and you do not see why, ${PAGE_GROUPS.developer}, ${PAGE_NAMES.signatureBench} in the app takes a secret and a delivery from the log and says which step goes wrong.</p>`

const receivers = (): Html => html`${h2('receivers')}
<p>Each needs nothing but its language, reads the secret from <code>WEBHOOK_SECRET</code>, listens on <code>PORT</code> (8080), answers 204 to what is genuine and 401 to everything else. They speak plain http: put them behind something that speaks https. Until you have the secret of an endpoint, any of its form will do:</p>
${codeBlock('A secret of your own, to begin with', 'export WEBHOOK_SECRET=whsec_$(openssl rand -base64 32)')}
${RECEIVERS.map((one) => html`<h3 id="receiver-${one.name}">${one.name}</h3><p class="note">${one.run}</p>${codeBlock(`Receiver in ${one.name}`, sourceOf(one))}`)}`

const trying = ({ publicUrl }: Config): Html => html`${h2('try')}
<p>A test of the service comes to a registered endpoint at once, whatever it subscribes to, and the answer tells how it went. In the app it is ${BUTTONS.testEndpoint}.</p>
${codeBlock('Send a test', `curl -X POST "${publicUrl}/v1/webhook-endpoints/$ID/test" \\\n  -H "Authorization: Bearer $PLUMBLINE_KEY"`)}
<p>Before your receiver has a public address, send it a test yourself: this script signs one as the service would, with the secret in <code>WEBHOOK_SECRET</code>.</p>
<p class="note">${SIGNED_TEST.run}</p>
${codeBlock('A signed test', sourceOf(SIGNED_TEST))}
<p>A receiver in a network of your own is reached where whoever runs the service allows that network with the setting <code>WEBHOOK_ALLOWED_NETWORKS</code> (such as <code>10.0.0.0/8</code>), and names with <code>WEBHOOK_CA_FILE</code> the authority of its certificate, if it is no public one.</p>
<p>Every delivery stands in the log, in the app under ${PAGE_GROUPS.developer}, ${PAGE_NAMES.deliveries}, and for programs as <a href="/docs/webhook-deliveries#listWebhookDeliveries">webhook deliveries</a>: the exact bytes, every attempt, what your receiver answered (its status and the first ${KEPT_BYTES / 1_024} KB), and what that means.</p>`

const answering = (): Html => html`${h2('answer')}
<p>Answer any 2xx within <strong>${durationWords(ATTEMPT_MS)}</strong>: the time runs from looking up your host name to the end of the headers of your answer. The body of the answer is not read for meaning. So answer first and work later: put the delivery in a queue, and answer. Every other end of an attempt is a failure:</p>
${table(
  ['Outcome', 'Meaning', 'Where to look first', 'Towards attempts and shut-off'],
  Object.entries(outcomes).map(([outcome, { title, meaning, likelyCause, counted }]) => ({
    id: `outcome.${outcome}`,
    cells: [
      html`${code(outcome)}<span class="told">${title}</span>`,
      meaning,
      prose(likelyCause),
      counted ? 'counts' : 'does not count',
    ],
  })),
)}
<p>An attempt that does not count takes none of the attempts below and never turns an endpoint off. <code>could_not_connect</code> has a <code>reason</code>:</p>
${table(
  ['Reason', 'Meaning'],
  Object.entries(connectionFailures).map(([reason, meaning]) => ({
    id: `reason.${reason}`,
    cells: [code(reason), meaning],
  })),
)}`

function retries({ webhookRetryDelays: delays }: Config): Html {
  const starts = delays.map((_, index) => delays.slice(0, index + 1).reduce((sum, delay) => sum + delay, 0))
  return html`${h2('retries')}
<p>A delivery has up to <strong>${delays.length + 1} attempts</strong>. After a failure the next one waits:</p>
${table(
  ['Attempt', 'After the one before has failed', 'Since the first'],
  [
    { cells: ['1', 'sent at once', ''] },
    ...delays.map((delay, index) => ({
      cells: [String(index + 2), durationWords(delay), durationWords(starts[index]!)] as const,
    })),
  ],
)}
<p>A wait counts from the end of the failed attempt. It is never shorter, and up to 5 % longer (at most a minute), so that a receiver that comes back is not met by all at once. <code>Retry-After</code> and 410 change nothing. When the last attempt has failed the delivery is <code>failed</code>; it can be <a href="/docs/webhook-deliveries#redeliverWebhookDelivery">redelivered</a> by hand, under the same <code>webhook-id</code>. Each attempt goes to the address, and is signed with the secret, that the endpoint has at that moment.</p>`
}

const shutOff = (): Html => html`${h2('off')}
<p>${FAILURES_AT_MOST} failed attempts in a row, counted over all deliveries of the endpoint, turn it off; tests and redeliveries count too, and one success sets the count to nothing. What waits for a retry then becomes <code>not_sent</code>, and what happens while the endpoint is off is not sent to it, then or later. Turning it on, in the app or with <a href="/docs/webhook-endpoints#updateWebhookEndpoint"><code>enabled: true</code></a>, begins the count anew. Nothing is sent again by itself: redeliver from the log what you need, and read the rest with <code>updatedSince</code> of the <a href="/docs#lists">lists</a>.</p>`

const order = (): Html => html`${h2('order')}
<p>Deliveries arrive in no order. The signals of one record have times that differ: the later <code>time</code> is the later version, and <code>data.record.version</code> says the same. If what you hold of a record is newer, drop what comes.</p>
<p>A delivery may arrive more than once: after a time-out that your receiver did not notice, after a loss on our side, or because somebody redelivered it. Remember each <code>webhook-id</code> that you have dealt with for two days, and answer 2xx to one that comes again without working on it.</p>`
