import { SCOPES, type Scope } from '../../model/scopes.ts'
import type { Config } from '../config.ts'

type Public = Pick<Config, 'publicUrl'>

/**
 * The two names of the protected resource (RFC 8707, RFC 9728), by the path of the door that programs come for. REST
 * and MCP are doors of one service, with one list of operations, the same scopes and the same limit: what a person
 * lets an app do does not depend on the door, so a token for either opens both. A token for anything else opens none.
 */
export const RESOURCES = ['/v1/mcp', '/v1'] as const

/** What a client that names no resource is given a token for. */
export const resourceOf = ({ publicUrl }: Public): string => `${publicUrl}${RESOURCES[0]}`

export const resourcesOf = ({ publicUrl }: Public): readonly string[] =>
  RESOURCES.map((path) => `${publicUrl}${path}`)

/** A resource as we write it: clients that build addresses add a slash at the end. */
export function canonicalResource(config: Public, indicator: string): string {
  const bare = indicator.replace(/\/$/, '')
  return resourcesOf(config).includes(bare) ? bare : indicator
}

export const isScope = (word: string): word is Scope => Object.hasOwn(SCOPES, word)

/**
 * What an app asks for that has no wishes of its own: enough to read what most questions are about, in one trip
 * through the browser, and nothing that writes. Challenges and metadata name it; who consents may take parts
 * of it away, or give more.
 */
export const FIRST_SCOPES: readonly Scope[] = [
  'read:frameworks',
  'read:policies',
  'read:controls',
  'read:risks',
  'read:evidence',
  'read:organization',
  'read:users',
  'read:vendors',
]

/** What a client learns of a resource before it asks for anything (RFC 9728). */
export function resourceMetadata(config: Public, resource: string): object {
  return {
    resource,
    authorization_servers: [config.publicUrl],
    scopes_supported: FIRST_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Plumbline',
    resource_documentation: `${config.publicUrl}/docs`,
  }
}
