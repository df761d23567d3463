import { seenLines } from '../words.ts'

/*
 * Text broken into lines, in a time that grows with its length alone, whatever stands in it.
 */

export type WidthOf = (text: string) => number

const MISSING = '\ufffd'

/** As it can be set: what the font has no letter for is shown as missing. */
export function settable(text: string, hasLetter: (codePoint: number) => boolean): string {
  return seenLines(text)
    .map((line) =>
      Array.from(line, (letter) => (hasLetter(letter.codePointAt(0)!) ? letter : MISSING)).join(''),
    )
    .join('\n')
}

/** @returns at least one line */
export function linesOf(text: string, width: number, widthOf: WidthOf): readonly string[] {
  return text.split('\n').flatMap((line) => wrapped(line, width, widthOf))
}

function wrapped(line: string, width: number, widthOf: WidthOf): string[] {
  const space = widthOf(' ')
  const lines: string[] = []
  let [current, taken] = ['', 0]
  for (const word of line.split(' ').flatMap((one) => pieces(one, width, widthOf))) {
    const wide = widthOf(word)
    if (current !== '' && taken + space + wide > width) {
      lines.push(current)
      current = ''
    }
    taken = current === '' ? wide : taken + space + wide
    current = current === '' ? word : `${current} ${word}`
  }
  return [...lines, current]
}

/** A word that is wider than the line is taken apart between letters. */
function pieces(word: string, width: number, widthOf: WidthOf): string[] {
  if (widthOf(word) <= width) return [word]
  const found: string[] = []
  let [piece, taken] = ['', 0]
  for (const letter of word) {
    const wide = widthOf(letter)
    if (piece !== '' && taken + wide > width) {
      found.push(piece)
      piece = ''
      taken = 0
    }
    piece += letter
    taken += wide
  }
  return [...found, piece]
}
