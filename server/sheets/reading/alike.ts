/** Words that differ in no more than capitals, spaces and signs are taken for the same. */
export const alike = (word: string): string => {
  const letters = word.normalize('NFKC').toLowerCase()
  return letters.replace(/[^\p{L}\p{N}]+/gu, '') || letters.trim()
}

/** What a title says without what stands in brackets behind it, such as "Impact (1-5)". */
export const withoutBrackets = (title: string): string =>
  title.replace(/\s*(\([^()]*\)|\[[^[\]]*\])\s*$/, '').trim()
