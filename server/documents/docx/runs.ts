import {
  ExternalHyperlink,
  type IParagraphOptions,
  type IRunOptions,
  Paragraph,
  type ParagraphChild,
  TextRun,
} from 'docx'
import type { Run, Words } from '../document.ts'
import { directionsOf, hasRightToLeft, isRightToLeft } from '../scripts.ts'
import { plainWords, seenLines } from '../words.ts'

/** A paragraph of these words, written in the direction of its first letter. */
export function paragraphOf(
  words: Words,
  options: IParagraphOptions = {},
  look: IRunOptions = {},
): Paragraph {
  const isRtl = isRightToLeft(plainWords(words))
  return new Paragraph({
    ...options,
    ...(isRtl ? { bidirectional: true } : {}),
    children: runsOf(words, look, isRtl),
  })
}

/** Words as runs of letters that look alike. */
export const runsOf = (words: Words, look: IRunOptions = {}, isRtl = false): ParagraphChild[] =>
  (typeof words === 'string' ? [{ text: words }] : words).flatMap((run) => partOf(run, look, isRtl))

function partOf(
  { text, isBold, isItalic, isCode, url }: Run,
  look: IRunOptions,
  isRtl: boolean,
): ParagraphChild[] {
  const own: IRunOptions = {
    ...look,
    ...(isBold ? { bold: true } : {}),
    ...(isItalic ? { italics: true } : {}),
    ...(isCode ? { font: 'Consolas' } : {}),
    ...(url === undefined ? {} : { style: 'Hyperlink' }),
  }
  const lines = seenLines(text).flatMap((line, at) => {
    const parts = hasRightToLeft(line) ? directionsOf(line, isRtl) : [{ text: line, isRtl: false }]
    return parts.map(
      (part, index) =>
        new TextRun({
          ...own,
          ...(part.isRtl ? { rightToLeft: true } : {}),
          text: part.text,
          ...(at > 0 && index === 0 ? { break: 1 } : {}),
        }),
    )
  })
  return url === undefined ? lines : [new ExternalHyperlink({ link: url, children: lines })]
}
