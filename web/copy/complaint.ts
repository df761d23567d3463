import { capital } from '../../model/capital.ts'
import { spelled } from '../../model/described-field.ts'

/**
 * What the service says of a value, as one sentence, and alike wherever it stands.
 * @param titles of the field, and of the part of it: none where it stands at that field
 */
export const complaintText = (message: string, titles: readonly string[] = []): string => {
  const told = titles.length > 0 ? `${titles.join(': ')}: ${message}` : capital(message)
  return /[.!?]$/.test(told) ? told : `${told}.`
}

/**
 * The titles of a path of which nothing more is known: `loss.minAmount` as "Loss" and "Min amount". By which id a person
 * is named nobody reads.
 */
export const titlesOf = (path: string): string[] =>
  path.split('.').flatMap((part) => (/^(\d*|refId)$/.test(part) ? [] : [spelled(part)]))
