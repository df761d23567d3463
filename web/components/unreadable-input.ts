import { unreadable as words } from '../copy/problems.ts'

/** The days that a field takes; the service takes no others. */
export const DAYS = { min: '1900-01-01', max: '2200-12-31' } as const

/** Of a part of a field: the field, where the inputs of a form are asked. */
export const FIELD = 'data-field'

export interface Unreadable {
  /** Of the field. */
  readonly name: string
  readonly message: string
}

type Typed = HTMLInputElement | HTMLTextAreaElement

/**
 * What was typed and is no value: half a date, a number with letters. A browser calls such a field empty, so whoever
 * only looks at values would clear what stood there.
 */
export const unreadableIn = (form: HTMLElement | null): Unreadable[] =>
  [...(form?.querySelectorAll<Typed>('input, textarea') ?? [])].flatMap((input) => {
    const message = whyUnreadable(input)
    if (!message) return []
    const field = input.closest(`[${FIELD}]`)
    return [
      { name: field?.getAttribute(FIELD) ?? input.name, message: field ? partOf(input, message) : message },
    ]
  })

/** Why an input has no value though something is typed in it; empty where it has. */
export function whyUnreadable(input: Typed): string {
  const { type, validity, validationMessage } = input
  if (validity.customError) return validationMessage
  if (validity.badInput) return type === 'date' ? words.date : type === 'time' ? words.time : words.other
  const isOutOfRange = validity.rangeUnderflow || validity.rangeOverflow
  if (type === 'number' && 'min' in input)
    return isOutOfRange || (validity.stepMismatch && input.step === '1')
      ? words.whole(Number(input.min), Number(input.max))
      : ''
  return isOutOfRange ? words.years : ''
}

const partOf = (input: Typed, message: string): string =>
  input.name && input.labels?.[0] ? `${input.labels[0].textContent}: ${message}` : message
