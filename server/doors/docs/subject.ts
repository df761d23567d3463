import { nameOf, pointedAt, type Schema } from '../openapi/schemas.ts'
import type { OpenApi, PathOperation } from '../openapi.ts'
import { fieldTable } from './fields.ts'
import { type Html, html, prose } from './html.ts'
import { titleOf } from './page.ts'

/** The calls of one subject, and the records they answer. */
export function subjectPage(document: OpenApi, tag: string, base: string): Html {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const records = namedBy(
    document,
    calls.map(({ operation }) => operation.responses),
  )
  return html`
<h1>${titleOf(tag)}</h1>
<p>${calls.map(({ operation }, index) => html`${index > 0 && html` · `}<a href="#${operation.operationId}">${operation.summary}</a>`)}</p>
${calls.map((call) => described(document, call, base))}
${records.map((name) => recordOf(name, document.components.schemas[name]!))}`
}

/** The records that are pointed at, and those that they point at in their turn. */
function namedBy(document: OpenApi, part: unknown, known = new Set(['Problem', 'Json'])): string[] {
  const names = [...JSON.stringify(part).matchAll(/"(#\/components\/schemas\/\w+)"/g)].map(([, ref]) =>
    nameOf(ref!),
  )
  return names.flatMap((name) => {
    if (known.has(name)) return []
    known.add(name)
    return [name, ...namedBy(document, document.components.schemas[name], known)]
  })
}

interface Call {
  path: string
  method: string
  operation: PathOperation
}

function described(document: OpenApi, call: Call, base: string): Html {
  const { path, method, operation } = call
  const scopes = operation['x-required-scopes']
  const sent = operation.requestBody?.content['application/json'].schema
  const body = sent && pointedAt(sent, document.components.schemas)
  const writable = Object.entries(body?.properties ?? {}).filter(([, schema]) => !schema.readOnly)
  return html`
<section>
<h2 id="${operation.operationId}">${operation.summary}</h2>
<div class="call"><span class="method ${method.toLowerCase()}">${method}</span><code>${path}</code></div>
<p class="scope">${scopes.length === 0 ? 'Any valid key.' : html`Scope ${scopes.map((scope, index) => html`${index > 0 && ' or '}<code>${scope}</code>`)}`}</p>
${scopes.length <= 1 && operation.description && html`<p>${prose(operation.description)}</p>`}
<pre><code>${curl(call, base)}</code></pre>
${parameters(document, operation)}
${writable.length > 0 && html`<h3${sent?.$ref && html` id="${nameOf(sent.$ref)}"`}>Body</h3>${fieldTable(Object.fromEntries(writable), body?.required ?? [])}`}
${answer(operation)}
${answers(operation)}
</section>`
}

function parameters(document: OpenApi, { parameters: all }: PathOperation): Html | null {
  const known = all.map(({ $ref, ...own }) => ($ref ? shared(document, $ref) : own))
  const schemas = known.map((one): [string, Schema] => {
    const { items, description } = { ...one.schema, ...one }
    const said = [description, items && 'May be given several times.'].filter(Boolean).join('. ')
    return [one.name ?? '', { ...(items ?? one.schema), ...(said ? { description: said } : {}) }]
  })
  const required = known.flatMap((one) => (one.required && one.name ? [one.name] : []))
  const table = fieldTable(Object.fromEntries(schemas), required)
  return table && html`<h3>Parameters</h3>${table}`
}

type Parameter = PathOperation['parameters'][number]

const shared = ({ components }: OpenApi, ref: string): Parameter =>
  components.parameters![ref.split('/').at(-1)!] as Parameter

/** An answer of its own form, which no record tells. */
function answer({ responses }: PathOperation): Html | null {
  const [schema] = Object.values(responses).flatMap(schemaIn)
  const isTold = !schema?.properties || formOf(schema)
  return isTold ? null : html`<h3>Answer</h3>${fieldTable(schema.properties!, null)}`
}

const schemaIn = (response: unknown): Schema[] => {
  const { content } = response as { content?: Record<string, { schema: Schema }> }
  return content?.['application/json'] ? [content['application/json'].schema] : []
}

function answers({ responses }: PathOperation): Html {
  const rows = Object.entries(responses).map(([status, response]) => {
    const { description } = response as { description: string }
    const [schema] = schemaIn(response)
    return html`<tr><th scope="row">${status}</th><td>${prose(description)} ${schema && formOf(schema)}</td></tr>`
  })
  return html`<details><summary>Answers by status</summary><div class="table"><table><tbody>${rows}</tbody></table></div></details>`
}

/** What an answer is made of, in a line. */
function formOf(schema: Schema): Html | null {
  const { data, nextCursor, ...others } = schema.properties ?? {}
  const ref = schema.$ref ?? (nextCursor && Object.keys(others).length === 0 && data?.items?.$ref)
  if (!ref) return null
  const link = html`<a href="#${nameOf(ref)}">${nameOf(ref)}</a>`
  return schema.$ref ? link : html`A page of ${link}.`
}

function recordOf(name: string, schema: Schema): Html {
  return html`<section><h2 id="${name}">${schema.title ?? name}</h2>
<p class="scope"><code>${name}</code>, as the calls above answer it. New fields may be added; ignore those you do not know.</p>
${fieldTable(schema.properties ?? {}, null)}</section>`
}

function curl({ path, method, operation }: Call, base: string): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${base}${filled}"`,
    '  -H "Authorization: Bearer $PLUMBLINE_KEY"',
  ]
  const example = operation.requestBody?.content['application/json'].example
  if (example) {
    const body = JSON.stringify(example, null, 2)
    lines.push(
      "  -H 'Content-Type: application/json'",
      `  -d '${body.replaceAll("'", "'\\''").replaceAll('\n', '\n  ')}'`,
    )
  }
  return lines.join(' \\\n')
}
