import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIND_TOOLS } from '../server/doors/mcp/find-tools.ts'
import { toolsOf } from '../server/doors/mcp/tools.ts'
import { CORE } from '../server/doors/mcp/toolsets.ts'
import { operationsBy } from '../server/operations.ts'

/* What docs/mcp.md gives to copy is right. */

const text = readFileSync(join(import.meta.dirname, '../docs/mcp.md'), 'utf8')
const tools = toolsOf(operationsBy('credential'))

test('settings are JSON, and lead to the door', () => {
  const settings = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json]) => json!)
  expect(settings).toHaveLength(3)
  for (const json of settings) {
    expect(() => JSON.parse(json)).not.toThrow()
    expect(json).toMatch(/"https?:\/\/[^/]+\/v1\/mcp"/)
  }
})

test('the tools and toolsets it names are there', () => {
  const names = new Set([FIND_TOOLS.definition.name, ...tools.map(({ name }) => name)])
  const named = [...text.matchAll(/`((?:list|get|create|update|delete|link|find|summarize)[A-Z]\w+)`/g)].map(
    ([, name]) => name!,
  )
  expect(named.length).toBeGreaterThan(3)
  for (const name of named) expect(names).toContain(name)
  for (const toolset of CORE) expect(text).toContain(`\`${toolset}\``)
  const known = new Set(tools.flatMap(({ members }) => members.map(({ toolset }) => toolset)))
  for (const [, asked] of text.matchAll(/\?toolsets=([\w,-]+)`/g))
    for (const toolset of asked!.split(',')) expect([...known, 'all']).toContain(toolset)
})
