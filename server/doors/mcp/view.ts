import { LRUCache } from 'lru-cache'
import { ROLE_SCOPES } from '../../../model/scopes.ts'
import type { Caller } from '../../caller/caller.ts'
import { rightsRefusal } from '../../caller/rights.ts'
import type { Definition, Tool } from './tools.ts'
import { CORE, type View } from './toolsets.ts'

/**
 * Which tools a caller is shown. A key is shown all that it may call: it was made for a purpose. A token is shown
 * what the role of its person permits, also where the token lacks the scope, because the app can ask for that; and
 * of it the core, unless the address names more.
 */
export type Lister = (caller: Caller, view: View) => readonly Definition[]

const MOST_REMEMBERED = 1_000

export function listerOf(tools: readonly Tool[]): Lister {
  const lists = new LRUCache<string, readonly Definition[]>({ max: MOST_REMEMBERED })
  return (caller, view) => {
    const shape = shapeOf(caller, view)
    const known = lists.get(shape)
    if (known) return known
    const shown = tools.filter((tool) => opens(tool, caller, view) === null)
    const list = shown.map((tool) => offered(tool, caller))
    lists.set(shape, list)
    return list
  }
}

/** The tool without inputs that this caller has no right to use. */
function offered({ definition, gated }: Tool, caller: Caller): Definition {
  const shut = Object.entries(gated).flatMap(([name, needs]) =>
    needs.some((one) => rightsRefusal(one, holderOf(caller))) ? [name] : [],
  )
  if (shut.length === 0) return definition
  const { properties = {} } = definition.inputSchema
  const left = Object.entries(properties).filter(([name]) => !shut.includes(name))
  return { ...definition, inputSchema: { ...definition.inputSchema, properties: Object.fromEntries(left) } }
}

/** A token can be given all that its person may do: its app asks for it. */
const holderOf = (caller: Caller): Caller =>
  caller.credential.type === 'oauth_token' ? { ...caller, granted: ROLE_SCOPES[caller.role] } : caller

/** All that a list depends on. */
function shapeOf({ credential, role, granted }: Caller, { toolsets, readonly }: View): string {
  const scopes = credential.type === 'oauth_token' ? 'token' : [...granted].sort().join(' ')
  const sets = toolsets === null || toolsets === 'all' ? toolsets : [...toolsets].sort().join(' ')
  return [role, scopes, sets, readonly].join('|')
}

/** What getMe tells of the tools, beside what it tells everybody. */
export interface ToolsTold {
  readonly shown: number
  readonly hidden: readonly { readonly toolset: string; readonly tools: number; readonly opensWith: string }[]
}

export function toldOf(tools: readonly Tool[], caller: Caller, view: View): ToolsTold {
  const closed = tools.flatMap((tool) => {
    const opensWith = opens(tool, caller, view)
    return opensWith === null ? [] : [{ toolset: tool.toolset, opensWith }]
  })
  const groups = Map.groupBy(closed, ({ toolset, opensWith }) => `${toolset}|${opensWith}`)
  return {
    shown: tools.length - closed.length,
    hidden: [...groups.values()].map((group) => ({ ...group[0]!, tools: group.length })),
  }
}

/** @returns null for a tool that is shown, else what would open it */
function opens({ operation, toolset }: Tool, caller: Caller, { toolsets, readonly }: View): string | null {
  const isToken = caller.credential.type === 'oauth_token'
  const refusal = rightsRefusal(operation.needs, holderOf(caller))
  const scopes = operation.needs.anyOf.join(' or ')
  if (refusal?.code === 'insufficient_scope') return `a key with ${scopes}`
  if (refusal) return `a role that allows ${scopes}; this person is ${caller.role}`
  const wanted = toolsets ?? (isToken ? CORE : 'all')
  if (wanted !== 'all' && !wanted.has(toolset)) return `?toolsets=${toolset} or ?toolsets=all in the address`
  if (readonly && operation.method !== 'GET') return 'the address without readonly=1'
  return null
}
