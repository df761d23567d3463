import { createHash } from 'node:crypto'
import type { ByteRange } from '../bytes.ts'

/** The bytes of a file are others than were sent. */
export class ChangedBytes extends Error {
  override name = 'ChangedBytes'
}

/**
 * The same bytes, or some of them, of which the last are held back until all of the file was held against the hash:
 * whoever changes it past the service breaks it, and nobody takes what they get for what was approved. Some of them cost
 * a whole reading, therefore: a link of a download works once, so they are seldom asked for.
 * @param content all of the file
 * @throws {ChangedBytes} at their end, where they are others
 */
export async function* unchanged(
  content: AsyncIterable<Uint8Array>,
  { id, sha256 }: { readonly id: string; readonly sha256: string },
  range: ByteRange = { from: 0, to: Number.MAX_SAFE_INTEGER },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let held: Uint8Array | null = null
  let at = 0
  for await (const chunk of content) {
    hash.update(chunk)
    const asked = chunk.subarray(Math.max(0, range.from - at), Math.max(0, range.to + 1 - at))
    at += chunk.length
    // So that it ends here, too, once nobody takes them any more.
    if (asked.length === 0) yield new Uint8Array()
    else {
      if (held) yield held
      held = asked
    }
  }
  if (hash.digest('hex') !== sha256)
    throw new ChangedBytes(
      `The bytes of ${id} are not those that were sent: they were changed in the store of files, past this service. Restore them from a backup.`,
    )
  if (held) yield held
}
