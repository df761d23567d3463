import { z } from 'zod'
import { needsOf } from '../../model/access.ts'
import { capital } from '../../model/capital.ts'
import type { Kind } from '../../model/kind.ts'
import { sidesOf } from '../../model/relations.ts'
import { isBackOf } from '../../model/sides.ts'
import { isAmount, isChosen, isDate, isKey, isOpen, isPerson, type SheetColumn } from './columns.ts'

/* The columns of a file, and those of its kind that they can be taken for, as they are answered. */

export const columnShown = z.object({
  title: z.string().describe('As it stands in the head of the file'),
  key: z.string().nullable().describe('What it is taken for; null where it is left out'),
  meanings: z
    .record(z.string(), z.string())
    .describe(
      'What words stand for that no choice or person is called by: the letters of each, and the key of a choice or the id of somebody',
    ),
  samples: z.array(z.string()).describe('Some of what stands beneath it'),
  isSet: z.boolean().describe('Whether only the service sets the field with this title: it is not imported'),
  emptiesUnmatched: z
    .boolean()
    .describe('Whether values that match no choice, person or record are left empty instead of being errors'),
})

export const fieldShown = z.object({
  key: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  isTaken: z.boolean().describe('false: set by the service, and good only to find a record by'),
  isRequired: z.boolean(),
  madeOf: z
    .array(z.string())
    .describe('The keys of columns from which its value is made, where a file has no column for it'),
  isKey: z.boolean().describe('Whether it can tell which record a row is about'),
  linkedFrom: z
    .object({
      one: z.string().describe('What a record there is called'),
      many: z.string(),
      column: z.string().describe('The title of the column there'),
    })
    .nullable()
    .describe('Of links that are imported with the records at their other end: what those are'),
  isDate: z.boolean(),
  isAmount: z.boolean().describe('Whether its values are amounts that have a currency beside them'),
  isPerson: z.boolean().describe('Whether its values are people, whom meanings name by their ids'),
  choices: z
    .array(z.object({ key: z.string(), title: z.string() }))
    .nullable()
    .describe('What its values are chosen from; null where they are not chosen'),
})

/** As it is answered. */
export const fieldOf = (kind: Kind, column: SheetColumn) => ({
  key: column.key,
  title: column.title,
  description: column.field.description ?? null,
  isTaken: column.isTaken,
  isRequired: kind.required.includes(column.key) || kind.under?.field === column.key,
  madeOf: madeOf(kind, column.key),
  isKey: isKey(column),
  linkedFrom: linkedFrom(column),
  isDate: isDate(column),
  isAmount: isAmount(column),
  isPerson: isPerson(column),
  choices: isChosen(column)
    ? [...column.words].flatMap(([key, title]) => (isOpen(column, key) ? [{ key, title }] : []))
    : null,
})

/** Of a full name its parts, and of a title the texts whose first sentence it can be. */
const madeOf = ({ composed, named, titledFrom = [] }: Kind, key: string): string[] => [
  ...(composed?.field === key ? composed.parts : []),
  ...(key === named ? titledFrom : []),
]

/** Links are made by the kind that says their relation. */
function linkedFrom({ side, isTaken }: SheetColumn) {
  const back = side && !isTaken ? sidesOf(side.other).find(isBackOf(side)) : undefined
  if (!back?.writes || !needsOf(back.kind, 'link') || !needsOf(back.kind, 'create')) return null
  return { ...{ one: back.kind.noun.one, many: back.kind.noun.many }, column: capital(back.noun.many) }
}

const SAMPLE_LENGTH = 60

/** The date of a cell, as people write it: a day, where no time is said with it. */
export const dayAlone = (date: string | undefined): string | undefined =>
  date?.replace(/T00:00:00\.000Z$/, '')

/** What stands in a cell, as one text. */
export function textShown(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'object'
    ? (dayAlone((cell as { date?: string }).date) ?? JSON.stringify((cell as { json?: unknown }).json))
    : String(cell)
}

/** Some of what stands beneath the head of a column. */
export const samplesAt = (rows: readonly { cells: unknown[] }[], index: number): string[] =>
  rows
    .flatMap(({ cells }) => {
      const cell = cells[index] ?? null
      if (cell === null || cell === '') return []
      return [textShown(cell).slice(0, SAMPLE_LENGTH).toWellFormed()]
    })
    .slice(0, 3)
