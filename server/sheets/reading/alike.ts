/** Words that differ in no more than capitals, spaces and signs are taken for the same. */
export const alike = (word: string): string => {
  const letters = word.normalize('NFKC').toLowerCase()
  return letters.replace(/[^\p{L}\p{N}]+/gu, '') || letters.trim()
}

/** What a title says without what stands in brackets behind it, such as "Impact (1-5)". */
export const withoutBrackets = (title: string): string =>
  title.replace(/\s*(\([^()]*\)|\[[^[\]]*\])\s*$/, '').trim()

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** The letters of a word without accents: "Eigentümer", "Eigentumer" and "EIGENTUEMER" are one word. */
export const folded = (word: string): string =>
  alike(
    word
      .normalize('NFC')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replace(/[äöü]/g, (letter) => UMLAUTS[letter]!)
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/([aou])e(?=[^aeiou]|$)/g, '$1'),
  )
