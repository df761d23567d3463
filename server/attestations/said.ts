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

/** As whom somebody acted; of a guest with what they showed beside their link, since that was kept. */
export type ActedAs = Readonly<Record<keyof Actor, string>> & {
  readonly proof?: keyof typeof PROOFS | undefined
}

/** How it ends in a cell. */
export const PROOFS = { mailbox: ', mailbox proved', link: ', by a link alone' } as const

/** The same in one cell. */
export const actorText = ({ type, id, displayName, proof }: ActedAs): string =>
  `${type} ${id} (${displayName})${proof ? PROOFS[proof] : ''}`
