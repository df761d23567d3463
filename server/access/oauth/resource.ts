import type { Config } from '../../config.ts'
import { SCOPES, type Scope } from '../scopes.ts'

/**
 * The one protected resource (RFC 8707, RFC 9728). REST and MCP are two doors of it, so a token for it opens
 * both; its name is that of the door which programs come for.
 */
export const resourceOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => `${publicUrl}/v1/mcp`

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

/** What a client learns of the resource before it asks for anything (RFC 9728). */
export function resourceMetadata(config: Pick<Config, 'publicUrl'>): object {
  return {
    resource: resourceOf(config),
    authorization_servers: [config.publicUrl],
    scopes_supported: FIRST_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Plumbline',
    resource_documentation: `${config.publicUrl}/docs`,
  }
}
