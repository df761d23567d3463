import { expect, test } from 'vitest'
import { toolsOf } from '../server/doors/mcp/tools.ts'
import { CORE } from '../server/doors/mcp/toolsets.ts'
import { openToPrograms, operationsBy } from '../server/operations.ts'

const operations = operationsBy('credential')

/* What a model is told of the tools before it calls one: all of it, short, and true. */

const tools = toolsOf(operations)
const definitions = tools.map(({ definition }) => definition)

/** Near enough: JSON of schemas has four characters and a little in a token of the common vocabularies. */
const tokensOf = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4)
/** Of all together: what a client pays before it has asked for anything. */
const AT_MOST = 16_000

// What programs build on changes only on purpose: `npm test -- test/mcp-tools.test.ts -u` writes both files anew.
test('tools.json is what the tools say', async () => {
  await expect(`${JSON.stringify(definitions, null, 2)}\n`).toMatchFileSnapshot('../tools.json')
})

test('they cost little, and what they cost is known', async () => {
  const each = definitions.map((one) => `${one.name} ${tokensOf(one)}`)
  const total = definitions.reduce((sum, one) => sum + tokensOf(one), 0)
  expect(total).toBeLessThan(AT_MOST)
  const told = [`total ${total}`, `on average ${Math.round(total / definitions.length)}`, ...each]
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('tools.tokens.txt')
})

test('every operation open to programs is one, in the order of the list, and no other', () => {
  const callable = openToPrograms(operations)
  expect(definitions.map(({ name }) => name)).toEqual(callable.map(({ name }) => name))
  for (const { name } of definitions) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/)
})

test('the core is no more than sixty of them', () => {
  expect(tools.filter(({ toolset }) => CORE.has(toolset)).length).toBeLessThanOrEqual(60)
})

test.each(tools.map((tool) => [tool.operation.name, tool] as const))(
  '%s',
  (name, { operation, definition }) => {
    const { method, annotations = {} } = operation
    const { title, description, inputSchema, outputSchema, annotations: hints } = definition
    expect(title).toBe(operation.title)
    expect(description.startsWith(title)).toBe(true)
    expect(hints).toEqual({
      readOnlyHint: method === 'GET',
      destructiveHint: method === 'DELETE' || annotations.destructive === true,
      idempotentHint: ['GET', 'PUT', 'DELETE'].includes(method) || annotations.idempotent === true,
      openWorldHint: ['testWebhookEndpoint', 'redeliverWebhookDelivery'].includes(name),
    })
    expect([inputSchema.type, outputSchema.type]).toEqual(['object', 'object'])
    const taken = new Set([...Object.keys(operation.input.shape), 'textFrom', 'fields'])
    for (const field of Object.keys(inputSchema.properties ?? {})) expect(taken).toContain(field)
    for (const [field, { description: words = '' }] of Object.entries(inputSchema.properties ?? {})) {
      expect(words.length, field).toBeGreaterThan(3)
      expect(words.toLowerCase().replaceAll(' ', '')).not.toBe(field.toLowerCase())
    }
    for (const field of inputSchema.required ?? []) expect(inputSchema.properties).toHaveProperty(field)
    expect(JSON.stringify(definition)).not.toMatch(/\$ref|\$defs/)
  },
)
