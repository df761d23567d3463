import { optionOf, records } from '../../../copy/records.ts'
import { register } from '../../../copy/register.ts'
import { writtenDay } from '../../day.tsx'
import type { Filter, View } from '../view.ts'

/** A value of a filter in words. */
export function optionWord({ name, form, unset, field }: Filter, option: string): string {
  if (name === 'due') return records.due[option] ?? option
  if (option === unset) return form === 'principal' ? records.owner.nobody : wordOfNone(name)
  if (form === 'words' || form === 'line') return option
  if (name === 'owned') return option === 'true' ? records.owned.true : records.owned.false
  if (name === 'archived') return option === 'only' ? records.archived.only : records.archived.with
  if (option === 'true') return records.yes
  return option === 'false' ? records.no : optionOf(field ?? {}, option)
}

/** What it is called to have no value. */
export const wordOfNone = (name: string): string => register.notSet[name] ?? records.noValue

/** What is between two ends in words. */
export function rangeWords({ form, ends }: Filter, { filters }: View): string[] {
  const words = [register.range.from, register.range.to]
  return ends.flatMap((end, index) => {
    const value = filters[end]?.[0]
    return value ? [words[index]!(form === 'dates' ? writtenDay(value) : value)] : []
  })
}
