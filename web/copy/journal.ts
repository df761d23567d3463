import type { Channel } from '../../model/channel.ts'
import { lower } from './records.ts'

/*
 * What happened, as the history of a record and the audit log tell it alike: who did it, through what, and how it came.
 */

interface Way {
  readonly title: string
  /** After what was done. */
  readonly told: string
}

/** How it came, of calls and of what the service does by itself. */
const ways: Record<Channel, Way> = {
  ui: { title: 'Web app', told: 'in the web app' },
  rest: { title: 'REST API', told: 'over the API' },
  mcp: { title: 'MCP', told: 'over MCP' },
  cli: { title: 'Command line', told: 'on the command line' },
  guest: { title: 'Guest pass', told: 'by a guest pass' },
  scheduler: { title: 'Service', told: 'automatically' },
}

export const journal = {
  ways: ways as Readonly<Record<string, Way>>,
  /** What is no person. */
  credentials: {
    api_key: 'API key',
    oauth_client: 'Connected app',
    guest: 'Guest',
    operator: 'Operator',
    service: 'Service',
    system: 'Service',
  } as Readonly<Record<string, string>>,
  of: (credential: string, person: string) => `${credential} of ${person}`,
  /** @param titles of what the link says otherwise now */
  relinked: (titles: readonly string[]) =>
    titles.length > 0 ? `changed the ${titles.map(lower).join(' and the ')} of a link` : 'changed a link',
  /** @param verb what its button says */
  acted: (verb: string) => `used “${verb}” on it`,
  from: 'from',
  to: 'to',
  whole: 'Show all',
  less: 'Show less',
  added: 'Added',
  more: (next: string, left: string) => `Show ${next === left ? next : `${next} of ${left}`} more`,
  removed: 'Removed',
  /** What a link is, or was and is. */
  roles: (roles: readonly string[]) => `as ${roles.join(' → ').toLowerCase()}`,
  /** The same of what else it says. */
  said: (title: string, ends: readonly string[]) => `${lower(title)}: ${ends.join(' → ')}`,
  /** What is no kind's record, where its name spelled out would read badly. */
  subjects: {
    api_key: 'API key',
    sign_in_provider: 'Sign-in provider',
  } as Readonly<Record<string, string>>,
  /** Fields of those, likewise. */
  fields: {
    prefix: 'Key prefix',
    email: 'E-mail',
    mfaEnabled: 'Second factor',
    expiresAt: 'Expires',
    revokedAt: 'Revoked',
    disabledReason: 'Reason for being off',
    waiting: 'Still waiting',
    personId: 'Person',
    personIds: 'People',
    sha256: 'SHA-256',
    contentSha256: 'SHA-256 of the text',
    clientId: 'Client id',
    providerId: 'Sign-in provider',
  } as Readonly<Record<string, string>>,
}

const SAID_BY_NAME = new Set(['operator', 'service', 'system'])

/** A person by their name; a program by what it is, too. */
export function actorName({ type, displayName }: { type: string; displayName: string }): string {
  const credential = journal.credentials[type]
  return credential && !SAID_BY_NAME.has(type) ? `${credential} “${displayName}”` : displayName
}

/** Through what somebody acted; nothing where they did it themselves. */
export const credentialWord = (type: string): string =>
  type === 'user' ? '' : (journal.credentials[type] ?? type)

export const channelWord = (channel: string): string => journal.ways[channel]?.title ?? channel
