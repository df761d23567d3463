import { LRUCache } from 'lru-cache'
import type { Caller } from '../../caller/caller.ts'
import { coreOf, type Shown } from './core.ts'
import { FIND_TOOLS } from './find-tools.ts'
import type { Definition, Tool } from './tools.ts'
import type { View } from './toolsets.ts'
import { definitionFor, needed, usable } from './usable.ts'

/**
 * Which tools a caller is shown: of what it may call, those of the toolsets that the address names, or the core. A
 * token is shown what the role of its person permits, also where the token lacks the scope, because the app can ask for
 * that. Of a tool that stands for several operations no more is told than is shown of these.
 */
export interface ToolList {
  readonly definitions: readonly Definition[]
  readonly told: ToolsTold
}

/** What getMe tells of the tools, beside what it tells everybody. */
export interface ToolsTold {
  readonly shown: number
  /** How many calls of a toolset are not to be seen, and what would show them. */
  readonly hidden: readonly { readonly toolset: string; readonly calls: number; readonly opensWith: string }[]
}

/** A list of its own costs some tens of kilobytes, and is made in milliseconds. */
const MOST_REMEMBERED = 200

export function toolListsOf(tools: readonly Tool[]): (caller: Caller, view: View) => ToolList {
  const lists = new LRUCache<string, ToolList>({ max: MOST_REMEMBERED })
  return (caller, view) => {
    const shape = shapeOf(caller, view)
    const known = lists.get(shape)
    if (known) return known
    const list = toolListFor(tools, caller, view)
    lists.set(shape, list)
    return list
  }
}

function toolListFor(tools: readonly Tool[], caller: Caller, view: View): ToolList {
  const first = names(view, FIND_TOOLS.toolset) ? [FIND_TOOLS.definition] : []
  const open = usable(tools, caller, view).flatMap(({ name, members }) => {
    const named = members.filter(({ toolset }) => names(view, toolset))
    return named.length > 0 ? [{ name, members: named, definition: definitionFor(named, caller) }] : []
  })
  const shown = view.toolsets === null ? coreOf(open, first) : open
  const definitions = [...first, ...shown.map(({ definition }) => definition)]
  return { definitions, told: { shown: definitions.length, hidden: hiddenOf(tools, shown, caller, view) } }
}

const names = ({ toolsets }: View, toolset: string): boolean =>
  toolsets === null || toolsets === 'all' || toolsets.has(toolset)

/** All that a list depends on. */
function shapeOf({ credential, role, granted }: Caller, { toolsets, readonly }: View): string {
  const scopes = credential.type === 'oauth_token' ? 'token' : [...granted].sort().join(' ')
  const sets = toolsets === null || toolsets === 'all' ? toolsets : [...toolsets].sort().join(' ')
  return [role, scopes, sets, readonly].join('|')
}

function hiddenOf(tools: readonly Tool[], shown: readonly Shown[], caller: Caller, view: View) {
  const there = new Set(shown.flatMap(({ members }) => members.map(({ operation }) => operation)))
  const hidden = tools
    .flatMap(({ members }) => members.filter(({ operation }) => !there.has(operation)))
    .map((member) => ({
      toolset: member.toolset,
      opensWith: needed(member, caller, view) ?? addressOf(member.toolset),
    }))
  const groups = Map.groupBy(hidden, ({ toolset, opensWith }) => `${toolset}|${opensWith}`)
  return [...groups.values()].map(([one, ...more]) => ({
    toolset: one!.toolset,
    calls: more.length + 1,
    opensWith: one!.opensWith,
  }))
}

const addressOf = (toolset: string): string => `?toolsets=${toolset} or ?toolsets=all in the address`
