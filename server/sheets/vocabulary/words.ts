import type { Kind } from '../../../model/kind.ts'
import { once } from '../../../model/once.ts'
import { stateField } from '../../../model/roles.ts'
import { folded } from '../reading/alike.ts'
import { ENGLISH } from './english.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { SPANISH } from './spanish.ts'
import type { Vocabulary } from './vocabulary.ts'

/* Lookups in the vocabularies of all languages. */

const LANGUAGES: readonly Vocabulary[] = [ENGLISH, GERMAN, FRENCH, SPANISH]

const split = (words: string | undefined): readonly string[] =>
  words === undefined ? [] : words.split('|').map(folded)

/** The words of an entry in all languages, with their place: an earlier word is a more usual one. */
function wordsOf(entries: (vocabulary: Vocabulary) => string | undefined): ReadonlyMap<string, number> {
  const all = new Map<string, number>()
  for (const vocabulary of LANGUAGES)
    for (const [place, word] of split(entries(vocabulary)).entries())
      if (word !== '') all.set(word, Math.min(place, all.get(word) ?? place))
  return all
}

/** Worse than each word of one field of one kind. */
const OF_ANY_KIND = 100
const NOUN_ALONE = 60

/** The words for a field in titles, each with a rank; the lowest is the most usual. */
export function titlesOfField(kind: Kind, field: string): ReadonlyMap<string, number> {
  const known = titlesByKind(kind)
  const before = known.get(field)
  if (before) return before
  const purposes = [
    ...(field === kind.named ? ['@name'] : []),
    ...(field === kind.owners[0] ? ['@owner'] : []),
    ...(field === stateField(kind) ? ['@status'] : []),
  ]
  const all = new Map<string, number>()
  const add = (words: ReadonlyMap<string, number>, behind: number) => {
    for (const [word, place] of words) all.set(word, Math.min(place + behind, all.get(word) ?? Infinity))
  }
  add(
    wordsOf(({ titles }) => titles[`${kind.name}.${field}`]),
    0,
  )
  for (const purpose of purposes)
    add(
      wordsOf(({ titles }) => titles[purpose]),
      OF_ANY_KIND / 2,
    )
  if (field === kind.named) for (const noun of nounsOf(kind)) add(new Map([[noun, 0]]), NOUN_ALONE)
  add(
    wordsOf(({ titles }) => titles[field]),
    OF_ANY_KIND,
  )
  known.set(field, all)
  return all
}

const titlesByKind = once((_: Kind) => new Map<string, ReadonlyMap<string, number>>())

/** The names of the records of a kind, the longest first. */
const nounsOf = once((kind: Kind): readonly string[] =>
  [
    ...new Set([
      folded(kind.noun.one),
      folded(kind.noun.many),
      ...LANGUAGES.flatMap(({ nouns }) => split(nouns[kind.name])),
    ]),
  ].toSorted((one, other) => other.length - one.length),
)

const PARTICLES = LANGUAGES.flatMap(({ particles }) => split(particles)).toSorted(
  (one, other) => other.length - one.length,
)

const SHORTEST = 2

/** A title as it is, and without the name of the kind, as in "Risk owner" and "Propriétaire du risque". */
export function formsOfTitle(kind: Kind, title: string): readonly string[] {
  const whole = folded(title)
  if (whole === '') return []
  const forms = nounsOf(kind).flatMap((noun) => {
    const before = whole.endsWith(noun) ? withoutParticle(whole.slice(0, -noun.length)) : ''
    return [whole.startsWith(noun) ? whole.slice(noun.length) : '', before]
  })
  return [...new Set([whole, ...forms.filter((form) => form.length >= SHORTEST)])]
}

function withoutParticle(letters: string): string {
  const particle = PARTICLES.find(
    (one) => one !== '' && letters.endsWith(one) && letters.length > one.length + 1,
  )
  return particle === undefined ? letters : letters.slice(0, -particle.length)
}

/** The choices of a field by the words that mean them. */
interface Meanings {
  readonly values: ReadonlyMap<string, string>
  readonly proposals: ReadonlyMap<string, string>
}

const meanings = new Map<string, Meanings>()

export function choicesByWord(kind: string, field: string, options: readonly string[]): Meanings {
  const key = JSON.stringify([kind, field, options])
  const before = meanings.get(key)
  if (before) return before
  const keysOf = (option: string) => [`${kind}.${field}.${option}`, `${field}.${option}`, option]
  const found = (from: 'values' | 'proposals') => {
    const all = new Map<string, string>()
    // A word of one field goes before a word of all fields.
    for (const place of [0, 1, 2])
      for (const option of options)
        for (const word of wordsOf((vocabulary) => vocabulary[from][keysOf(option)[place]!]).keys())
          if (!all.has(word)) all.set(word, option)
    return all
  }
  const made = { values: found('values'), proposals: found('proposals') }
  if (meanings.size >= KEPT_AT_MOST) meanings.clear()
  meanings.set(key, made)
  return made
}

/** Custom fields have choices of their own, in any number. */
const KEPT_AT_MOST = 2_000

const YES = new Set(LANGUAGES.flatMap(({ yes }) => yes.split('|')))
const NO = new Set(LANGUAGES.flatMap(({ no }) => no.split('|')))

/** Null for a word that is neither. */
export function flagCalled(word: string): boolean | null {
  const letters = word.trim().toLowerCase()
  return YES.has(letters) ? true : NO.has(letters) ? false : null
}

const TOTALS = new Set(LANGUAGES.flatMap(({ totals }) => split(totals)))

/** Whether the first cell of a row says that the row adds up those above it: "Total", "Summe (EUR):", "Total: 12". */
export const isTotal = (cell: string): boolean =>
  TOTALS.has(
    folded(cell.replace(/\s*\([^()]*\)\s*/g, ' ').replace(/[:=]?\s*[\d.,\s]*(€|\$|eur|usd|chf)?\s*$/i, '')),
  )
