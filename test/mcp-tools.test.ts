import { describe, expect, test } from 'vitest'
import { choice, day, instant, principal, text, texts, whole } from '../model/fields.ts'
import { type Kind, kind } from '../model/kind.ts'
import { everyKind } from '../model/kinds/index.ts'
import { scope } from '../model/needs.ts'
import { SCOPES } from '../model/scopes.ts'
import type { Caller } from '../server/caller/caller.ts'
import { TOKENS_AT_MOST, TOOLS_AT_MOST, tokensOf } from '../server/doors/mcp/core.ts'
import { definitionOf } from '../server/doors/mcp/definition.ts'
import { FIND_TOOLS } from '../server/doors/mcp/find-tools.ts'
import { type Tool, toolsOf } from '../server/doors/mcp/tools.ts'
import { toolListsOf } from '../server/doors/mcp/view.ts'
import type { AnyOperation } from '../server/operation.ts'
import { openToPrograms, operations } from '../server/operations.ts'
import { recordOperationsOf } from '../server/records/operations.ts'

/* What a model is told of the tools before it calls one: all of it, short, and true. */

const callable = openToPrograms(operations)
const tools = toolsOf(operations)
const definitions = [FIND_TOOLS.definition, ...tools.map(({ members }) => definitionOf(members))]

const sum = (all: readonly object[]) => all.reduce((total, one) => total + tokensOf(one), 0)

/** What a key with every scope of an admin's is shown where its address says nothing. */
const core = (all: readonly Tool[]) =>
  toolListsOf(all)(
    { role: 'admin', granted: new Set(Object.keys(SCOPES)), credential: {} } as unknown as Caller,
    {
      toolsets: null,
      readonly: false,
    },
  ).definitions

// What programs build on changes only on purpose: `npm test -- test/mcp-tools.test.ts -u` writes both files anew.
test('tools.json is what the tools say', async () => {
  await expect(`${JSON.stringify(definitions, null, 2)}\n`).toMatchFileSnapshot('../tools.json')
})

/* As the function calling of Gemini and OpenAI takes them: one word that it does not know refuses the whole list. */
describe('every host can hand them to its model', () => {
  const WORDS = ['type', 'description', 'enum', 'format', 'items', 'properties', 'required']
  const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object']
  type Part = Record<string, never> & { properties?: Record<string, Part>; items?: Part; enum?: unknown[] }

  const faultsIn = (part: Part, path: string): string[] => {
    const { type, items, enum: values, format, required = [] } = part as Record<string, unknown>
    const properties = part.properties ?? {}
    return [
      ...Object.keys(part)
        .filter((word) => !WORDS.includes(word))
        .map((word) => `${path}: ${word}`),
      ...(TYPES.includes(type as string) ? [] : [`${path}: type ${JSON.stringify(type)}`]),
      ...((values as unknown[] | undefined)?.some((one) => typeof one !== 'string' || one === '')
        ? [`${path}: enum ${JSON.stringify(values)}`]
        : []),
      ...(format === undefined || (type === 'string' && format === 'date-time') ? [] : [`${path}: format`]),
      ...((type === 'array') === (items !== undefined) ? [] : [`${path}: items`]),
      ...((required as string[]).every((name) => name in properties) ? [] : [`${path}: required`]),
      ...Object.keys(properties)
        .filter((name) => !/^[A-Za-z0-9_.-]{1,64}$/.test(name))
        .map((name) => `${path}: the name ${name}`),
      ...Object.entries(properties).flatMap(([name, inner]) => faultsIn(inner, `${path}.${name}`)),
      ...(part.items ? faultsIn(part.items, `${path}[]`) : []),
    ]
  }

  test.each(definitions.map((one) => [one.name, one] as const))('%s', (name, { inputSchema }) => {
    expect(faultsIn(inputSchema as never, name)).toEqual([])
    expect(inputSchema).toHaveProperty('properties')
  })
})

test('a key with the scopes of webhooks is shown every call on them at first', () => {
  const shown = core(tools).map(({ name }) => name)
  expect(shown).toEqual(
    expect.arrayContaining([
      'listWebhookEndpoints',
      'createWebhookEndpoint',
      'updateWebhookEndpoint',
      'rotateWebhookEndpointSecret',
      'testWebhookEndpoint',
      'deleteWebhookEndpoint',
      'listWebhookDeliveries',
      'getWebhookDelivery',
      'redeliverWebhookDelivery',
    ]),
  )
})

test('they cost little, and what they cost is known', async () => {
  const each = definitions.map((one) => `${one.name} ${tokensOf(one)}`)
  const total = sum(definitions)
  const shown = core(tools)
  const told = [
    `shown at first ${sum(shown)} in ${shown.length} tools`,
    `total ${total}`,
    `on average ${Math.round(total / definitions.length)}`,
    ...each,
  ]
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('tools.tokens.txt')
})

test('every operation open to programs is reached by exactly one, and nothing else is', () => {
  const reached = tools.flatMap(({ members }) => members.map(({ operation }) => operation.name))
  expect(reached.toSorted()).toEqual(callable.map(({ name }) => name).toSorted())
  const names = definitions.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/)
})

test('what is the same for all kinds has one tool, and what differs one of its own, by the name of its operation', () => {
  const shared = tools.filter(({ members }) => members[0]!.operation.sharedTool)
  expect(shared.map(({ name }) => name).toSorted()).toEqual([
    'archiveRecord',
    'createRecordBatch',
    'deleteRecord',
    'exportRecords',
    'getRecord',
    'getRecordDependents',
    'getRecordHistory',
    'linkRecords',
    'listRecordLinks',
    'listRecordSignals',
    'listRecordsUnder',
    'summarizeRecords',
    'unarchiveRecord',
    'unlinkRecords',
    'upsertRecord',
  ])
  const known = new Set(operations.map(({ name }) => name))
  for (const { name, members } of tools)
    expect([name, known.has(name), members.length === 1]).toEqual([
      name,
      !shared.some((one) => one.name === name),
      members.length === 1,
    ])
  for (const name of ['createRisk', 'listOwnershipPrincipals', 'getWebhookDelivery'])
    expect(definitions.map((one) => one.name)).toContain(name)
})

test.each(callable.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  const { method, annotations = {}, sharedTool } = operation
  const tool = tools.find(({ members }) => members.some((one) => one.operation === operation))!
  const { title, description, inputSchema, outputSchema, annotations: hints } = definitionOf(tool.members)
  expect(title).toBe((sharedTool ?? operation).title)
  expect(description.startsWith(title)).toBe(true)
  expect(hints).toEqual({
    readOnlyHint: method === 'GET',
    destructiveHint: method === 'DELETE' || annotations.destructive === true,
    idempotentHint: ['GET', 'PUT', 'DELETE'].includes(method) || annotations.idempotent === true,
    openWorldHint: ['testWebhookEndpoint', 'redeliverWebhookDelivery'].includes(name),
  })
  expect([inputSchema.type, outputSchema.type]).toEqual(['object', 'object'])
  const taken = new Set([
    ...tool.members.flatMap((one) => Object.keys(one.operation.input.shape)),
    ...['textFrom', 'fields', ...(sharedTool ? ['type', 'filters'] : [])],
  ])
  for (const field of Object.keys(inputSchema.properties ?? {})) expect(taken).toContain(field)
  for (const [field, { description: words = '' }] of Object.entries(inputSchema.properties ?? {})) {
    expect(words.length, field).toBeGreaterThan(3)
    expect(words.toLowerCase().replaceAll(' ', '')).not.toBe(field.toLowerCase())
  }
  for (const field of inputSchema.required ?? []) expect(inputSchema.properties).toHaveProperty(field)
  expect(JSON.stringify(definitionOf(tool.members))).not.toMatch(/\$ref|\$defs/)
})

describe('what is shown at first has room for no more than it should, with as many kinds as may come', () => {
  /** One of many fields, like those that are to come; each has words of its own. */
  const made = (n: number): Kind =>
    kind({
      name: `thing_${letters(n)}`,
      plural: `things_${letters(n)}`,
      noun: { one: `thing ${letters(n)}`, many: `things ${letters(n)}` },
      idPrefix: `t${letters(n)}`,
      referencePrefix: `T${letters(n).toUpperCase()}`,
      fields: {
        title: text('Title'),
        status: choice(
          'Status',
          ['draft', 'open', 'done'].map((word) => `${word}_${letters(n)}`) as [string],
        ),
        owner: principal('Owner'),
        dueDate: day('Due'),
        ...Object.fromEntries(
          Array.from({ length: 24 }, (_, place) => [
            `${FORMS[place % 6]![0]}Of${letters(place)}`,
            FORMS[place % 6]![1],
          ]),
        ),
      },
      named: 'title',
      owners: ['owner'],
      deadlines: { due: { field: 'dueDate' } },
      required: ['title'],
      module: 'risk',
      columns: ['title', 'status'],
      sections: {},
      firstFields: ['title', 'status', 'owner', 'dueDate'],
      access: {
        read: scope('read:risks'),
        create: scope('write:risks'),
        update: scope('write:risks'),
        delete: scope('write:risks'),
      },
      signals: ['created'],
      watch: ['title'],
      search: ['title'],
      filters: ['status'],
    }) as unknown as Kind
  const FORMS = [
    ['moment', instant('Moment')],
    ['number', whole('Number', 1, 9)],
    ['words', texts('Words')],
    ['day', day('Day')],
    ['note', text('Note', 2_000)],
    ['choice', choice('Choice', ['internal', 'external', 'shared', 'other'])],
  ] as const
  const letters = (n: number) => String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26))
  const withUpTo = (count: number): readonly AnyOperation[] => [
    ...operations,
    ...Array.from({ length: Math.max(0, count - everyKind.length) }, (_, n) => made(n)).flatMap(
      recordOperationsOf,
    ),
  ]

  test.each([everyKind.length, 31, 70])('%i kinds', (count) => {
    const all = toolsOf(withUpTo(count))
    const shown = core(all)
    const names = shown.map(({ name }) => name)
    expect(shown.length).toBeLessThanOrEqual(TOOLS_AT_MOST)
    expect(sum(shown)).toBeLessThanOrEqual(TOKENS_AT_MOST)
    expect(names).toEqual(
      expect.arrayContaining(['findTools', 'getMe', 'getRecord', 'linkRecords', 'listRisks']),
    )
    // What every kind has to be found by is there without being looked for, up to as many as are to come.
    const lists = all.flatMap(({ name }) => (name.startsWith('listThings') ? [name] : []))
    if (count <= 31) expect(names).toEqual(expect.arrayContaining(lists))
    // Nobody goes without a tool while there is room for all.
    if (sum(all.map(({ members }) => definitionOf(members))) < TOKENS_AT_MOST && all.length < TOOLS_AT_MOST)
      expect(names).toEqual(['findTools', ...all.map(({ name }) => name)])
  })
})
