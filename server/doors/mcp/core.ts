import { kindAtPath, pathsOf } from '../../../model/family.ts'
import type { AnyOperation } from '../../operation.ts'
import type { Definition, Member } from './tools.ts'
import { CORE, WEBHOOK_TOOLS } from './toolsets.ts'

/*
 * What a model is shown where the address names no toolsets. All of it is read before anything is asked, so it has a
 * room that does not grow with the kinds: the tools are put into it one by one, those first that most work begins with,
 * and what finds none is left to findTools. Where not all have room, lists tell their filters by name.
 */

/** A tool as one caller is shown it. */
export interface Shown {
  readonly name: string
  /** Those of its members that the caller may use. */
  readonly members: readonly Member[]
  readonly definition: Definition
}

export const TOOLS_AT_MOST = 60
export const TOKENS_AT_MOST = 16_000

/** Near enough: JSON of schemas has four characters and a little in a token of the common vocabularies. */
export const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4)

/**
 * @param first what is shown whatever else is
 * @returns those of them that there is room for beside it, in their order
 */
export function coreOf(all: readonly Shown[], first: readonly Definition[]): readonly Shown[] {
  const whole = withRoom(all, first)
  return whole.length === all.length ? whole : withRoom(all.map(inBrief), first)
}

function withRoom(all: readonly Shown[], first: readonly Definition[]): readonly Shown[] {
  let tools = TOOLS_AT_MOST - first.length
  let tokens = TOKENS_AT_MOST - first.reduce((sum, one) => sum + tokensOf(one), 0)
  const kept = new Set<Shown>()
  for (const one of all.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const cost = tokensOf(one.definition)
    if (tools === 0 || cost > tokens) continue
    tools -= 1
    tokens -= cost
    kept.add(one)
  }
  return all.filter((one) => kept.has(one))
}

/** What is for all kinds, then the lists in which anything is found, then what most work is about, and what is aside. */
function rankOf({ members }: Shown): number {
  const [{ operation, toolset }] = members as [Member]
  if (WEBHOOK_TOOLS.has(operation.name)) return 0
  if (operation.isAside) return 3 + 2 * CORE.length
  const isOfAllKinds = operation.sharedTool && !operation.sharedTool.isAside
  if (isOfAllKinds || ['me', 'search', 'principals'].includes(toolset)) return 0
  const place = CORE.indexOf(toolset) >= 0 ? CORE.indexOf(toolset) : CORE.length
  return isList(operation) ? 1 + place : 2 + CORE.length + place
}

const isList = ({ method, path, input }: AnyOperation): boolean =>
  method === 'GET' && !path.includes('{') && 'limit' in input.shape && !isOfPart(path)

/** Of some records of a kind, which are found in the list of all of them as well. */
function isOfPart(path: string): boolean {
  const kind = kindAtPath(path)
  return kind !== undefined && path !== pathsOf(kind).all
}

/** What every list of records takes beside: told once, by findTools. */
export const OF_EVERY_LIST = [
  'sort',
  'updatedSince',
  'externalId',
  'reference',
  'labels',
  'source',
  'createdAt.from',
  'createdAt.to',
  'customFields',
] as const

/** What stands in every list, and where a record is in its life. */
const OF_LISTS = new Set(['q', 'status', 'limit', 'cursor', 'fields'])

/**
 * A list whose filters are told by their names: in their schemas they are most of what tools cost, and all alike. What a
 * cursor is, its name and that of `nextCursor` say in each answer.
 */
function inBrief(shown: Shown): Shown {
  const { definition, members } = shown
  if (!isList(members[0]!.operation)) return shown
  const { properties = {}, ...input } = definition.inputSchema
  const kept = Object.entries(properties).flatMap(([name, { description, ...bare }]) => {
    if (!OF_LISTS.has(name)) return []
    return [[name, description && name !== 'cursor' ? { ...bare, description } : bare] as const]
  })
  const isOfRecords = OF_EVERY_LIST.every((name) => name in properties)
  const told = Object.keys(properties).filter(
    (name) => !OF_LISTS.has(name) && !(isOfRecords && (OF_EVERY_LIST as readonly string[]).includes(name)),
  )
  const parted = Object.groupBy(told, (name) => /\.(from|to|min|max)$/.exec(name)?.[1] ?? 'whole')
  const bases = (end: string) => (parted[end] ?? []).map((name) => name.slice(0, -end.length - 1))
  const [dates, numbers] = [bases('from'), bases('min')]
  const whole = (parted.whole ?? []).filter((name) => !dates.includes(name) && !numbers.includes(name))
  const said = [
    definition.description,
    whole.length > 0 ? `Also takes ${whole.join(', ')}.` : null,
    dates.length > 0 ? `With .from and .to: ${dates.join(', ')}.` : null,
    numbers.length > 0 ? `With .min and .max: ${numbers.join(', ')}.` : null,
  ]
  return {
    ...shown,
    definition: {
      ...definition,
      description: said.filter(Boolean).join(' '),
      inputSchema: { ...input, properties: Object.fromEntries(kept) },
      // Most hosts keep it from their model, and each answer shows its form.
      outputSchema: { type: 'object' },
    },
  }
}
