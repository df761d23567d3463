/*
 * Text as SpreadsheetML has it. What XML cannot hold is written by its number, as in `_x0007_`, and so is what only
 * looks like that.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot hold
const UNWRITABLE = /[&<>"]|[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g

export const escaped = (text: string): string =>
  text.search(UNWRITABLE) < 0 ? text : text.replaceAll(UNWRITABLE, entityOf)

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const entityOf = (letter: string): string =>
  ENTITIES[letter] ?? `_x${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
