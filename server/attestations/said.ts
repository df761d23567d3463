import { createHash } from 'node:crypto'
import type { Actor } from '../caller/caller.ts'

/*
 * What somebody said when they acknowledged a text, in the order in which it is hashed. The hash is made as they say it,
 * kept with it, and stands in the sealed audit entry of that moment; a certificate shows it beside what it is of.
 */

export const SAID = [
  'version',
  'contentSha256',
  'personId',
  'person',
  'email',
  'acknowledgedBy',
  'acknowledgedAt',
  'consentText',
  'reachedEnd',
  'ip',
  'userAgent',
] as const

export type Said = Readonly<Record<(typeof SAID)[number], string | boolean | null>>

/** The SHA-256 of what was said: of the values in their order, as JSON without white space, in UTF-8. */
export const hashOfSaid = (said: Said): string =>
  createHash('sha256')
    .update(JSON.stringify(SAID.map((name) => said[name])), 'utf8')
    .digest('hex')

/** As whom somebody acted, in one cell. */
export const actorText = ({ type, id, displayName }: Readonly<Record<keyof Actor, string>>): string =>
  `${type} ${id} (${displayName})`
