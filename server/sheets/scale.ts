import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { optionsOfScale, type Scale, type SheetColumn } from './columns.ts'

/*
 * Numbers in a register for the steps of a scale, such as 3, "3/5" and "5 (Catastrophic)". A scale with as many steps as
 * the field has choices is read directly. For any other the plan proposes the nearest choices, and the user agrees once
 * for the column.
 */

export const stepsOf = ({ min, max }: Scale): number => max - min + 1

/** What a cell says: a step, the word next to it, and the last step of the scale. */
export interface Step {
  /** Null where the number may be of anything else, as in "3 servers". */
  readonly number: number | null
  readonly word: string
  readonly of: number | null
}

const NUMBER = String.raw`(?<n>\d{1,3})(?:[.,]0+)?`
const OUT_OF = String.raw`\s*(?:\/|\\|of|out of|von|sur|de|su)\s*(?<m>\d{1,3})`
const WORD = String.raw`(?<w>\p{L}[^\d]*?)`

/** Each with whether the number is marked as a step. */
const FORMS: readonly (readonly [form: RegExp, isStep: boolean])[] = [
  [`^${NUMBER}(?:${OUT_OF})?$`, true] as const,
  [`^${NUMBER}(?:${OUT_OF})?\\s*(?:[-–—.:)=]\\s*|[([]\\s*)${WORD}\\s*[)\\]]?$`, true] as const,
  [`^(?:level|stufe|niveau|nivel|score|grade|step|lvl|l|p)\\s*${NUMBER}(?:${OUT_OF})?$`, true] as const,
  [`^${WORD}\\s*(?:[-–—:=]\\s*|[([]\\s*)${NUMBER}(?:${OUT_OF})?\\s*[)\\]]?$`, true] as const,
  [`^${NUMBER}\\s*${WORD}$`, false] as const,
  [`^${WORD}\\s*${NUMBER}$`, false] as const,
].map(([form, isStep]) => [new RegExp(form, 'iu'), isStep] as const)

export function stepIn(text: string): Step | null {
  for (const [form, isStep] of FORMS) {
    const found = form.exec(text.trim())?.groups
    if (!found) continue
    const { n, w = '', m } = found
    return { number: isStep ? Number(n) : null, word: w.trim(), of: m === undefined ? null : Number(m) }
  }
  return null
}

/** The scale that a title states, as in "Likelihood (1-5)". */
export function scaleInTitle(title: string): Scale | null {
  const found = /(?<!\d)(\d{1,2})\s*(?:-|–|—|\.{2,3}|…|to|bis|à|a|bis zu)\s*(\d{1,3})(?!\d)/i.exec(title)
  const [min, max] = found ? [Number(found[1]), Number(found[2])] : [0, 0]
  return min < max && min <= 1 ? { min, max } : null
}

const STEPS_AT_MOST = 101

/** The scale that the cells of a column are steps of; null where they are none. */
export async function readScale(
  tx: Transaction,
  bulkChangeId: string,
  place: number,
  title: string,
  column: SheetColumn,
): Promise<Scale | null> {
  const options = optionsOfScale(column)
  if (options.length === 0) return null
  const stated = scaleInTitle(title)
  if (stated) return stated
  const rows = await tx.read<{ text: string }>(texts(tx.organizationId, bulkChangeId, place))
  const steps = rows.flatMap(({ text }) => stepIn(text) ?? []).filter(({ number }) => number !== null)
  if (steps.length === 0) return null
  const numbers = new Set(steps.map(({ number }) => number!))
  const of = steps.flatMap(({ of }) => of ?? [])
  if (of.length > 0) return { min: numbers.has(0) ? 0 : 1, max: Math.max(...numbers, ...of) }
  return scaleOfNumbers(numbers, options.length)
}

/**
 * The scale of numbers that state none. One number outside 1 to the count of choices, next to several inside, is a
 * mistake in its row and not the sign of another scale. Numbers below the count may be a scale that nothing has reached
 * the top of.
 *
 * @param numbers the distinct numbers of a column
 * @param count how many choices the field has
 */
export function scaleOfNumbers(numbers: ReadonlySet<number>, count: number): Scale | null {
  const greatest = Math.max(...numbers)
  if (numbers.has(0) && greatest < count) return { min: 0, max: count - 1 }
  const inside = [...numbers].filter((number) => number >= 1 && number <= count)
  const outside = numbers.size - inside.length
  if (outside === 0 || (outside === 1 && inside.length >= 3)) return { min: 1, max: count }
  const scale = { min: numbers.has(0) ? 0 : 1, max: Math.max(greatest, 10) }
  return stepsOf(scale) <= STEPS_AT_MOST ? scale : null
}

/** Of priorities and severities the first step is often the highest, so the user is asked. */
const OFTEN_FROM_THE_TOP: readonly string[] = ['priority', 'severity']

export const isOftenFromTheTop = ({ path }: SheetColumn): boolean =>
  OFTEN_FROM_THE_TOP.includes(path.join('.'))

/** The choice for a step: of a scale with as many steps the same, of any other the nearest. */
export function choiceAt(
  options: readonly string[],
  scale: Scale,
  number: number | null,
): string | undefined {
  const { min, max } = scale
  if (number === null || number < min || number > max) return undefined
  return options[Math.round(((number - min) / (max - min)) * (options.length - 1))]
}

const texts = statement(`
  select distinct cells->>$3::int as text from bulk_change_rows
   where organization_id = $1 and bulk_change_id = $2 and jsonb_typeof(cells->$3::int) in ('string', 'number')
     and length(cells->>$3::int) <= 60
   limit 500`)
