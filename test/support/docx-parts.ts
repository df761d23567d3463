import { text } from 'node:stream/consumers'
import yauzl from 'yauzl'

/** The parts of a document of Word by their names, as text. */
export async function docxParts(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
  const archive = await yauzl.fromBufferPromise(bytes)
  const parts = new Map<string, string>()
  for await (const entry of archive.eachEntry())
    parts.set(entry.fileName, await text(await archive.openReadStreamPromise(entry)))
  return parts
}
