/*
 * Which script a character belongs to (Unicode property Script). Only scripts that need shaping, break lines without
 * spaces or are named in notes are listed: all others are set alike.
 */

const NAMES = [
  ...[
    'Arabic',
    'Syriac',
    'Thaana',
    'Nko',
    'Hebrew',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Oriya',
  ],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Lao', 'Tibetan', 'Myanmar', 'Khmer'],
  ...['Georgian', 'Armenian', 'Ethiopic', 'Cherokee', 'Mongolian', 'Han', 'Hiragana', 'Katakana', 'Bopomofo'],
  ...['Hangul', 'Yi', 'Javanese', 'Balinese', 'Adlam'],
] as const

export type Script = (typeof NAMES)[number] | 'other'

const SCRIPTS = NAMES.map((name) => ({ name, pattern: new RegExp(`^\\p{Script=${name}}$`, 'u') }))
const known = new Map<number, Script>()

export function scriptOf(codePoint: number): Script {
  if (codePoint < 0x0530) return 'other'
  let script = known.get(codePoint)
  if (script === undefined) {
    const character = String.fromCodePoint(codePoint)
    script = SCRIPTS.find(({ pattern }) => pattern.test(character))?.name ?? 'other'
    known.set(codePoint, script)
  }
  return script
}

/** Continues the character before it, whose font sets it too: a mark, a joiner or a variation selector. */
export const continuesCharacter = (character: string): boolean => /^[\p{M}\u200c\u200d]$/u.test(character)

/** Has no glyph of its own in any font, so that no font lacks it (Default_Ignorable_Code_Point). */
export const isIgnorable = (codePoint: number): boolean =>
  codePoint >= 0xad && /^\p{Default_Ignorable_Code_Point}$/u.test(String.fromCodePoint(codePoint))

/** Latin, Greek, Cyrillic and common signs only: one font, from left to right, with breaks at spaces. */
export const isPlain = (text: string): boolean => /^[\t -\u052f\u2010-\u2027\u2030-\u205e]*$/.test(text)

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Has characters that are written from right to left. */
export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text)

/** Whether a paragraph is written from right to left: as its first letter is. */
export function isRightToLeft(text: string): boolean {
  const [first] = /\p{L}/u.exec(text) ?? []
  return first !== undefined && RIGHT_TO_LEFT.test(first)
}

const RTL_PARTS = new RegExp(`${RIGHT_TO_LEFT.source}(?:[^\\p{L}]*${RIGHT_TO_LEFT.source})*\\p{M}*`, 'gu')
const LTR_PARTS = new RegExp(
  `(?!${RIGHT_TO_LEFT.source})\\p{L}(?:(?!${RIGHT_TO_LEFT.source}).)*(?<=[\\p{L}\\p{N}])`,
  'gu',
)

/** A text in parts of one direction each: signs between letters go with the paragraph. */
export function directionsOf(
  text: string,
  isRtl: boolean,
): { readonly text: string; readonly isRtl: boolean }[] {
  const parts: { text: string; isRtl: boolean }[] = []
  const add = (part: string, direction: boolean) => {
    if (part !== '') parts.push({ text: part, isRtl: direction })
  }
  let at = 0
  for (const found of text.matchAll(isRtl ? LTR_PARTS : RTL_PARTS)) {
    add(text.slice(at, found.index), isRtl)
    add(found[0], !isRtl)
    at = found.index + found[0].length
  }
  add(text.slice(at), isRtl)
  return parts
}

/** Lines break between words, which no spaces part: they are found by dictionary. */
export const SPACELESS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu

/** Lines break between characters. */
export const hasEastAsian = (text: string): boolean =>
  /[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3ffff}]/u.test(
    text,
  )

export type Region = 'JP' | 'KR' | 'SC' | 'TC' | 'HK'

/** Whose forms of the characters that Chinese, Japanese and Korean share: by language, else by what else is written. */
export function regionOf(language: string, scripts: ReadonlySet<Script>): Region {
  const [spoken = '', ...parts] = language.split(/[-_]/)
  if (spoken === 'ja') return 'JP'
  if (spoken === 'ko') return 'KR'
  if (spoken === 'zh') {
    if (parts.includes('HK')) return 'HK'
    return parts.some((part) => ['TW', 'MO', 'Hant'].includes(part)) ? 'TC' : 'SC'
  }
  if (scripts.has('Hiragana') || scripts.has('Katakana')) return 'JP'
  return scripts.has('Hangul') ? 'KR' : 'SC'
}
