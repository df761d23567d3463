import { countWord } from './counts.ts'

const NAMED_AT_MOST = 5

/** The first of them, and how many more there are. */
export function namesOf(names: readonly string[]): string {
  const rest = names.length - NAMED_AT_MOST
  return `${names.slice(0, NAMED_AT_MOST).join(', ')}${rest > 0 ? ` and ${countWord(rest)} more` : ''}`
}
