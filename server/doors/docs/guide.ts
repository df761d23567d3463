import { SOURCES_GIVEN } from '../../../model/kind.ts'
import { PAGE_GROUPS, PAGE_NAMES } from '../../../model/page-names.ts'
import type { Config } from '../../config.ts'
import { CODES } from '../../refusal.ts'
import type { OpenApi } from '../openapi.ts'
import { codeBlock } from './code-block.ts'
import { durationWords } from './duration.ts'
import { between, type Html, html, prose } from './html.ts'
import { callsOf, type Page, type Section, titleOf } from './page.ts'
import { code, table } from './table.ts'

const SECTIONS: readonly Section[] = [
  ['start', 'First call'],
  ['lists', 'Lists'],
  ['changes', 'Changes'],
  ['sync', 'Your own ids'],
  ['once', 'Sending once'],
  ['limits', 'Limits'],
  ['errors', 'Errors'],
]

/** What holds for every call, and where the calls are. */
export const guidePage = (document: () => OpenApi, config: Config): Page => ({
  path: '/docs',
  title: 'Plumbline API',
  sections: SECTIONS,
  content: () => content(document(), config),
})

const content = (document: OpenApi, { publicUrl: base, rateLimit }: Config): Html => html`
<h1>Plumbline API</h1>
<p>Compliance records of one organization over HTTP and JSON. The same description for programs is <a href="/v1/openapi.json">OpenAPI 3.1</a>.</p>
<ul class="subjects">
<li><a href="/docs/receiving-webhooks"><strong>Receiving webhooks</strong><span>Signatures, receivers, retries</span></a></li>
<li><a href="/docs/api-keys"><strong>API keys</strong><span>Scopes, form, leaked keys</span></a></li>
<li><a href="/docs/agents"><strong>Agents</strong><span>MCP and OAuth</span></a></li>
${document.tags.map(({ name }) => subject(document, name))}</ul>

<h2 id="start">First call</h2>
<p>An admin creates a key in the app under ${PAGE_GROUPS.developer}, ${PAGE_NAMES.apiKeys}, with the scopes that the calls need. It is shown once, belongs to one organization, and acts with its scopes and the present role of whoever created it. Send it with every call:</p>
${codeBlock('Ask what the key is', `export PLUMBLINE_KEY=comply_…\ncurl ${base}/v1/me \\\n  -H "Authorization: Bearer $PLUMBLINE_KEY"`)}
<p>The answer says what the key is and may do. With the scope <code>write:risks</code>, this adds a risk:</p>
${codeBlock(
  'Add a risk',
  `curl ${base}/v1/risks \\
  -H "Authorization: Bearer $PLUMBLINE_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"title": "Unpatched gateway", "category": "technical", "likelihood": "possible", "impact": "major"}'`,
)}
<p>Only <code>title</code> is required; <a href="/docs/risks#createRisk">Add a risk</a> has the other fields. Bodies are JSON in UTF-8. Every answer carries <code>Request-Id</code>; the log of the service has the rest under it. Names that no call knows are refused, in bodies and in queries, so that a typo never passes silently.</p>

<h2 id="lists">Lists</h2>
<p>A list answers <code>{ "data": […], "nextCursor": … }</code>. Ask for up to 200 rows with <code>limit</code>, and for the next page with <code>cursor</code> and otherwise the same query, until <code>nextCursor</code> is null. Pages stay right while rows are added. A filter given twice means one or the other: <code>status=identified&amp;status=assessed</code>. To keep a copy up to date, ask with <code>updatedSince</code> and overlap by a minute.</p>

<h2 id="changes">Changes</h2>
<p><code>PATCH</code> merges: what is absent stays, <code>null</code> clears. A record that was read can be sent back whole. Records carry a <code>version</code>, also as <code>ETag</code>; sent as <code>If-Match</code>, it refuses a change to a record that has moved on. Several versions may be sent, such as <code>"3", "4"</code>.</p>

<h2 id="sync">Your own ids</h2>
<p>A program that keeps records in step with another system gives each its id there, as <code>externalId</code>: one for each record of a kind. It then writes without asking what is here already:</p>
${codeBlock(
  'Add a risk, or change it',
  `curl -X PUT ${base}/v1/risks/by-external-id/scanner:4711 \\
  -H "Authorization: Bearer $PLUMBLINE_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"title": "Unpatched gateway", "likelihood": "possible", "impact": "major"}'`,
)}
<p>The first time it answers 201; after that it changes what is given, as <code>PATCH</code> does, and answers 200. The same again changes nothing and sends nothing. <code>POST …/batch</code> with <code>"mode": "upsert"</code> does so with 100 records in one call. Whoever adds a record may say how it was come by, as <code>source</code>: ${between(', ', SOURCES_GIVEN.map(code))}; else it tells by which door it came.</p>

<h2 id="once">Sending once</h2>
<p>A <code>POST</code> with an <code>Idempotency-Key</code> of up to 255 characters happens once: for 24 hours the same key and body get the first answer again. Another body is refused, and while the first is still running a second one is a conflict. Answers with a secret are kept without it, and answers that say "later" or "not you" (401, 403, 409, 429 and 5xx) are not kept at all.</p>

<h2 id="limits">Limits</h2>
<p>Each credential has ${rateLimit.calls} calls in ${durationWords(rateLimit.windowMs)}; the window opens with its first call. Calls over REST and over MCP count together. <code>RateLimit</code> tells what is left, and a 429 tells with <code>Retry-After</code> when to come again. A body may have 256 KB, a query 128 parameters, and the headers of a request 16 KB together (431 otherwise).</p>

<p>Calls of one organization share the service with those of others. Lists, searches, exports and batches run a few at a time for each organization, other calls up to eight, and more wait for their turn. A 503 with the code <code>unavailable</code> means that too many calls are waiting, or that the database took too long for one; <code>detail</code> says which. Wait <code>Retry-After</code> seconds, then send fewer calls at the same time, or narrow the filter.</p>

<h2 id="errors">Errors</h2>
<p>An error is a problem object of RFC 9457: <code>code</code> is for programs, <code>detail</code> says what to do, <code>errors</code> names the fields at fault. After any 4xx nothing was changed; only a reference such as <code>RSK-12</code> may have been passed over, for numbers ascend and are never given twice, but have gaps.</p>
${table(
  ['Code', 'Status', 'Meaning'],
  Object.entries(CODES).map(([name, { status, title }]) => ({
    id: name,
    cells: [code(name), status, prose(title)],
  })),
)}`

function subject(document: OpenApi, tag: string): Html {
  const { length } = callsOf(document, tag)
  return html`<li><a href="/docs/${tag}"><strong>${titleOf(tag)}</strong><span>${length === 1 ? 'one call' : `${length} calls`}</span></a></li>`
}
