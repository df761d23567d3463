import type { Edit } from './editing.ts'

/**
 * Gives a field another text as if it were typed, so that it can be undone: only what differs is replaced, and no other
 * way of writing in a field keeps what can be undone. What is selected then is what the edit says.
 * @returns false where the browser does not do it
 */
export function writeIn(area: HTMLTextAreaElement, { text, from, to }: Edit): boolean {
  const { value } = area
  let start = 0
  while (start < value.length && value[start] === text[start]) start++
  let same = 0
  const most = Math.min(value.length, text.length) - start
  while (same < most && value.at(-1 - same) === text.at(-1 - same)) same++
  const instead = text.slice(start, text.length - same)
  area.focus()
  area.setSelectionRange(start, value.length - same)
  const isWritten =
    value === text ||
    (instead === '' ? document.execCommand('delete') : document.execCommand('insertText', false, instead))
  area.setSelectionRange(from, to)
  return isWritten && area.value === text
}
