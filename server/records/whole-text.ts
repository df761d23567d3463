import { createHash } from 'node:crypto'
import { Refusal } from '../refusal.ts'

/*
 * What is kept with its hash is held against that wherever people are shown it, decide on it or say that they read it:
 * whoever changes a table past the service changes what they would read, and not what was approved.
 */

/** The hash of a text, over its bytes in UTF-8. */
export const hashOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/**
 * @param what it is, as a sentence begins
 * @throws {Refusal} `conflict`, where the hash is of another text
 */
export function refuseOtherHash(text: string, sha256: unknown, what = 'This text'): void {
  if (hashOf(text) === sha256) return
  throw new Refusal(
    'conflict',
    `${what} is not the one that its hash was made of: it was changed in the database, past this service. Ask whoever runs it to restore it from a backup.`,
  )
}

/** A version of a policy as it is kept: its text, none where it is a file, and the hash that was approved. */
interface KeptText {
  readonly text?: unknown
  readonly contentSha256?: unknown
}

/** @throws {Refusal} `conflict` */
export function refuseUnlessWhole({ text, contentSha256 }: KeptText): void {
  if (typeof text === 'string') refuseOtherHash(text, contentSha256)
}
