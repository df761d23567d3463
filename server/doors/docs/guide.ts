import { CODES } from '../../refusal.ts'
import type { OpenApi } from '../openapi.ts'
import { type Html, html, prose } from './html.ts'
import { titleOf } from './page.ts'

/** What holds for every call, and where the calls are. */
export function guide(document: OpenApi, base: string): Html {
  return html`
<h1>The API of this Plumbline</h1>
<p>Compliance records of one organization over HTTP and JSON. The same description for programs is <a href="/v1/openapi.json">OpenAPI 3.1</a>.</p>
<ul class="subjects">${document.tags.map(({ name }) => subject(document, name))}</ul>

<h2 id="start">First call</h2>
<p>Create a key under Developer, API keys, or on the machine of the service:</p>
<pre><code>npm run --silent plumbline -- key create --organization "Example Ltd" \\
  --as ada@example.com --name "first key" --scopes read:risks,write:risks</code></pre>
<p>It is shown once, belongs to one organization, and acts with its scopes and the present role of whoever created it. Send it with every call:</p>
<pre><code>curl ${base}/v1/me \\
  -H "Authorization: Bearer $PLUMBLINE_KEY"</code></pre>
<p>The answer says what the key is and may do. Bodies are JSON in UTF-8. Every answer carries <code>Request-Id</code>; the log of the service has the rest under it. Names that no call knows are refused, in bodies and in queries, so that a typo never passes silently.</p>

<h2 id="lists">Lists</h2>
<p>A list answers <code>{ "data": […], "nextCursor": … }</code>. Ask for up to 200 rows with <code>limit</code>, and for the next page with <code>cursor</code>, until <code>nextCursor</code> is null. Pages stay right while rows are added. A filter given twice means one or the other: <code>status=identified&amp;status=assessed</code>. To keep a copy up to date, ask with <code>updatedSince</code> and overlap by a minute.</p>

<h2 id="changes">Changes</h2>
<p><code>PATCH</code> merges: what is absent stays, <code>null</code> clears. A record that was read can be sent back whole. Records carry a <code>version</code>, also as <code>ETag</code>; sent as <code>If-Match</code>, it refuses a change to a record that has moved on.</p>

<h2 id="once">Sending once</h2>
<p>A <code>POST</code> with an <code>Idempotency-Key</code> happens once: for 24 hours the same key and body get the first answer again. Another body is refused, and while the first is still running a second one is a conflict.</p>

<h2 id="limits">Limits</h2>
<p>Each credential has 500 calls in 10 minutes, unless this service was set up otherwise; the window opens with its first call. <code>RateLimit</code> tells what is left, and a 429 tells with <code>Retry-After</code> when to come again. A body may have 256 KB, a query 128 parameters.</p>

<h2 id="agents">Agents</h2>
<p>Each of these calls is also a tool of the same name for agents that speak the Model Context Protocol, at <code>${base}/v1/mcp</code>, with the same keys, rights and limits:</p>
<pre><code>claude mcp add --transport http plumbline ${base}/v1/mcp \\
  --header "Authorization: Bearer $PLUMBLINE_KEY"</code></pre>
<p><code>docs/mcp.md</code> of the source has settings for more clients, and what the address can narrow.</p>

<h2 id="errors">Errors</h2>
<p>An error is a problem object of RFC 9457: <code>code</code> is for programs, <code>detail</code> says what to do, <code>errors</code> names the fields at fault. After any 4xx nothing was changed.</p>
<div class="table"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${Object.entries(CODES).map(
    ([code, { status, title }]) =>
      html`<tr id="${code}"><td>${status}</td><th scope="row"><code>${code}</code></th><td class="note">${prose(title)}</td></tr>`,
  )}</tbody></table></div>`
}

function subject({ paths }: OpenApi, tag: string): Html {
  const calls = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .filter(({ tags }) => tags.includes(tag)).length
  return html`<li><a href="/docs/${tag}"><strong>${titleOf(tag)}</strong><span>${calls === 1 ? 'one call' : `${calls} calls`}</span></a></li>`
}
