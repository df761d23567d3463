/*
 * A person stands in one register as "Ada Lovelace" and in another as "Lovelace, Ada": each is looked for as the other as
 * well, where nobody is called just that.
 */

/** More parts are no name, but a sentence. */
const PARTS_AT_MOST = 5

/** A name in the other order; where it has no comma, with each of its last parts as the family name. */
export function turned(word: string): readonly string[] {
  const [last, first, ...more] = word.split(',').map((part) => part.trim())
  if (first !== undefined) return last && first && more.length === 0 ? [`${first} ${last}`] : []
  const parts = word.split(/\s+/).filter((part) => part !== '')
  if (parts.length > PARTS_AT_MOST) return []
  return parts
    .slice(1)
    .map((_, at) => `${parts.slice(at + 1).join(' ')}, ${parts.slice(0, at + 1).join(' ')}`)
}
