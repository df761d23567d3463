import { buffer } from 'node:stream/consumers'
import type { PaperDocument, PaperPicture } from './document.ts'

/*
 * A document on its way to the program that sets it: a line of JSON, and behind it the bytes of its pictures, one after
 * another. In JSON they would be half as large again, and in the memory that the program has little of.
 */

type Sent = Omit<PaperDocument, 'pictures'> & {
  readonly pictures: readonly (Omit<PaperPicture, 'bytes'> & { readonly length: number })[]
}

export function asSent({ pictures = [], ...document }: PaperDocument): (string | Uint8Array)[] {
  const told = pictures.map(({ bytes, ...size }) => ({ ...size, length: bytes.length }))
  const sent: Sent = { ...document, pictures: told }
  return [`${JSON.stringify(sent)}\n`, ...pictures.map(({ bytes }) => bytes)]
}

export async function readSent(source: NodeJS.ReadableStream): Promise<PaperDocument> {
  const all = await buffer(source)
  const end = all.indexOf(0x0a)
  const { pictures, ...document } = JSON.parse(all.toString('utf8', 0, end)) as Sent
  let at = end + 1
  return {
    ...document,
    madeAt: new Date(document.madeAt),
    pictures: pictures.map(({ length, ...size }) => {
      at += length
      return { ...size, bytes: all.subarray(at - length, at) }
    }),
  }
}
