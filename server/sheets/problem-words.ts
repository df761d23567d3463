import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { isMass } from '../../model/noun.ts'
import { transitionTold } from '../records/change-rules.ts'
import type { Refusal } from '../refusal.ts'
import { isChosen, type SheetColumn, valueIn } from './columns.ts'

/*
 * What is wrong with a choice, as people read choices: a refusal names them by their keys, and what leads to a state by
 * its operation, for programs.
 */

interface Told {
  readonly given: Values
  /** What stands in the cell; null where nothing does. */
  readonly value: string | null
  readonly message: string
}

/** @returns null where the words of the refusal are those that people read */
export function inWordsOf(kind: Kind, column: SheetColumn, told: Told, refusal: Refusal): string | null {
  if (refusal.code === 'invalid_transition') return transitionInWords(column, told.value, refusal)
  if (column.field.place === 'currency' && told.message.startsWith('required:'))
    return 'required: name the currency, such as EUR, or say at the columns in which the amounts are that say none'
  if (!isChosen(column)) return null
  const { words, open } = column
  const choices = choicesTold([...open].map((key) => words.get(key)!))
  if (told.message.startsWith('required:')) return `required: write ${choices}`
  const chosen = String(valueIn(told.given, column))
  return isLedTo(column, told.given)
    ? `${isMass(kind.noun) ? '' : 'a '}new ${kind.noun.one} cannot be ${words.get(chosen)}: import it as ${choices}, then change that on its page`
    : null
}

/** Whether a row gives a state that only an operation leads to. */
export function isLedTo(column: SheetColumn, given: Values): boolean {
  const { words, open, field } = column
  const chosen = String(valueIn(given, column))
  return isChosen(column) && words.has(chosen) && !open.has(chosen) && !field.retired?.includes(chosen)
}

/** Where a state cannot be led to another; by its keys, where the file has them. */
function transitionInWords({ words }: SheetColumn, value: string | null, refusal: Refusal): string | null {
  const { path, ...moved } = refusal.members as { path: string; from: string; to: string; allowed: string[] }
  if (value === moved.to) return null
  const plain = `${path} ${transitionTold(moved)}`
  const more = refusal.message.startsWith(plain) ? refusal.message.slice(plain.length) : ''
  const word = (state: string) => words.get(state) ?? state
  const way = withoutStop(more) === '' ? '' : `; set ${word(moved.to)} on its page`
  return `${transitionTold(moved, word)}${way}`
}

export const CHOICES_TOLD = 12

/** As many as are read at a glance. */
export function choicesTold(words: readonly string[]): string {
  const shown = words.slice(0, CHOICES_TOLD)
  return `${shown.join(', ')}${words.length > shown.length ? ' …' : ''}`
}

export const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '')
