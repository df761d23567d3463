import { useState } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { type Field, fieldsOf } from '../../client/fields.ts'

const UNSHOWN = ['id', 'archivedAt', 'customFields']

/** What a list of the kind can show beside the name and the reference. */
export const columnChoices = (kind: DescribedKind): readonly Field[] =>
  [...fieldsOf(kind).values()].filter(
    ({ name, form, colours }) =>
      ![...UNSHOWN, 'reference', kind.named].includes(name) &&
      form !== 'text' &&
      (form !== 'object' || colours !== undefined),
  )

/** The columns that were chosen in this browser, or those of the kind. */
export function useColumns(kind: DescribedKind) {
  const place = `plumbline columns ${kind.name}`
  const [chosen, setChosen] = useState(() => readChosen(place) ?? kind.columns.slice(1))
  const choices = columnChoices(kind)
  const keep = (names: readonly string[]) => {
    setChosen(names)
    localStorage.setItem(place, JSON.stringify(names))
  }
  return {
    choices,
    columns: chosen.flatMap((name) => choices.find((one) => one.name === name) ?? []),
    toggle: (name: string) =>
      keep(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]),
    reset: () => {
      setChosen(kind.columns.slice(1))
      localStorage.removeItem(place)
    },
  }
}

function readChosen(place: string): readonly string[] | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? 'null')
    return Array.isArray(kept) ? kept.map(String) : null
  } catch {
    return null
  }
}
