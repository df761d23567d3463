import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

/**
 * The 100,000 commonest passwords, in lower case (make-common-passwords.ts says whose list it is). It is read
 * when the first password is set, and stays as the bytes it is: less than a megabyte, where a set of strings
 * would be ten.
 */
let read: Promise<Buffer> | undefined

/** What tells whether a text in lower case is one of the list. */
export async function commonPasswords(): Promise<(text: string) => boolean> {
  read ??= load()
  const list = await read
  return (text) => isLineOf(list, Buffer.from(text))
}

async function load(): Promise<Buffer> {
  const packed = await readFile(new URL('common-passwords.txt.br', import.meta.url))
  return promisify(brotliDecompress)(packed)
}

const NEWLINE = 10

/** Halves what is left of the sorted lines until the line is found, or nothing is left. */
function isLineOf(list: Buffer, wanted: Buffer): boolean {
  let from = 0
  let to = list.length
  while (from < to) {
    const start = list.lastIndexOf(NEWLINE, ((from + to) >> 1) - 1) + 1
    const end = list.indexOf(NEWLINE, start)
    const order = wanted.compare(list, start, end)
    if (order === 0) return true
    if (order < 0) to = start
    else from = end + 1
  }
  return false
}
