import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/*
 * The memory of chunks lies outside of the heap, and V8 hears late of what is left there. Of those that outlive two
 * collections of the young it hears only when it looks at the whole heap: twenty readers of large files held 100 MB of
 * what had long been sent. So a chunk is freed as soon as nobody needs it.
 */

/** Frees the memory of a chunk, where that is all its own: in any other, others may have a share. */
export function free({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === buffer.byteLength) (buffer as ArrayBuffer).transfer(0)
}

/**
 * A stream for an answer, which frees each chunk once the system has taken it. Of an answer that is compressed on its way
 * it frees none: its chunks are read by a thread that says nothing of when it is done.
 * @param content gives chunks that nobody else looks at
 */
export function freedOnceSent(content: AsyncIterable<Uint8Array>, raw: ServerResponse): Readable {
  const stream = Readable.from(freed(), { objectMode: false })
  return stream

  async function* freed() {
    let onTheirWay: Uint8Array[] = []
    for await (const chunk of content) {
      if (stream.readableLength === 0 && raw.writableLength === 0) {
        for (const sent of onTheirWay) free(sent)
        onTheirWay = []
      }
      if (!raw.hasHeader('content-encoding')) onTheirWay.push(chunk)
      yield chunk
    }
  }
}
