import type { Words } from './document.ts'

/* Words as they can be set: everything that a format cannot show, or that does things to a line which nobody sees, is away. */

const BREAKS = /\r\n|[\n\r\u2028\u2029]/
/** Controls, and marks that turn the direction of what follows or have no width: nobody sees what these do to a line. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff]/gu

/** Text as lines, in which all that is left can be seen. */
export const seenLines = (text: string): string[] =>
  text
    .toWellFormed()
    .normalize('NFC')
    .split(BREAKS)
    .map((line) => line.replaceAll('\t', ' ').replaceAll(UNSEEN, ''))

/** One line of what is called so, in which all that is left can be seen. */
export const seenLine = (text: string): string => seenLines(text).join(' ')

/** Words without what makes some of them stand out. */
export const plainWords = (words: Words): string =>
  typeof words === 'string'
    ? words
    : words.map(({ text, url }) => (url === undefined || url === text ? text : `${text} (${url})`)).join('')
