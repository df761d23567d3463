import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pascal } from '../model/calls.ts'
import type { Kind } from '../model/kind.ts'
import { kinds } from '../model/kinds/index.ts'
import { withArticle } from '../model/roles.ts'
import { kindMigration } from '../server/records/kind-migration.ts'

/*
 * npm run kind -- NAME [--write]: the migration of a kind that stands in the list, with the tables of links that are not
 * there yet, whichever kind says them, and the head of its test: to standard output, or each to its file. What is there
 * already is left as it is.
 */

const ROOT = join(import.meta.dirname, '..')
const [name = '', ...options] = process.argv.slice(2)
const kind = (kinds as unknown as Record<string, Kind>)[name]
if (!kind || options.some((option) => option !== '--write')) {
  console.error(
    `Give the name of a kind that stands in model/kinds/index.ts: ${Object.keys(kinds).join(', ')}; and --write to have the files written.`,
  )
  process.exitCode = 2
} else {
  const files = [migration(kind), { file: testOf(kind), text: testHead(kind) }]
  for (const { file, text } of files)
    if (options.length === 0) console.log(`${file.endsWith('.sql') ? '--' : '//'} ${file}\n${text}`)
    else if (existsSync(join(ROOT, file)) || (file.endsWith('.sql') && isMade(kind.table)))
      console.log(`${file}: what it would have is there already, and was left as it is`)
    else {
      writeFileSync(join(ROOT, file), text)
      console.log(`${file} is written`)
    }
}

function isMade(table: string): boolean {
  const schema = readFileSync(join(ROOT, 'server/database/schema.sql'), 'utf8')
  return new RegExp(`^table ${table}\\b`, 'm').test(schema)
}

/** Of a kind that has its migration already, that one. */
function migration(kind: Kind): { file: string; text: string } {
  const folder = 'server/database/migrations'
  const made = readdirSync(join(ROOT, folder))
  const end = `-${kind.plural.replaceAll('_', '-')}.sql`
  const next = String(Math.max(...made.map((file) => Number.parseInt(file, 10))) + 1).padStart(4, '0')
  const file = made.find((one) => one.slice(4) === end) ?? `${next}${end}`
  return { file: `${folder}/${file}`, text: kindMigration(kind, isMade) }
}

function testOf({ plural }: Kind): string {
  return `test/${plural.replaceAll('_', '-')}.test.ts`
}

function testHead({ name, noun, required, example = {} }: Kind): string {
  const given = required.map((field) => `  ${field}: ${written(example[field] ?? '…')},\n`).join('')
  return `import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

let one: TestService
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
})
afterAll(() => one.close())

const given = {
${given}}
const add = async (more: object = {}) =>
  (await one.call(acme.admin, 'create${pascal(name)}', { ...given, ...more })).body as Record<string, unknown>

test('${withArticle(noun)} …', async () => {
  expect(await add()).toMatchObject(given)
})
`
}

/** As the formatter would leave it. */
function written(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)
}
