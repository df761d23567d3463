import { ExternalHyperlink, type IRunOptions, type ParagraphChild, TextRun } from 'docx'
import type { Run, Words } from '../document.ts'
import { seenLines } from '../words.ts'

/** Words as runs of letters that look alike. */
export const runsOf = (words: Words, look: IRunOptions = {}): ParagraphChild[] =>
  (typeof words === 'string' ? [{ text: words }] : words).flatMap((run) => partOf(run, look))

function partOf({ text, isBold, isItalic, isCode, url }: Run, look: IRunOptions): ParagraphChild[] {
  const own: IRunOptions = {
    ...look,
    ...(isBold ? { bold: true } : {}),
    ...(isItalic ? { italics: true } : {}),
    ...(isCode ? { font: 'Consolas' } : {}),
    ...(url === undefined ? {} : { style: 'Hyperlink' }),
  }
  const lines = seenLines(text).map(
    (line, at) => new TextRun({ ...own, text: line, ...(at > 0 ? { break: 1 } : {}) }),
  )
  return url === undefined ? lines : [new ExternalHyperlink({ link: url, children: lines })]
}
