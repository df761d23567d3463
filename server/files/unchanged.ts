import { createHash } from 'node:crypto'

/** The bytes of a file are others than were sent. */
export class ChangedBytes extends Error {
  override name = 'ChangedBytes'
}

/**
 * The same bytes, of which the last are held back until all of them were held against the hash: whoever changes a file past
 * the service breaks it, and nobody takes what they get for what was approved.
 * @throws {ChangedBytes} at their end, where they are others
 */
export async function* unchanged(
  content: AsyncIterable<Uint8Array>,
  { id, sha256 }: { readonly id: string; readonly sha256: string },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let held: Uint8Array | null = null
  for await (const chunk of content) {
    if (held) yield held
    hash.update(chunk)
    held = chunk
  }
  if (hash.digest('hex') !== sha256)
    throw new ChangedBytes(
      `The bytes of ${id} are not those that were sent: they were changed in the store of files, past this service. Restore them from a backup.`,
    )
  if (held) yield held
}
