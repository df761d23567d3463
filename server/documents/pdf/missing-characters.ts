import type { Fact } from '../document.ts'
import { scriptOf } from '../scripts.ts'
import type { Fonts } from './fonts.ts'
import { isSettable, MISSING } from './lines.ts'

const NAMED_AT_MOST = 12

/** Tells readers at the top of a document which characters no font has, and how to see them. */
export function missingCharacters(characters: ReadonlyMap<number, number>, fonts: Fonts): readonly Fact[] {
  const missing = [...characters].filter(([codePoint]) => !isSettable(codePoint, fonts))
  if (missing.length === 0) return []
  const count = missing.reduce((sum, [, times]) => sum + times, 0)
  const named = missing.slice(0, NAMED_AT_MOST).map(([codePoint]) => {
    const script = scriptOf(codePoint)
    const code = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
    return script === 'other' ? code : `${code} (${script})`
  })
  if (missing.length > named.length) named.push(`${missing.length - named.length} more`)
  const value = `${count}, each shown as ${MISSING}: ${named.join(', ')}. To show them, add a font that has them to the folder that the setting FONTS of the service names, or export the document in another format.`
  return [{ name: 'Characters that are not shown', value, isWide: true }]
}
