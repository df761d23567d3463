import { commonPasswords } from './common-passwords.ts'

/**
 * What a guesser tries first, whatever its length: the passwords that most people take, and what everybody can
 * know of this person, each as people make them longer and "safer": with capitals, with digits and signs before
 * and after, with digits in place of letters, twice in a row. Nothing is asked of anybody else.
 */
export type Guessable = 'common' | 'own_words'

/**
 * How a password would be guessed, or null where nothing here finds it.
 * @param known what is known of the person: names, e-mail, organizations
 */
export async function guessable(password: string, known: readonly string[]): Promise<Guessable | null> {
  const isListed = await commonPasswords()
  const isCommon = (text: string) => formsOf(text).some(isListed)
  const plain = plainOf(password).slice(0, LONGEST_COMPARED)
  if (isMonotonous(password.toLowerCase()) || isMonotonous(plain) || isCommon(plain)) return 'common'
  const isOwn = (text: string): boolean => {
    const rest = withoutWords(text, known)
    if (rest === text) return false
    return lettersIn(rest) < LEAST_BESIDE_OWN_WORDS || isCommon(rest) || isFewWords(rest, isListed)
  }
  if (eitherWayOf(plain).some(isOwn)) return 'own_words'
  return isTwoListed(plain, isListed) ? 'common' : null
}

/**
 * One letter of some scripts is eighteen in the form that is compared, and a short password would hold everybody up.
 */
const LONGEST_COMPARED = 256
/** So many letters have to be left where the words that everybody knows are taken out. */
const LEAST_BESIDE_OWN_WORDS = 8
const LEAST_OF_A_WORD = 3
const LISTED_AT_MOST = 2
const LONGEST_WORD = 24
/** They stand in hardly any list of passwords, being too short for one, and between the words of every other. */
const SMALL_WORDS = new Set(
  'a am an and are as at be but by do for from go has have hello he her hi his i if im in is it its me my no not of on one or our she so the their they this to up us was we who will with you your'.split(
    ' ',
  ),
)
const LONGEST_OF_REPEATED = 4
const LEAST_KINDS_OF_SIGNS = 5
const LEAST_OUTSIDE_OF_RUNS = 5
const PRODUCT = 'Plumbline'

/** In lower case and without accents. */
const plainOf = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** A text as it is, and without what was put between its letters, forwards and backwards. */
function eitherWayOf(plain: string): string[] {
  const bare = [plain.replace(/[^\p{L}\p{N}@$+!]/gu, ''), plain.replace(/[^\p{L}\p{N}]/gu, '')]
  return [...new Set([plain, ...bare.flatMap((text) => [text, [...text].reverse().join('')])])]
}

const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

/** A few signs again and again, or the keys of a keyboard or the alphabet in their order. */
function isMonotonous(plain: string): boolean {
  return (
    onceOf(plain).length <= LONGEST_OF_REPEATED ||
    new Set(plain).size < LEAST_KINDS_OF_SIGNS ||
    plain.replace(RUNS, '').length < LEAST_OUTSIDE_OF_RUNS
  )
}

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
]
/** Four in a row and more, either way. */
const RUNS = new RegExp(
  [...new Set(ROWS.flatMap((row) => [row, [...row].reverse().join('')]).flatMap(partsOf))].join('|'),
  'g',
)

/** The longest first, so that as much as possible is taken at once. */
function partsOf(row: string): string[] {
  const parts: string[] = []
  for (let length = row.length; length >= 4; length--)
    for (let from = 0; from + length <= row.length; from++) parts.push(row.slice(from, from + length))
  return parts
}

/** Two of the list behind each other are tried soon after each of them alone; three and more make a good password. */
function isTwoListed(plain: string, isListed: (text: string) => boolean): boolean {
  const letters = plain.replace(/[^\p{L}]/gu, '')
  const read = lettersOf(plain, 'i').replace(/[^\p{L}]/gu, '')
  return [letters, onceOf(letters), read].some((text) =>
    Array.from({ length: Math.max(0, text.length - 3) }, (_, index) => index + 2).some(
      (cut) => isListed(text.slice(0, cut)) && isListed(text.slice(cut)),
    ),
  )
}

/**
 * Whether a text is a sentence of words that everybody uses, as it is put around a name: `welcome to`, `i work at`. It
 * may have as many of the small words as it likes, and two of the list; with three and more it is a good password.
 */
function isFewWords(text: string, isListed: (text: string) => boolean): boolean {
  const letters = text.replace(/[^\p{L}]/gu, '')
  const read = lettersOf(text, 'i').replace(/[^\p{L}]/gu, '')
  return [letters, read].some((one) => fewestListed(one, isListed) <= LISTED_AT_MOST)
}

/** With how few words of the list, and any number of small words, a text can be written; infinite where it cannot. */
function fewestListed(text: string, isListed: (text: string) => boolean): number {
  const fewest = [0]
  for (let to = 1; to <= text.length; to++) {
    let least = Number.POSITIVE_INFINITY
    for (let from = Math.max(0, to - LONGEST_WORD); from < to; from++) {
      const before = fewest[from]!
      if (before >= least) continue
      const word = text.slice(from, to)
      if (SMALL_WORDS.has(word)) least = before
      else if (before < LISTED_AT_MOST && before + 1 < least && word.length > 1 && isListed(word))
        least = before + 1
    }
    fewest.push(least)
  }
  return fewest[text.length]!
}

/** What a text may have been before it was made longer: the list is asked for each. */
function formsOf(text: string): string[] {
  const whole = [text, text.replace(/[^\p{L}\p{N}]/gu, ''), text.replace(/[^\p{L}]/gu, '')]
  const once = whole.flatMap((form) => [form, onceOf(form)])
  const cut = once.flatMap((form) => [
    form,
    form.replace(/[^\p{L}\p{N}]+$/u, ''),
    form.replace(/[^\p{L}]+$/u, ''),
    form.replace(/^[^\p{L}]+/u, ''),
    form.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''),
  ])
  const read = cut.flatMap((form) => [form, lettersOf(form, 'i'), lettersOf(form, 'l')])
  return [...new Set(read.flatMap((form) => [form, onceOf(form)]))].filter(Boolean)
}

/** `abcabc` is `abc`. */
const onceOf = (text: string): string => /^(.+?)\1+$/u.exec(text)?.[1] ?? text

const STANDS_FOR: Readonly<Record<string, string>> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '+': 't',
  '!': 'i',
}

/** @param one what a 1 stands for */
const lettersOf = (text: string, one: string): string =>
  text.replace(/[01345789@$+!]/g, (sign) => (sign === '1' ? one : STANDS_FOR[sign]!))

const WRITTEN_AS: Readonly<Record<string, string>> = {
  a: '[a4@]',
  b: '[b8]',
  e: '[e3]',
  g: '[g9]',
  i: '[i1!]',
  l: '[l1]',
  o: '[o0]',
  s: '[s5$]',
  t: '[t7+]',
}

/** A text without the words of what is known, the longest first, however they are written. */
function withoutWords(text: string, known: readonly string[]): string {
  const words = new Set([...known, PRODUCT].flatMap(wordsIn))
  if (words.size === 0) return text
  const patterns = [...words]
    .sort((one, other) => other.length - one.length)
    .map((word) => [...word].map((letter) => WRITTEN_AS[letter] ?? letter).join(''))
  return text.replace(new RegExp(patterns.join('|'), 'gu'), ' ')
}

/** `Ada Lovelace` is ada, lovelace and adalovelace. */
function wordsIn(text: string): string[] {
  const parts = plainOf(text).split(/[^\p{L}\p{N}]+/u)
  return [...parts, parts.join('')].filter((word) => word.length >= LEAST_OF_A_WORD)
}
