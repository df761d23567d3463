import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

/* Every text of the app is in its catalogue, web/copy: no page and no part says a word of its own. */

const WEB = join(import.meta.dirname, '../web')

/** What is shown or read aloud of an element, beside what is inside it; the app's own parts call it the same. */
const SAID =
  /^(title|text|label|legend|placeholder|description|hint|alt|error|verb|summary|aria-(label|description|placeholder|roledescription|valuetext))$/

/** Names of other things, the same in every language. */
const NAMES = new Set(['curl'])
/** What is inside is for programs. */
const CODE = new Set(['code', 'Code', 'CodeSample', 'CopyableText'])

test('texts are in the catalogue alone', () => {
  const files = globSync('**/*.tsx', { cwd: WEB, exclude: ['dist/**'] })
  expect(files.length).toBeGreaterThan(100)
  expect(files.flatMap((file) => textsIn(file, readFileSync(join(WEB, file), 'utf8')))).toEqual([])
})

test('a text beside the catalogue would be found', () => {
  const found = (source: string) => textsIn('', source)
  expect(found('<p>Nothing here</p>')).toEqual([': Nothing here'])
  expect(found('<p>{isNew ? "New" : words.old}</p>')).toEqual([': New'])
  expect(found('<p>{isNew && `$' + '{count} new`}</p>')).toEqual([':  new'])
  expect(found('<Box label={isOff ? "Off" : undefined} />')).toEqual([': Off'])
  expect(
    found('<p className="grid">{state === "on" && words.text} · {date.format("x")} <code>id</code></p>'),
  ).toEqual([])
})

/** What is written with a capital anywhere: names of things, places and pages, and what stands for their letters. */
const CAPITALS =
  /^(Plumbline|Ada|Bo|TypeScript|Python|Go|Ruby|OpenID|Connect|Entra|Google|Workspace|Okta|Keycloak|Ctrl|Webhooks|English|Members|Settings|Unicode|Europe|Markdown|Word|[A-Z\d_]{2,}s?|I|K|U|Vienna|Enter|Space|Escape|Bearer|Authorization|Content|Type)$/

test('texts are in sentence case, and end without an exclamation mark', () => {
  const files = globSync('copy/*.ts', { cwd: WEB })
  expect(files.length).toBeGreaterThan(20)
  const found = files.flatMap((file) =>
    literalsOf(readFileSync(join(WEB, file), 'utf8')).flatMap((text) =>
      isCode(text)
        ? []
        : [...titleCased(text), ...(text.includes('!') ? [text] : [])].map((of) => `${file}: ${of}`),
    ),
  )
  expect(found).toEqual([])
  expect(titleCased('Revoke Key')).toEqual(['Revoke Key'])
  expect(titleCased('Revoke the key “Build”? Ask Ada. An API key')).toEqual([])
})

/** Texts in which a word has a capital and neither begins a sentence nor is a name. */
function titleCased(text: string): string[] {
  const sentences = text.replaceAll(/“[^”]*”/g, '').split(/[.?:;]\s+|\n/)
  const isTitle = sentences.some((sentence) =>
    sentence
      .trim()
      .split(/[\s/-]+/)
      .slice(/^[\p{L}\d]/u.test(sentence.trim()) ? 1 : 0)
      .map((word) => word.replace(/^[('$]+|[),.…:;?'’]+.*$/g, ''))
      .some((word) => /^\p{Lu}/u.test(word) && !CAPITALS.test(word)),
  )
  return isTitle ? [text] : []
}

const isCode = (text: string): boolean => /^(curl|plumbline|webhook-id:) |[{}]|^[a-z_.-]+$/.test(text)

/** Every text that a file of the catalogue writes down; what is put into it reads as an ellipsis. */
function literalsOf(source: string): string[] {
  const found: string[] = []
  const walk = (node: Node): void => {
    if (node.type === 'Literal' && typeof node.value === 'string') found.push(node.value)
    if (node.type === 'TemplateLiteral')
      found.push((node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…'))
    for (const [name, part] of Object.entries(node))
      for (const inner of Array.isArray(part) ? part : [part])
        if (isNode(inner) && inner.type !== 'ImportDeclaration' && name !== 'key') walk(inner)
  }
  walk(parseSync('file.ts', source).program as unknown as Node)
  return found
}

interface Node {
  type: string
  [part: string]: unknown
}

function textsIn(file: string, source: string): string[] {
  const found: string[] = []
  const say = (text: string) => {
    if (/\p{L}/u.test(text) && !NAMES.has(text)) found.push(`${file}: ${text.replace(/^\n\s*|\n\s*$/g, '')}`)
  }
  /** Of an expression that is shown: what it may come to, and not what it is made from. */
  const shown = (node: Node): void => {
    if (node.type === 'JSXText') say(node.value as string)
    if (node.type === 'Literal' && typeof node.value === 'string') say(node.value)
    if (node.type === 'TemplateLiteral')
      for (const { value } of node.quasis as { value: { cooked: string } }[]) say(value.cooked)
    for (const part of outcomesOf(node)) shown(node[part] as Node)
  }
  const walk = (node: Node): void => {
    if (node.type === 'JSXFragment' || (node.type === 'JSXElement' && !CODE.has(elementOf(node))))
      for (const child of node.children as Node[]) shown(child)
    if (node.type === 'JSXAttribute' && SAID.test(nameOf(node.name as Node)) && node.value)
      shown(node.value as Node)
    for (const part of Object.values(node))
      for (const inner of Array.isArray(part) ? part : [part]) if (isNode(inner)) walk(inner)
  }
  const { program, errors } = parseSync('file.tsx', source)
  expect(errors, file).toEqual([])
  walk(program as unknown as Node)
  return found
}

/** What is compared, or decides, is not shown. */
function outcomesOf({ type, operator }: Node): readonly string[] {
  switch (type) {
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
      return ['expression']
    case 'ConditionalExpression':
      return ['consequent', 'alternate']
    case 'LogicalExpression':
      return operator === '&&' ? ['right'] : ['left', 'right']
    case 'BinaryExpression':
      return operator === '+' ? ['left', 'right'] : []
    default:
      return []
  }
}

const elementOf = ({ openingElement }: Node): string => nameOf((openingElement as Node).name as Node)

const nameOf = ({ name }: Node): string => String(name)

const isNode = (part: unknown): part is Node =>
  typeof part === 'object' && part !== null && typeof (part as Node).type === 'string'
