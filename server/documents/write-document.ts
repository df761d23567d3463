import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Config } from '../config.ts'
import { startLimited } from '../limited-process.ts'
import { inTurn } from '../limited-turns.ts'
import { Refusal } from '../refusal.ts'
import type { PaperDocument } from './document.ts'
import { asSent } from './sent-document.ts'

/*
 * A document is set by a program without rights (pdf/program.ts, docx/program.ts, limited-process.ts): that takes a second
 * for a hundred pages, and what people wrote may be anything. PDFs have fonts for Latin, Greek, Cyrillic, Arabic, Hebrew,
 * Thai and Devanagari, and for signs; fonts for other scripts are read from the folder of the setting `FONTS`.
 */

const HEAP_MB = { pdf: 64, docx: 192 }
const NEW_MB = 1
const MILLISECONDS = 60_000

interface Settings {
  readonly config: Pick<Config, 'fontsFolder'>
}

/**
 * The document as a PDF.
 * @throws {Refusal} `unavailable` where many wait, `conflict` where it is too much for one file
 */
export const writePdf = (
  settings: Settings,
  organizationId: string,
  document: PaperDocument,
): Promise<Buffer> => write('pdf', settings, organizationId, document)

/**
 * The document as one of Word (ECMA-376), with headings, lists and tables that can be edited.
 * @throws {Refusal} as {@link writePdf}
 */
export const writeDocx = (
  settings: Settings,
  organizationId: string,
  document: PaperDocument,
): Promise<Buffer> => write('docx', settings, organizationId, document)

const write = (
  format: 'pdf' | 'docx',
  { config: { fontsFolder } }: Settings,
  organizationId: string,
  document: PaperDocument,
): Promise<Buffer> =>
  inTurn(organizationId, 'writes', async () => {
    const folder = format === 'pdf' ? fontsFolder : null
    const writer = startLimited({
      file: join(import.meta.dirname, format, 'program.ts'),
      reads: [
        ...['words.ts', 'sent-document.ts', 'fitted.ts', 'drawable.ts', 'scripts.ts', 'characters.ts'].map(
          (name) => join(import.meta.dirname, name),
        ),
        ...(folder === null ? [] : [join(folder, '/')]),
      ],
      args: folder === null ? [] : [folder],
      heapMb: HEAP_MB[format],
      newMb: NEW_MB,
      milliseconds: MILLISECONDS,
    })
    for (const part of asSent(document)) writer.stdin.write(part)
    writer.stdin.end()
    const [bytes, { code }] = await Promise.all([buffer(writer.stdout), writer.ended])
    if (code !== 0)
      throw new Refusal(
        'conflict',
        `It is too much for one ${format.toUpperCase()}: export it in another format.`,
      )
    return bytes
  })
