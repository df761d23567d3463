import { z } from 'zod'
import type { Kind } from '../../model/kind.ts'
import { optionsOfScale, type Scale, type SheetColumn } from './columns.ts'
import { leftAsOther } from './fill-in.ts'
import { columnAt, isTitleOfSet, type Recognised } from './recognise.ts'
import { isOftenFromTheTop, stepsOf } from './scale.ts'

/*
 * What an import does with a file that its rows do not say: which columns, lines and sheets it leaves out, and which
 * fields it fills in.
 */

const CODES = {
  columns_left_out: 'Columns of the file that are not imported',
  set_by_service: 'Columns of the file whose fields only the service sets: they are not imported',
  sheets_left_out: 'Sheets of the workbook that are not imported',
  lines_above_head: 'Rows above the names of the columns, which are not imported',
  example_left_out: 'The row with the example of the template, which is not imported',
  name_composed: 'Columns from which the full name is made',
  title_from_text: 'Columns whose first sentence is the title of a new record',
  field_implied: 'A field of new records that follows from a column',
  left_as_other: 'A field that a record needs and the file has no column for: it is "Other"',
  scale_read:
    'A column whose numbers are read as the steps of a scale, and the choices for its first and last step',
} as const

type Code = keyof typeof CODES

export const importNote = z.object({
  code: z.enum(Object.keys(CODES) as [Code, ...Code[]]).meta({ enumDescriptions: CODES }),
  field: z.string().nullable().describe('The title of the field that is filled in'),
  titles: z.array(z.string()).describe('Titles in the file, or its rows and sheets'),
})

type Note = z.output<typeof importNote>

type FileColumn = Recognised & { readonly title: string; readonly scale?: Scale }

interface File {
  readonly kind: Kind
  readonly columns: readonly FileColumn[] | null
  readonly sheets: readonly string[]
  readonly sheet: string | null
  readonly headRow: number | null
  readonly top: readonly { readonly row: number; readonly text: string; readonly isExample?: true }[]
}

/** @param all the columns of the kind */
export function importNotes(
  { kind, columns, sheets, sheet, headRow, top }: File,
  all: readonly SheetColumn[],
): Note[] {
  if (!columns) return []
  const titled = columns.filter(({ title }) => title !== '')
  const left = titled.filter(({ key }) => {
    const column = key === null ? undefined : columnAt(all, key)
    return key === null || (column?.side !== undefined && !column.isTaken)
  })
  const set = left.filter(({ key, title }) => key === null && isTitleOfSet(all, title))
  const note = (code: Code, titles: readonly string[], field: string | null = null): Note[] =>
    titles.length > 0 ? [{ code, field, titles: [...titles] }] : []
  const titlesOf = (some: readonly FileColumn[]) => some.map(({ title }) => title)
  const fieldTitle = (key: string) => all.find((column) => column.key === key)?.title ?? key
  const mapped = (keys: readonly string[]) =>
    keys.flatMap((key) => titlesOf(columns.filter((column) => column.key === key)))
  const isMapped = (key: string) => columns.some((column) => column.key === key)
  const { composed, implied, named, titledFrom = [] } = kind
  const text = titledFrom.filter(isMapped)
  return [
    ...note('columns_left_out', titlesOf(left.filter((one) => !set.includes(one)))),
    ...note('set_by_service', titlesOf(set)),
    ...note(
      'sheets_left_out',
      sheets.filter((one) => one !== sheet),
    ),
    ...note(
      'lines_above_head',
      top.flatMap((one) => (headRow !== null && one.row < headRow ? [one.text] : [])),
    ),
    ...note(
      'example_left_out',
      top.flatMap(({ row, isExample }) => (isExample ? [String(row)] : [])),
    ),
    ...(composed && !isMapped(composed.field)
      ? note('name_composed', mapped(composed.parts), fieldTitle(composed.field))
      : []),
    ...(isMapped(named) ? [] : note('title_from_text', mapped(text), fieldTitle(named))),
    ...(implied && !isMapped(implied.field)
      ? note('field_implied', mapped([implied.from]), fieldTitle(implied.field))
      : []),
    ...leftAsOther(kind)
      .filter((name) => !isMapped(name))
      .map((name): Note => ({ code: 'left_as_other', field: fieldTitle(name), titles: [] })),
    ...columns.flatMap(({ title, key, scale }) => {
      const column = key === null ? undefined : columnAt(all, key)
      const options = column ? optionsOfScale(column) : []
      if (!column || !scale || stepsOf(scale) !== options.length || isOftenFromTheTop(column)) return []
      const [first, last] = [options[0]!, options.at(-1)!].map((option) => column.words.get(option) ?? option)
      return note('scale_read', [title, `${scale.min} = ${first}`, `${scale.max} = ${last}`], column.title)
    }),
  ]
}
