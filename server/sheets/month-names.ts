/*
 * What months are called in the languages in which registers are written here: English, German, French, Spanish, Italian,
 * Portuguese and Dutch, as the errors of spreadsheets are read in them too (take-cell.ts).
 */

/** Without accents and capitals. Each may be shortened; what is no beginning of its name stands by itself. */
const MONTHS: readonly string[] = [
  'january januar janner janvier enero gennaio janeiro januari',
  'february februar feber fevrier febrero febbraio fevereiro februari',
  'march marz maerz mrz mars marzo marco maart mrt',
  'april avril abril aprile',
  'may mai mayo maggio maio mei',
  'june juni juin junio giugno junho',
  'july juli juillet julio luglio julho',
  'august aout agosto augustus',
  'september septembre septiembre settembre setembro',
  'october oktober octobre octubre ottobre outubro',
  'november novembre noviembre novembro',
  'december dezember decembre diciembre dicembre dezembro',
]

const SHORTEST = 3

const NAMES = MONTHS.map((names) => names.split(' '))

/**
 * The month, from 1 to 12, that a word is called or begins the name of; null where it is none, or could be two, as `jui`.
 */
export function monthCalled(word: string): number | null {
  const letters = word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  if (letters.length < SHORTEST) return null
  const found = NAMES.flatMap((names, at) => (names.some((name) => name.startsWith(letters)) ? [at + 1] : []))
  return found.length === 1 ? found[0]! : null
}
