import { scopesInWords } from '../../../model/needs.ts'
import { ROLE_SCOPES } from '../../../model/scopes.ts'
import type { Caller } from '../../caller/caller.ts'
import { rightsRefusal } from '../../caller/rights.ts'
import { definitionOf } from './definition.ts'
import type { Definition, Member, Tool } from './tools.ts'
import type { View } from './toolsets.ts'

/** The tools that a caller may use, whatever of them is shown; of each, only what it may use. */
export function usable(tools: readonly Tool[], caller: Caller, view: View): Tool[] {
  return tools.flatMap(({ name, members }) => {
    const open = members.filter((member) => needed(member, caller, view) === null)
    return open.length > 0 ? [{ name, members: open }] : []
  })
}

/** What is told of a tool, without inputs that this caller has no right to use. */
export const definitionFor = (members: readonly Member[], caller: Caller): Definition =>
  definitionOf(members.map((member) => withoutShut(member, caller)))

function withoutShut(member: Member, caller: Caller): Member {
  const { definition, gated } = member
  const shut = Object.entries(gated).flatMap(([name, needs]) =>
    needs.some((one) => rightsRefusal(one, holderOf(caller))) ? [name] : [],
  )
  if (shut.length === 0) return member
  const { properties = {} } = definition.inputSchema
  const left = Object.entries(properties).filter(([name]) => !shut.includes(name))
  const inputSchema = { ...definition.inputSchema, properties: Object.fromEntries(left) }
  return { ...member, definition: { ...definition, inputSchema } }
}

/** A token can be given all that its person may do: its app asks for it. */
const holderOf = (caller: Caller): Caller =>
  caller.credential.type === 'oauth_token' ? { ...caller, granted: ROLE_SCOPES[caller.role] } : caller

/** @returns null for what may be called, else what it would take */
export function needed({ operation }: Member, caller: Caller, { readonly }: View): string | null {
  const refusal = rightsRefusal(operation.needs, holderOf(caller))
  const scopes = scopesInWords(operation.needs)
  if (refusal?.code === 'insufficient_scope') return `a key with ${scopes}`
  if (refusal) return `a role that allows ${scopes}; this person is ${caller.role}`
  return readonly && operation.method !== 'GET' ? 'the address without readonly=1' : null
}
