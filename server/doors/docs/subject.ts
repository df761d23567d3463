import { CODES } from '../../refusal.ts'
import { componentName, type Schema } from '../json-schemas.ts'
import type { Response } from '../openapi/answers.ts'
import type { Parameter, Pointer } from '../openapi/parameters.ts'
import type { OpenApi, PathOperation } from '../openapi.ts'
import { codeBlock, jsonBlock } from './code-block.ts'
import { fieldTable } from './fields.ts'
import { type Html, html, prose } from './html.ts'
import { callsOf, type Page, titleOf } from './page.ts'

/** The calls of one subject, and the records they answer. */
export const subjectPage = (document: () => OpenApi, tag: string, base: string): Page => ({
  path: `/docs/${tag}`,
  title: titleOf(tag),
  sections: [],
  content: () => content(document(), tag, base),
})

function content(document: OpenApi, tag: string, base: string): Html {
  const calls = callsOf(document, tag)
  return html`
<h1>${titleOf(tag)}</h1>
<p>${calls.map(({ operation }, index) => html`${index > 0 && html` · `}<a href="#${operation.operationId}">${operation.summary}</a>`)}</p>
${calls.map((call) => described(document, call, base))}
${recordsOf(document, tag).map((name) => recordOf(name, opened(document, document.components.schemas[name]!)))}`
}

/** The names of the records that the calls of a subject answer or take, and of those within them. */
export function recordsOf(document: OpenApi, tag: string): string[] {
  const calls = callsOf(document, tag).map(({ operation }) => ({
    answers: answersOf(document, operation).map(({ schema }) => schema),
    body: bodyOf(document, operation),
  }))
  // A body has its table where it is sent.
  const bodies = calls.flatMap(({ body }) => (body.ref ? [componentName(body.ref)] : []))
  return schemaNamesIn(
    document,
    calls.map(({ answers, body }) => [answers, body.fields]),
    new Set(bodies),
  )
}

/** The records that are pointed at, and those that they point at in their turn. */
function schemaNamesIn(document: OpenApi, part: unknown, known = new Set<string>()): string[] {
  const names = [...JSON.stringify(part).matchAll(/"(#\/components\/schemas\/\w+)"/g)].map(([, ref]) =>
    componentName(ref!),
  )
  return names.flatMap((name) => {
    const schema = document.components.schemas[name]!
    if (known.has(name) || !isRecord(schema)) return []
    known.add(name)
    return [name, ...schemaNamesIn(document, schema, known)]
  })
}

/**
 * A schema with what it points at in its place, but for the records within it, which have tables of their own.
 * @param schema itself opened in any case
 */
export function opened(document: OpenApi, schema: Schema, isWithin = false): Schema {
  const { $ref, ...own } = schema
  const target = $ref === undefined ? {} : document.components.schemas[componentName($ref)]!
  if ($ref !== undefined && isWithin && isRecord(target)) return schema
  const { items, anyOf, allOf = [], properties: further, ...rest } = { ...target, ...own }
  const bases = allOf.map((base) => opened(document, base).properties ?? {})
  const properties: Record<string, Schema> | undefined =
    bases.length > 0 ? Object.assign({}, ...bases, further) : further
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

const isRecord = ({ properties, allOf }: Schema) => properties !== undefined || allOf !== undefined

interface Call {
  path: string
  method: string
  operation: PathOperation
}

function described(document: OpenApi, call: Call, base: string): Html {
  const { path, method, operation } = call
  const { operationId, summary } = operation
  const scopes = operation['x-required-scopes']
  const { ref, required, fields, isTold } = bodyOf(document, operation)
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
${isTold && html`<h3>Body</h3><p>The fields of <a href="#${componentName(ref!)}"><code>${componentName(ref!)}</code></a>.</p>`}
${Object.keys(fields).length > 0 && html`<h3${ref && html` id="${componentName(ref)}"`}>Body</h3>${fieldTable(operationId, fields, required)}`}
${answers(document, operation)}
</section>`
}

/** The first call that takes a body: where several take the same, its fields stand there. */
const firstWith = ({ paths }: OpenApi, ref: string): string | undefined =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ requestBody }) => requestBody?.content['application/json']?.schema.$ref === ref)?.operationId

/** The fields of a call's body that can be set; none, where an earlier call tells them. */
export function bodyOf(document: OpenApi, operation: PathOperation) {
  const { requestBody } = operation
  const sent = requestBody?.content['application/json']?.schema
  const body = sent && opened(document, sent)
  const meanings = meaningsOf(document, operation)
  // What stands in the path may be said once more, and need not.
  const inPath = parametersOf(document, operation).map(({ name }) => name)
  const writable = Object.entries(body?.properties ?? {})
    .filter(([name, schema]) => !schema.readOnly && !inPath.includes(name))
    .map(([name, schema]) => [name, { ...meanings[name], ...schema }])
  const ref = sent?.$ref
  const isTold = ref !== undefined && firstWith(document, ref) !== operation.operationId
  return { ref, isTold, required: body?.required ?? [], fields: isTold ? {} : Object.fromEntries(writable) }
}

/** The parameters of a call, as fields. */
export function parametersOf(document: OpenApi, operation: PathOperation): Parameter[] {
  const meanings = meaningsOf(document, operation)
  return (operation.parameters ?? [])
    .map((one) => resolved<Parameter>(document, one))
    .map((one) => ({ ...meanings[one.name], ...one }))
}

/** What the fields of the answered record mean: fields that are sent, and filters by them, mean the same. */
function meaningsOf(document: OpenApi, operation: PathOperation): Record<string, { description?: string }> {
  const [answer] = answersOf(document, operation)
  const { properties = {} } = answer ? opened(document, answer.schema) : {}
  const row = properties.data?.items
  return Object.fromEntries(
    Object.entries((row ? opened(document, row).properties : properties) ?? {}).map(
      ([name, { description }]) => [name, description === undefined ? {} : { description }],
    ),
  )
}

function parameterTable(document: OpenApi, operation: PathOperation): Html | null {
  const known = parametersOf(document, operation)
  const schemas = known.map((one): [string, Schema] => {
    const { items, ...schema } = opened(document, one.schema)
    const said = [one.description, items && 'May be given several times.'].filter(Boolean).join('. ')
    return [one.name, { ...(items ?? schema), ...(said ? { description: said } : {}) }]
  })
  const required = known.flatMap((one) => (one.required ? [one.name] : []))
  const table = fieldTable(operation.operationId, Object.fromEntries(schemas), required)
  return table && html`<h3>Parameters</h3>${table}`
}

/** What stands where something of the document points. */
export function resolved<T>({ components }: OpenApi, { $ref }: Pointer): T {
  const [, , of, name] = $ref.split('/')
  return components[of as 'responses'][name!] as T
}

const responsesOf = (document: OpenApi, { responses }: PathOperation): [string, Response][] =>
  Object.entries(responses).map(([status, response]) => [status, resolved(document, response)])

/** The answers of a call that went well: their schema and an example. */
const answersOf = (document: OpenApi, operation: PathOperation): { schema: Schema; example?: unknown }[] =>
  responsesOf(document, operation).flatMap(([, { content }]) => content?.['application/json'] ?? [])

function answers(document: OpenApi, operation: PathOperation): Html {
  const done = responsesOf(document, operation).filter(([status]) => status.startsWith('2'))
  const codes = (operation['x-problem-codes'] ?? []).map(
    (code) =>
      html`<tr><th scope="row">${CODES[code].status}</th><td><a href="/docs#${code}"><code>${code}</code></a> ${CODES[code].title}</td></tr>`,
  )
  return html`<details><summary>Answers by status</summary><div class="table"><table><tbody>
${done.map(([status, response]) => html`<tr><th scope="row">${status}</th><td>${answered(response)}</td></tr>`)}
${codes}
<tr><th scope="row">4xx, 5xx</th><td>Those of <a href="/docs#errors">every call</a></td></tr>
</tbody></table></div></details>`
}

function answered({ content, description }: Response): Html {
  const ref = content?.['application/json']?.schema.$ref
  return ref ? html`<a href="#${componentName(ref)}">${componentName(ref)}</a>` : prose(description)
}

function recordOf(name: string, schema: Schema): Html {
  return html`<section><h2 id="${name}">${name}</h2>
<p class="scope">${schema.description && prose(`${schema.description}. `)}As the calls above answer it. New fields may be added; ignore those you do not know.</p>
${fieldTable(name, schema.properties ?? {}, null)}</section>`
}

function curl({ path, method, operation }: Call, base: string): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${base}${filled}"`,
    '  -H "Authorization: Bearer $PLUMBLINE_KEY"',
  ]
  const example = operation.requestBody?.content['application/json']?.example
  if (example) {
    const body = JSON.stringify(example, null, 2)
    lines.push(
      "  -H 'Content-Type: application/json'",
      `  -d '${body.replaceAll("'", "'\\''").replaceAll('\n', '\n  ')}'`,
    )
  }
  return lines.join(' \\\n')
}
