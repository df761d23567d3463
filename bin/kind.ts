import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pascal } from '../model/calls.ts'
import type { Kind } from '../model/kind.ts'
import { kinds } from '../model/kinds/index.ts'
import { withArticle } from '../model/roles.ts'
import { kindMigration } from '../server/records/kind-migration.ts'

// npm run kind -- NAME: the migration of a kind that stands in the list, and the head of its test, to standard output.

const [name = ''] = process.argv.slice(2)
const kind = (kinds as unknown as Record<string, Kind>)[name]
if (kind) console.log(`${migration(kind)}\n${testHead(kind)}`)
else {
  console.error(
    `Give the name of a kind that stands in model/kinds/index.ts: ${Object.keys(kinds).join(', ')}.`,
  )
  process.exitCode = 2
}

function migration(kind: Kind): string {
  const made = readdirSync(join(import.meta.dirname, '../server/database/migrations'))
  const next = Math.max(...made.map((file) => Number.parseInt(file, 10))) + 1
  const file = `${String(next).padStart(4, '0')}-${kind.plural.replaceAll('_', '-')}.sql`
  return `-- server/database/migrations/${file}\n${kindMigration(kind)}`
}

function testHead({ name, plural, noun, required, example = {} }: Kind): string {
  const given = required.map((field) => `  ${field}: ${written(example[field] ?? '…')},\n`).join('')
  return `// test/${plural.replaceAll('_', '-')}.test.ts
import { afterAll, beforeAll, expect, test } from 'vitest'
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
})`
}

/** As the formatter would leave it. */
function written(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)
}
