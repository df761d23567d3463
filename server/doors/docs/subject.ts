import { nameOf, type Schema } from '../openapi/schemas.ts'
import type { OpenApi, PathOperation } from '../openapi.ts'
import { codeBlock, jsonBlock } from './code-block.ts'
import { fieldTable } from './fields.ts'
import { type Html, html, prose } from './html.ts'
import { callsOf, type Page, titleOf } from './page.ts'

/** The calls of one subject, and the records they answer. */
export const subjectPage = (document: OpenApi, tag: string, base: string): Page => ({
  path: `/docs/${tag}`,
  title: titleOf(tag),
  sections: [],
  content: () => content(document, tag, base),
})

function content(document: OpenApi, tag: string, base: string): Html {
  const calls = callsOf(document, tag)
  return html`
<h1>${titleOf(tag)}</h1>
<p>${calls.map(({ operation }, index) => html`${index > 0 && html` · `}<a href="#${operation.operationId}">${operation.summary}</a>`)}</p>
${calls.map((call) => described(document, call, base))}
${recordsOf(document, tag).map((name) => recordOf(name, opened(document, document.components.schemas[name]!)))}`
}

/** The names of the records that the calls of a subject answer, and of those within them. */
export const recordsOf = (document: OpenApi, tag: string): string[] =>
  namedBy(
    document,
    callsOf(document, tag).map(({ operation }) => answersOf(document, operation).map(({ schema }) => schema)),
  )

/** The records that are pointed at, and those that they point at in their turn. */
function namedBy(document: OpenApi, part: unknown, known = new Set<string>()): string[] {
  const names = [...JSON.stringify(part).matchAll(/"(#\/components\/schemas\/\w+)"/g)].map(([, ref]) =>
    nameOf(ref!),
  )
  return names.flatMap((name) => {
    const schema = document.components.schemas[name]!
    if (known.has(name) || !schema.properties) return []
    known.add(name)
    return [name, ...namedBy(document, schema, known)]
  })
}

/**
 * A schema with what it points at in its place, but for the records within it, which have tables of their own.
 * @param schema itself opened in any case
 */
export function opened(document: OpenApi, schema: Schema, isWithin = false): Schema {
  const { $ref, ...own } = schema
  const target = $ref === undefined ? {} : document.components.schemas[nameOf($ref)]!
  if ($ref !== undefined && (isWithin ? target.properties : nameOf($ref) === 'Json')) return schema
  const { properties, items, anyOf, ...rest } = { ...target, ...own }
  const inner = (part: Schema) => opened(document, part, true)
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)])),
    }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
  }
}

interface Call {
  path: string
  method: string
  operation: PathOperation
}

function described(document: OpenApi, call: Call, base: string): Html {
  const { path, method, operation } = call
  const { operationId, summary } = operation
  const scopes = operation['x-required-scopes']
  const { ref, required, fields } = bodyOf(document, operation)
  const [answer] = answersOf(document, operation)
  return html`
<section>
<h2 id="${operationId}">${summary}</h2>
<div class="call"><span class="method ${method.toLowerCase()}">${method}</span><code>${path}</code></div>
<p class="scope">${scopes.length === 0 ? 'Any valid key.' : html`Scope ${scopes.map((scope, index) => html`${index > 0 && ' or '}<a href="/docs/api-keys#${scope}"><code>${scope}</code></a>`)}`} Tool and operation: <code>${operationId}</code></p>
${scopes.length <= 1 && operation.description && html`<p>${prose(operation.description)}</p>`}
${codeBlock(`${summary}: the call`, curl(call, base))}
${answer?.example !== undefined && jsonBlock(`${summary}: an answer`, answer.example)}
${parameterTable(document, operation)}
${Object.keys(fields).length > 0 && html`<h3${ref && html` id="${nameOf(ref)}"`}>Body</h3>${fieldTable(operationId, fields, required)}`}
${answer?.schema.properties && !formOf(answer.schema) && html`<h3>Answer</h3>${fieldTable(`${operationId}.answer`, answer.schema.properties, null)}`}
${answers(document, operation)}
</section>`
}

/** The fields of a call's body that can be set. */
export function bodyOf(document: OpenApi, { requestBody }: PathOperation) {
  const sent = requestBody?.content['application/json'].schema
  const body = sent && opened(document, sent)
  const writable = Object.entries(body?.properties ?? {}).filter(([, schema]) => !schema.readOnly)
  return { ref: sent?.$ref, required: body?.required ?? [], fields: Object.fromEntries(writable) }
}

/** The parameters of a call, as fields. */
export function parametersOf(document: OpenApi, { parameters = [] }: PathOperation) {
  return parameters.map((one) => resolved(document, one))
}

function parameterTable(document: OpenApi, operation: PathOperation): Html | null {
  const known = parametersOf(document, operation)
  const schemas = known.map((one): [string, Schema] => {
    const { items, description } = { ...opened(document, one.schema ?? {}), ...one }
    const said = [description, items && 'May be given several times.'].filter(Boolean).join('. ')
    return [
      one.name ?? '',
      { ...(items ?? opened(document, one.schema ?? {})), ...(said ? { description: said } : {}) },
    ]
  })
  const required = known.flatMap((one) => (one.required && one.name ? [one.name] : []))
  const table = fieldTable(operation.operationId, Object.fromEntries(schemas), required)
  return table && html`<h3>Parameters</h3>${table}`
}

/** What stands where something of the document points; the thing itself, where it points nowhere. */
export function resolved<T extends object>(document: OpenApi, part: T): T {
  const { $ref } = part as { $ref?: string }
  if (!$ref) return part
  const [, , of, name] = $ref.split('/')
  return resolved(document, document.components[of!]![name!] as T)
}

interface Content {
  schema: Schema
  example?: unknown
  examples?: Record<string, { value?: unknown }>
}

interface Response {
  description: string
  content?: Record<string, Content>
}

const responsesOf = (document: OpenApi, { responses }: PathOperation): [string, Response][] =>
  Object.entries(responses).map(([status, response]) => [status, resolved(document, response as Response)])

/** The answers of a call that went well: their schema and an example. */
const answersOf = (document: OpenApi, operation: PathOperation): { schema: Schema; example: unknown }[] =>
  responsesOf(document, operation).flatMap(([, { content }]) => {
    const found = content?.['application/json']
    return found ? [{ schema: found.schema, example: exampleOf(document, found) }] : []
  })

function exampleOf(document: OpenApi, { example, examples = {} }: Content): unknown {
  const [first] = Object.values(examples)
  return example ?? (first && resolved(document, first).value)
}

function answers(document: OpenApi, operation: PathOperation): Html {
  const rows = responsesOf(document, operation).map(([status, { description, content }]) => {
    const schema = content?.['application/json']?.schema
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
${fieldTable(name, schema.properties ?? {}, null)}</section>`
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
