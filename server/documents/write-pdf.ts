import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { inTurn, startLimited } from '../limited-process.ts'
import { Refusal } from '../refusal.ts'
import type { PaperDocument } from './document.ts'

/*
 * A document is set by a program without rights (pdf/program.ts, limited-process.ts): that takes a second for a hundred
 * pages, and what people wrote may be anything. It has fonts of its own, for Latin, Greek and Cyrillic letters; any other
 * letter is shown as one that is missing.
 */

const PROGRAM = join(import.meta.dirname, 'pdf', 'program.ts')
const HEAP_MB = 64
const MILLISECONDS = 60_000

/**
 * The document as a PDF.
 * @throws {Refusal} `unavailable` where many wait, `conflict` where it is too much for one file
 */
export const writePdf = (organizationId: string, document: PaperDocument): Promise<Buffer> =>
  inTurn(organizationId, async () => {
    const writer = startLimited({ file: PROGRAM, args: [], heapMb: HEAP_MB, milliseconds: MILLISECONDS })
    writer.stdin.end(JSON.stringify(document))
    const [bytes, { code }] = await Promise.all([buffer(writer.stdout), writer.ended])
    if (code !== 0) throw new Refusal('conflict', 'It is too much for one PDF: take it out as a workbook.')
    return bytes
  })
