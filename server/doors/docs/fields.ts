import type { Schema } from '../json-schemas.ts'
import { componentName } from '../json-schemas.ts'
import { between, type Html, html, prose } from './html.ts'

/**
 * A table of fields: what each is called, what it takes, and what it is for.
 * @param of whose fields they are: each is found on its page as `of.name`
 * @param required those that must be sent; null for an answer, where nothing must
 */
export function fieldTable(
  of: string,
  properties: Record<string, Schema>,
  required: readonly string[] | null,
): Html | null {
  const rows = Object.entries(properties).flatMap(([name, schema]) =>
    rowsOf(of, name, schema, required?.includes(name)),
  )
  if (rows.length === 0) return null
  return html`<div class="table"><table>
    <thead><tr><th scope="col">Name</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
    <tbody>${rows}</tbody></table></div>`
}

function rowsOf(of: string, name: string, schema: Schema, isRequired: boolean | undefined): Html[] {
  const row = html`<tr id="${of}.${name}"><th scope="row"><code>${name}</code>${isRequired && html`<span class="must">required</span>`}</th>
    <td>${takes(schema)}</td><td class="note">${schema.description && prose(schema.description)}</td></tr>`
  const inner = schema.properties ?? schema.items?.properties ?? {}
  const within = schema.required ?? schema.items?.required ?? []
  const prefix = schema.items ? `${name}[].` : `${name}.`
  return [
    row,
    ...Object.entries(inner).flatMap(([part, its]) =>
      rowsOf(of, prefix + part, its, isRequired === undefined ? undefined : within.includes(part)),
    ),
  ]
}

/** In words: "text, up to 200 characters", "one of `low`, `high`". */
function takes(schema: Schema): Html {
  const kinds = [schema.type ?? []].flat()
  const [type] = kinds.filter((kind) => kind !== 'null')
  const said = schema.readOnly && !type ? 'as it stands' : baseOf(schema, type)
  const orNull = kinds.includes('null') || schema.anyOf?.some((one) => one.type === 'null')
  const standard = schema.default !== undefined && html`; <code>${String(schema.default)}</code> unless given`
  return html`${typeof said === 'string' ? prose(said) : said}${orNull && ', or null'}${standard}`
}

function baseOf(schema: Schema, type: string | undefined): Html | string {
  if (schema.enum) {
    const named = schema.enum.filter((one) => one !== null)
    return html`one of ${between(
      ', ',
      named.map((one) => html`<code>${String(one)}</code>`),
    )}`
  }
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.$ref) return pointer(schema.$ref)
  switch (type) {
    case 'string':
      return textOf(schema)
    case 'integer':
      return `a whole number${rangeOf(schema)}`
    case 'number':
      return `a number${rangeOf(schema)}`
    case 'boolean':
      return '`true` or `false`'
    case 'array':
      return html`a list${schema.maxItems && ` of up to ${schema.maxItems}`}${schema.items && html`: ${takes(schema.items)}`}`
    case 'object':
      return schema.properties ? 'an object' : 'an object of any names'
    default:
      return schema.anyOf
        ? between(', or ', schema.anyOf.filter((one) => one.type !== 'null').map(takes))
        : 'any JSON'
  }
}

function pointer(ref: string): Html {
  const name = componentName(ref)
  return html`<a href="#${name}">${name}</a>`
}

const FORMATS: Record<string, string> = {
  date: 'a date, `2026-05-17`',
  'date-time': 'a time, `2026-05-17T10:00:00Z`',
  email: 'an e-mail address',
  uri: 'an address',
  uuid: 'a UUID',
}

/** An order: the name of a field, and a minus before it or not. */
const ORDER = /^\^-\?\(([\w|]+)\)\$$/

function textOf({ format, minLength, maxLength, pattern }: Schema): string {
  if (format && FORMATS[format]) return FORMATS[format]
  const order = ORDER.exec(pattern ?? '')?.[1]
  if (order) return `one of \`${order.replaceAll('|', '`, `')}\`, with a minus before it or without`
  const prefix = /^\^([a-z]+_)\[0-9a-z\]/.exec(pattern ?? '')?.[1]
  if (prefix) return `an id, \`${prefix}…\``
  if (maxLength)
    return `text of ${minLength ? '' : 'up to '}${minLength ? `${minLength} to ` : ''}${maxLength.toLocaleString('en')} characters`
  return 'text'
}

function rangeOf({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined && maximum < 2_147_483_647)
    return ` from ${minimum} to ${maximum}`
  return minimum === undefined ? '' : `, at least ${minimum}`
}
