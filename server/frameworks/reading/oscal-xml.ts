import { parseXml, type XmlElement, XmlError, type XmlNode } from '@rgrove/parse-xml'
import { type Findings, Unreadable } from './faults.ts'
import { isObject, type Path } from './shape.ts'

/*
 * Turns OSCAL in XML into the same objects as OSCAL in JSON, with prose as Markdown. Declarations of a document type are
 * refused, so no entity is ever defined: a short file stays short, and no file names another.
 */

export interface ParsedXml {
  readonly value: unknown
  readonly placeOf: (path: Path) => string
}

/** @throws {Unreadable} with the line and column where it breaks off */
export function parseOscalXml(text: string, findings: Findings): ParsedXml {
  const declared = /<!(DOCTYPE|ENTITY)/i.exec(text.slice(0, PROLOG_LETTERS))
  const lines = new Lines(text)
  if (declared)
    throw new Unreadable(lines.placeOf(declared.index), 'declares a document type (<!DOCTYPE>): remove it')
  const root = rootOf(text, lines)
  const offsets = new WeakMap<object, number>()
  const reader = new Reader(offsets)
  const value: Record<string, unknown> = Object.create(null)
  if (nameOf(root) !== '') value[nameOf(root)] = reader.object(root, 1)
  if (reader.isTooDeep)
    throw new Unreadable('', `Elements are nested more than ${DEPTH} deep: place them higher.`)
  const placeOf = (path: Path): string => {
    let [at, offset]: [unknown, number] = [value, 0]
    for (const step of path) {
      at = isObject(at) || Array.isArray(at) ? (at as Record<string | number, unknown>)[step] : undefined
      if (typeof at === 'object' && at !== null) offset = offsets.get(at) ?? offset
    }
    return lines.placeOf(offset)
  }
  if (!findings.isGood) return { value: null, placeOf }
  return { value, placeOf }
}

/** A document type is declared before the root, which no comment puts off for longer than this. */
const PROLOG_LETTERS = 1_000_000
const DEPTH = 100

function rootOf(text: string, lines: Lines): XmlElement {
  try {
    const document = parseXml(text, { includeOffsets: true, preserveDocumentType: true })
    for (const { type, start } of document.children)
      if (type === 'doctype')
        throw new Unreadable(lines.placeOf(start), 'declares a document type (<!DOCTYPE>): remove it')
    return document.root!
  } catch (error) {
    if (error instanceof XmlError)
      throw new Unreadable(
        `line ${error.line}, column ${error.column}`,
        'is no XML from here on: see the tags and the signs < and & before it',
      )
    if (error instanceof RangeError)
      throw new Unreadable('', 'Elements are nested too deep: place them higher.')
    throw error
  }
}

/** Lines and columns of a text, found by halves. */
class Lines {
  readonly #starts: number[] = [0]

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
  }

  placeOf(offset: number): string {
    let [low, high] = [0, this.#starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return `line ${low + 1}, column ${offset - this.#starts[low]! + 1}`
  }
}

/** Elements that JSON has as members of a list, by the name of the list. */
const LISTS: Readonly<Record<string, string>> = {
  ...{ group: 'groups', control: 'controls', param: 'params', part: 'parts', prop: 'props', link: 'links' },
  ...{ role: 'roles', location: 'locations', party: 'parties', 'responsible-party': 'responsible-parties' },
  ...{ 'document-id': 'document-ids', resource: 'resources', rlink: 'rlinks', constraint: 'constraints' },
  ...{ guideline: 'guidelines', test: 'tests', import: 'imports', 'set-parameter': 'set-parameters' },
  ...{ alter: 'alters', add: 'adds', remove: 'removes', 'insert-controls': 'insert-controls' },
  ...{ 'include-controls': 'include-controls', 'exclude-controls': 'exclude-controls', matching: 'matching' },
  ...{ address: 'addresses', action: 'actions', 'external-id': 'external-ids', revision: 'revisions' },
}

/** The same of elements that are nothing but text. */
const TEXT_LISTS: Readonly<Record<string, string>> = {
  ...{ choice: 'choice', 'with-id': 'with-ids', 'party-uuid': 'party-uuids', 'addr-line': 'addr-lines' },
  ...{ 'email-address': 'email-addresses', 'telephone-number': 'telephone-numbers' },
  ...{ 'location-uuid': 'location-uuids', 'member-of-organization': 'member-of-organizations' },
}

const OBJECTS = new Set([
  ...['metadata', 'back-matter', 'select', 'citation', 'merge', 'combine', 'flat', 'custom', 'modify'],
  ...['include-all', 'base64'],
])

/** Elements whose attributes JSON has next to their text, by the name that the text has there. */
const TEXT_NAMES: Readonly<Record<string, string>> = {
  ...{ 'document-id': 'identifier', base64: 'value', 'external-id': 'id' },
}

const BLOCKS = new Set([
  'p',
  'ul',
  'ol',
  'pre',
  'table',
  'blockquote',
  'img',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
])

class Reader {
  isTooDeep = false
  readonly #offsets: WeakMap<object, number>

  constructor(offsets: WeakMap<object, number>) {
    this.#offsets = offsets
  }

  object(element: XmlElement, depth: number): Record<string, unknown> {
    // As JSON.parse makes them: no field is found that the file does not have.
    const fields: Record<string, unknown> = Object.create(null)
    this.#offsets.set(fields, element.start)
    if (depth > DEPTH) {
      this.isTooDeep = true
      return fields
    }
    for (const [name, value] of Object.entries(element.attributes))
      if (!name.startsWith('xmlns') && !name.includes(':')) fields[name] = value
    const text = TEXT_NAMES[nameOf(element)]
    if (text !== undefined) fields[text] = textOf(element)
    const blocks: XmlElement[] = []
    for (const child of elementsOf(element)) {
      const name = nameOf(child)
      if (BLOCKS.has(name)) blocks.push(child)
      else if (name === 'revisions')
        for (const one of elementsOf(child)) this.#append(fields, name, one, depth)
      else if (name === 'value' && nameOf(element) !== 'prop') add(fields, 'values', textOf(child))
      else if (TEXT_LISTS[name] !== undefined) add(fields, TEXT_LISTS[name], inlineOf(child).trim())
      else if (LISTS[name] !== undefined) this.#append(fields, LISTS[name], child, depth)
      else if (OBJECTS.has(name)) fields[name] = this.object(child, depth + 1)
      else if (name === 'as-is') fields[name] = textOf(child) === 'true'
      else if (elementsOf(child).some((one) => BLOCKS.has(nameOf(one))))
        fields[name] = markdownOf(elementsOf(child))
      else fields[name] = inlineOf(child).trim()
    }
    if (blocks.length > 0) fields.prose = markdownOf(blocks)
    return fields
  }

  #append(fields: Record<string, unknown>, name: string, element: XmlElement, depth: number): void {
    add(fields, name, this.object(element, depth + 1))
  }
}

function add(fields: Record<string, unknown>, name: string, value: unknown): void {
  const list = fields[name]
  if (Array.isArray(list)) list.push(value)
  else fields[name] = [value]
}

const isElement = (node: XmlNode): node is XmlElement => node.type === 'element'
const elementsOf = (element: XmlElement): XmlElement[] => element.children.filter(isElement)
const nameOf = ({ name }: XmlElement): string => name.slice(name.indexOf(':') + 1)
const textOf = (element: XmlElement): string => element.text.trim().replaceAll(/\s+/g, ' ')

const markdownOf = (blocks: readonly XmlElement[]): string =>
  blocks
    .map((block) => blockOf(block, 0))
    .filter((text) => text !== '')
    .join('\n\n')

function blockOf(block: XmlElement, depth: number): string {
  const name = nameOf(block)
  if (name === 'pre') return `\`\`\`\n${block.text.replace(/^\n|\n$/g, '')}\n\`\`\``
  if (name === 'ul' || name === 'ol') return listOf(block, depth)
  if (name === 'table') return tableOf(block)
  if (name === 'blockquote')
    return markdownOf(elementsOf(block))
      .split('\n')
      .map((line) => `> ${line}`.trimEnd())
      .join('\n')
  const heading = /^h([1-6])$/.exec(name)
  const text = name === 'img' ? imageOf(block) : inlineOf(block).trim()
  return heading ? `${'#'.repeat(Number(heading[1]))} ${text}` : text
}

/** Lists in lists are indented; deeper than any reader shows, they are not indented further. */
function listOf(list: XmlElement, depth: number): string {
  const indent = '  '.repeat(Math.min(depth, 10))
  return elementsOf(list)
    .map((item, index) => {
      const inner = elementsOf(item).filter((one) => BLOCKS.has(nameOf(one)) && nameOf(one) !== 'p')
      const words = inlineOf(item, (one) => !inner.includes(one)).trim()
      const mark = nameOf(list) === 'ol' ? `${index + 1}.` : '-'
      return [`${indent}${mark} ${words}`, ...inner.map((one) => blockOf(one, depth + 1))].join('\n')
    })
    .join('\n')
}

function tableOf(table: XmlElement): string {
  const rows = elementsOf(table)
    .flatMap((one) => (nameOf(one) === 'tr' ? [one] : elementsOf(one)))
    .filter((one) => nameOf(one) === 'tr')
    .map(
      (row) =>
        `| ${elementsOf(row)
          .map((cell) => inlineOf(cell).trim().replaceAll('|', '\\|'))
          .join(' | ')} |`,
    )
  if (rows.length === 0) return ''
  const columns = rows[0]!.split(/(?<!\\)\|/).length - 2
  return [rows[0], `|${' --- |'.repeat(columns)}`, ...rows.slice(1)].join('\n')
}

const MARKS: Readonly<Record<string, string>> = {
  ...{ em: '*', i: '*', strong: '**', b: '**', code: '`', sub: '~', sup: '^', q: '"' },
}

function inlineOf(element: XmlElement, isTaken: (one: XmlElement) => boolean = () => true): string {
  return element.children
    .map((node) => {
      if (!isElement(node))
        return node.type === 'text' || node.type === 'cdata'
          ? blanks((node as { text?: string }).text ?? '')
          : ''
      if (!isTaken(node)) return ''
      const name = nameOf(node)
      if (name === 'insert')
        return `{{ insert: ${node.attributes.type ?? 'param'}, ${node.attributes['id-ref'] ?? ''} }}`
      if (name === 'br') return '\n'
      if (name === 'img') return imageOf(node)
      const inner = inlineOf(node)
      if (name === 'a') return `[${inner}](${node.attributes.href ?? ''})`
      if (name === 'p') return `${inner} `
      const mark = MARKS[name] ?? ''
      return `${mark}${inner}${mark}`
    })
    .join('')
    .replaceAll(/ {2,}/g, ' ')
}

const blanks = (text: string): string => text.replaceAll(/\s+/g, ' ')
const imageOf = ({ attributes: { alt = '', src = '' } }: XmlElement): string => `![${alt}](${src})`
