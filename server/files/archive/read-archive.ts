import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { z } from 'zod'
import { linesOf } from '../../../model/lines.ts'
import { startLimited } from '../../limited-process.ts'
import { LIMITS, Unreadable } from './found.ts'

/*
 * An archive that somebody sent, read by a program without rights (program.ts, limited-process.ts). What that answers is
 * judged again: it has read what may be made to harm it.
 */

export { Unreadable } from './found.ts'

const entry = z.strictObject({
  index: z.int().min(0).max(LIMITS.entries),
  name: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^/\\\p{Cc}]+$/u),
  path: z.string().max(1_000),
  bytes: z.int().min(1).max(LIMITS.inflated),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  head: z.base64().max(6_000),
})

const found = z.union([
  z.strictObject({ entry }),
  z.strictObject({ left: z.strictObject({ name: z.string().max(255), why: z.string().max(200) }) }),
  z.strictObject({ fault: z.string().max(500) }),
])

export type ArchiveEntry = z.output<typeof entry>

export interface Archive {
  readonly entries: readonly ArchiveEntry[]
  /** Those that are not taken, and why. */
  readonly left: readonly { readonly name: string; readonly why: string }[]
}

const PROGRAM = join(import.meta.dirname, 'program.ts')

/** So many are read at a time, in one process of the service. */
const turns = pLimit(2)

const start = (path: string, args: readonly string[]) =>
  startLimited({
    file: PROGRAM,
    reads: [path],
    args,
    heapMb: LIMITS.heapMb,
    milliseconds: LIMITS.milliseconds,
  })

/**
 * What is in an archive.
 * @param path of a file on this machine
 * @throws {Unreadable} why it cannot be read, in a sentence that says what to do
 */
export const listArchive = (path: string): Promise<Archive> =>
  turns(async () => {
    const reader = start(path, ['list', path])
    reader.stdin.end()
    const entries: ArchiveEntry[] = []
    const left: { name: string; why: string }[] = []
    let [fault, inflated] = [null as string | null, 0]
    try {
      for await (const line of linesOf(reader.stdout.setEncoding('utf8'))) {
        const told = parsed(line)
        if (!told) break
        if ('fault' in told) fault = told.fault
        else if ('left' in told) left.push(told.left)
        else {
          entries.push(told.entry)
          inflated += told.entry.bytes
        }
        if (entries.length + left.length > LIMITS.entries || inflated > LIMITS.inflated) break
      }
    } finally {
      reader.kill('SIGKILL')
    }
    const { code } = await reader.ended
    if (fault === null && code !== 0) fault = TOO_MUCH
    if (fault !== null) throw new Unreadable(fault)
    return { entries, left }
  })

/** The last line of a process that was ended may be half a line. */
function parsed(line: string): z.output<typeof found> | null {
  try {
    return found.parse(JSON.parse(line))
  } catch {
    return null
  }
}

/**
 * Takes files out of an archive, in the order in which they are named.
 * @param take is given each with its bytes, which fail at their end where they are others than were told
 */
export const takeEntries = (
  path: string,
  entries: readonly ArchiveEntry[],
  take: (entry: ArchiveEntry, bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> =>
  turns(async () => {
    const reader = start(path, ['take', path, JSON.stringify(entries.map(({ index }) => index))])
    reader.stdin.end()
    const source = reader.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    let rest: Buffer = Buffer.alloc(0)
    try {
      for (const entry of entries) await take(entry, bytesOf(entry))
    } finally {
      reader.kill('SIGKILL')
      await reader.ended
    }

    async function* bytesOf({ name, bytes, sha256 }: ArchiveEntry): AsyncGenerator<Uint8Array> {
      const hash = createHash('sha256')
      for (let left = bytes; left > 0; ) {
        if (rest.length === 0) {
          const { value, done } = await source.next()
          if (done) throw new Error(`the archive ended within ${name}`)
          rest = value
        }
        const chunk = rest.subarray(0, left)
        rest = rest.subarray(chunk.length)
        left -= chunk.length
        hash.update(chunk)
        yield chunk
      }
      if (hash.digest('hex') !== sha256)
        throw new Error(`the archive gave other bytes of ${name} than it told`)
    }
  })

const TOO_MUCH = 'It takes too long, or too much memory, to take apart: pack fewer files into one archive.'
