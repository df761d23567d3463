import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../model/scopes.ts'
import { FIND_TOOLS } from '../server/doors/mcp/find-tools.ts'
import { toolsOf } from '../server/doors/mcp/tools.ts'
import { operationsBy } from '../server/operations.ts'
import type { Door } from './support/door.ts'
import { withoutEmpty } from './support/mcp.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* The protocol's inspector, without a window and with a key, as a script would use it. */

let one: TestService
let door: Door
let acme: TestOrganization
let key: string
let home: string

beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  key = (await acme.key(Object.keys(SCOPES) as Scope[])).secret
  home = mkdtempSync(join(tmpdir(), 'plumbline-inspector-'))
})
afterAll(async () => {
  await one.close()
  rmSync(home, { recursive: true, force: true })
})

async function inspect(...args: string[]) {
  const program = join(
    import.meta.dirname,
    '../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  )
  const target = [
    '--cli',
    `${door.base}/v1/mcp`,
    '--transport',
    'http',
    '--header',
    `Authorization: Bearer ${key}`,
  ]
  const child = spawn(process.execPath, [program, ...target, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.on('close', resolve)
  return { code: await promise, out, err }
}

test('it lists every tool and finds no fault in any', async () => {
  const { code, out, err } = await inspect('--method', 'tools/list', '--strict')
  expect(code).toBe(0)
  expect(err.split(/^(?=Warning: |Error: )/m).filter((one) => one.trim())).toEqual([])
  const { tools } = JSON.parse(out) as { tools: { name: string }[] }
  expect(tools.map(({ name }) => name)).toEqual([
    FIND_TOOLS.definition.name,
    ...toolsOf(operationsBy('credential')).map(({ name }) => name),
  ])
})

test('it calls one', async () => {
  const { body } = await one.call(acme.admin, 'createRisk', { title: 'Inspected' })
  const { id } = body as { id: string }
  const { code, out, err } = await inspect(
    '--method',
    'tools/call',
    '--tool-name',
    'getRecord',
    '--tool-arg',
    `id=${id}`,
  )
  expect(code, err).toBe(0)
  expect(JSON.parse(out).structuredContent).toEqual(withoutEmpty(body))
})
