import { createHash } from 'node:crypto'
import { Refusal } from '../refusal.ts'

/** A version as it is kept: its text, none where it is a file, and the hash that was approved. */
interface KeptText {
  readonly text?: unknown
  readonly contentSha256?: unknown
}

/**
 * Holds a text against its hash, wherever people are shown it, decide on it or say that they read it: whoever changes a
 * table past the service changes what they would read, and not what was approved.
 * @throws {Refusal} `conflict`
 */
export function refuseUnlessWhole({ text, contentSha256 }: KeptText): void {
  if (typeof text !== 'string') return
  if (createHash('sha256').update(text, 'utf8').digest('hex') !== contentSha256)
    throw new Refusal(
      'conflict',
      'This text is not the one that its hash was made of: it was changed in the database, past this service. Ask whoever runs it to restore it from a backup.',
    )
}
