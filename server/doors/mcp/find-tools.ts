import { z } from 'zod'
import type { Caller } from '../../caller/caller.ts'
import { parseInput } from '../../input.ts'
import { nearestName } from '../../nearest-name.ts'
import { OF_EVERY_LIST } from './core.ts'
import type { Definition, Tool } from './tools.ts'
import type { View } from './toolsets.ts'
import { definitionFor, usable } from './usable.ts'

/*
 * The list that a model begins with has room for some of the tools; this one finds the others, among those that the
 * credential may use, and says how they are called. It reads nothing of the organization.
 */
export const FIND_TOOLS: { readonly toolset: string; readonly definition: Definition } = {
  toolset: 'me',
  definition: {
    name: 'findTools',
    title: 'Find tools',
    description: `Find tools. All that this credential may call, by words of what is to be done; without words, the toolsets with what each holds. A tool that is not in your list is called by its name all the same. Each list of records also takes ${OF_EVERY_LIST.join(', ')}.`,
    inputSchema: {
      type: 'object',
      properties: { words: { type: 'string', description: 'Such as: add a vendor' } },
    },
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
}

const INPUT = z.strictObject({ words: z.string().max(200).nullish() })

const FOUND_AT_MOST = 10
const WITH_SCHEMA = 3

export type ToolFinder = (caller: Caller, view: View, raw: unknown) => Record<string, unknown>

/** @returns what answers a call of it, which refuses with `validation_failed` what is no text */
export function toolFinderOf(tools: readonly Tool[]): ToolFinder {
  const index = indexOf(tools)
  return (caller, view, raw) => {
    const { words } = parseInput({ input: INPUT }, raw) as z.output<typeof INPUT>
    const open = usable(tools, caller, view)
    const asked = wordsIn(words ?? '')
    if (asked.length === 0) return everything(open)
    const found = ranked(index, asked).flatMap((name) => open.find((one) => one.name === name) ?? [])
    if (found.length === 0) return { tools: [], note: NOTHING, ...everything(open) }
    return {
      tools: found.slice(0, FOUND_AT_MOST).map((one, place) => rowOf(one, caller, place < WITH_SCHEMA)),
    }
  }
}

const NOTHING = 'Nothing is told with these words; here is all there is.'

/** By toolset; what stands for all kinds apart, with the types of which it takes records. */
function everything(open: readonly Tool[]) {
  const shared = open.filter(isShared)
  const alone = Map.groupBy(
    open.filter((one) => !isShared(one)),
    ({ members }) => members[0]!.toolset,
  )
  return {
    ...(shared.length > 0
      ? { records: { tools: shared.map(({ name }) => name), types: [...new Set(shared.flatMap(typesOf))] } }
      : {}),
    toolsets: [...alone].map(([toolset, all]) => ({ toolset, tools: all.map(({ name }) => name) })),
  }
}

function rowOf(tool: Tool, caller: Caller, withSchema: boolean) {
  const { members } = tool
  const { name, title, description, inputSchema } = definitionFor(members, caller)
  return {
    name,
    title,
    ...(isShared(tool) ? { types: typesOf(tool) } : { toolset: members[0]!.toolset }),
    needs: [...new Set(members.flatMap(({ operation }) => operation.needs.anyOf))],
    ...(withSchema ? { description, inputSchema } : {}),
  }
}

const isShared = ({ members }: Tool): boolean => members[0]!.operation.sharedTool !== undefined

const typesOf = ({ members }: Tool): string[] =>
  members.map(({ operation }) => operation.sharedTool!.kind.name)

/** The words of a tool, each with its weight. */
type Index = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Its own name says the most of what a tool does; of what it stands for, each says little. */
function indexOf(tools: readonly Tool[]): Index {
  return new Map(
    tools.map((tool) => {
      const weights = new Map<string, number>()
      const add = (text: string, weight: number) => {
        for (const word of wordsIn(text)) weights.set(word, Math.max(weight, weights.get(word) ?? 0))
      }
      add(tool.name, 3)
      for (const { operation, definition, toolset } of tool.members) {
        const { title, description } = operation.sharedTool ?? operation
        add(title, 3)
        add(`${operation.title} ${toolset} ${operation.name}`, isShared(tool) ? 1 : 3)
        add(`${description ?? ''} ${Object.keys(definition.inputSchema.properties ?? {}).join(' ')}`, 1)
      }
      return [tool.name, weights]
    }),
  )
}

/** Names of tools, those first that have most of the words, and the words that few have. */
function ranked(index: Index, asked: readonly string[]): string[] {
  const known = [...new Set([...index.values()].flatMap((weights) => [...weights.keys()]))]
  const scores = new Map<string, number>()
  for (const word of asked) {
    const meant = known.includes(word) ? word : (nearestName(word, known) ?? word)
    const hits = [...index].flatMap(([name, weights]) => {
      const weight = weights.get(meant)
      return weight ? [[name, weight] as const] : []
    })
    for (const [name, weight] of hits)
      scores.set(name, (scores.get(name) ?? 0) + weight * Math.log(1 + index.size / hits.length))
  }
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
}

/** `risk`, `treatment` and `plan` of "riskTreatments planned": lower case, parted, and in one form. */
const wordsIn = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
    .map((word) => word.replace(/ies$/, 'y').replace(/(?<!s)s$/, ''))
