import { capital } from '../../model/capital.ts'
import { columnOf } from '../../model/column-names.ts'
import type { Values } from '../../model/complaint.ts'
import type { Field } from '../../model/described-field.ts'
import { optionsOf } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import type { Side } from '../../model/relations.ts'
import { valueWord } from '../../model/value-word.ts'
import type { TransactionContext } from '../operation.ts'
import type { Cell, CellWords } from './cells.ts'
import type { SheetColumn } from './columns.ts'
import { ABOUT_COLUMNS, exampleOf } from './example-row.ts'
import { csvForm, type FileForm, inOrder, jsonForm } from './file-form.ts'
import { childrenOf, childrenShown, type ExportedKind, exportedKind, linksOf, sidesShown } from './rows.ts'
import { type ColumnForm, type XlsxSheet, xlsxForm } from './xlsx/write-xlsx.ts'

/*
 * The files that a list is taken out as. A workbook has further sheets: what stands under the records, what they are
 * linked with, and what the columns mean. JSON has the same, by the keys of the API.
 */

/** What is exported of which kind. */
export interface Exported {
  readonly kind: Kind
  readonly filters: Values
  readonly asWords: CellWords
}

/** A file that is written: its form, and what becomes of some records with all that belongs to them. */
export interface ExportFile {
  // biome-ignore lint/suspicious/noExplicitAny: each form has rows and a state of its own
  readonly form: FileForm<any, any>
  /** By what it is noticed that its columns are not those that it was begun with. */
  readonly columns: readonly string[]
  /** Rows that it has whatever records there are. */
  readonly always: readonly ListRows[]
  readonly rowsOf: (records: readonly Values[]) => AsyncIterable<ListRows>
}

/** Rows of one of the lists of a file. */
interface ListRows {
  readonly list: number
  readonly rows: readonly unknown[]
}

export async function csvFile(context: TransactionContext, { kind, asWords }: Exported): Promise<ExportFile> {
  const { columns, cellsOf } = await exportedKind(context, kind, asWords)
  const titles = headOf(columns, asWords)
  return {
    form: csvForm(titles),
    columns: titles,
    always: [],
    rowsOf: async function* (records) {
      yield { list: 0, rows: await cellsOf(context, records) }
    },
  }
}

export async function jsonFile(context: TransactionContext, { kind }: Exported): Promise<ExportFile> {
  const children = childrenShown(context.caller, kind)
  const sides = sidesShown(context.caller, kind)
  const lists = [
    { before: `{"kind":${JSON.stringify(kind.name)},"records":[`, behind: ']' },
    ...children.map(({ plural }) => ({ before: `,${JSON.stringify(plural)}:[`, behind: ']' })),
    ...sides.map(({ word }, at) => ({
      before: `,${at === 0 ? '"links":{' : ''}${JSON.stringify(word)}:[`,
      behind: at === sides.length - 1 ? ']}' : ']',
    })),
  ]
  const whole = sides.length > 0 ? '}\n' : ',"links":{}}\n'
  return {
    form: jsonForm([...lists.slice(0, -1), { ...lists.at(-1)!, behind: `${lists.at(-1)!.behind}${whole}` }]),
    columns: lists.map(({ before }) => before),
    always: [],
    rowsOf: async function* (records) {
      const ids = idsOf(records)
      yield { list: 0, rows: records }
      for (const [at, child] of children.entries())
        for await (const rows of childrenOf(context, child, ids)) yield { list: 1 + at, rows }
      for (const [at, side] of sides.entries())
        for await (const links of linksOf(context, side, ids))
          yield {
            list: 1 + children.length + at,
            rows: links.map(({ attributes, ...row }) => ({ ...row, ...attributesIn(side, attributes) })),
          }
    },
  }
}

export async function xlsxFile(
  context: TransactionContext,
  { kind, asWords }: Exported,
): Promise<ExportFile> {
  const { caller } = context
  const shown = await exportedKind(context, kind, asWords)
  const children: ExportedKind[] = []
  for (const child of childrenShown(caller, kind)) children.push(await exportedKind(context, child, asWords))
  const sides = sidesShown(caller, kind)
  const about = aboutColumns(shown.columns, asWords)
  const sheets = [
    ...[shown, ...children].map((one) => sheetOf(one, asWords)),
    ...sides.map((side) => sheetOfLinks(kind, side)),
    about.sheet,
  ]
  return {
    form: xlsxForm(sheets),
    columns: sheets.map(({ columns }) => columns.map(({ title }) => title).join('\n')),
    always: [{ list: sheets.length - 1, rows: about.rows }],
    rowsOf: async function* (records) {
      const ids = idsOf(records)
      yield { list: 0, rows: await shown.cellsOf(context, records) }
      for (const [at, child] of children.entries())
        for await (const rows of childrenOf(context, child.kind as never, ids))
          yield { list: 1 + at, rows: await child.cellsOf(context, rows) }
      for (const [at, side] of sides.entries())
        for await (const links of linksOf(context, side, ids))
          yield {
            list: 1 + children.length + at,
            rows: links.map((row): Cell[] => [
              ...[row.reference, row.called, row.linkedReference, row.linkedCalled],
              ...Object.entries(attributesIn(side, row.attributes)).map(([name, one]) =>
                saidOf(side, name, one, asWords),
              ),
              row.linkedAt,
            ]),
          }
    },
  }
}

const idsOf = (records: readonly Values[]): string[] => records.map(({ id }) => id as string)

/** The links of a kind from one side, with what they say besides. */
function sheetOfLinks(kind: Kind, side: Side): XlsxSheet {
  const titles = [
    ...[capital(kind.noun.one), `Name of the ${kind.noun.one}`],
    ...[capital(side.noun.one), `Name of the ${side.noun.one}`],
    ...Object.keys(side.relation.fields).map(capital),
  ]
  return {
    name: `${capital(kind.noun.one)} to ${side.noun.many}`,
    columns: [
      ...titles.map((title) => ({ title, form: 'text' as const })),
      { title: 'Linked', form: 'instant' },
    ],
  }
}

/** A workbook of few rows, as it is sent. */
export async function* workbookOf(
  sheets: readonly { readonly sheet: XlsxSheet; readonly rows: readonly (readonly Cell[])[] }[],
): AsyncGenerator<Uint8Array> {
  const form = xlsxForm(sheets.map(({ sheet }) => sheet))
  let { state, parts } = await form.begin()
  for (const [at, { rows }] of sheets.entries()) {
    const written = await form.add(state, at, rows)
    state = written.state
    parts = [...parts, ...written.parts]
  }
  yield* inOrder([...parts, ...(await form.end(state))])
}

/** A workbook with the head of a kind, and one row that shows how it is filled in: no import makes a record of that. */
export async function templateOf(
  context: TransactionContext,
  kind: Kind,
): Promise<AsyncIterable<Uint8Array>> {
  const { columns } = await exportedKind(context, kind, 'shown')
  const taken = columns.filter(({ isTaken }) => isTaken)
  const example = taken.map((column) => exampleOf(kind, column))
  return workbookOf([
    { sheet: sheetOf({ kind, columns: taken }, 'shown'), rows: [example] },
    aboutColumns(taken, 'shown'),
  ])
}

const headOf = (columns: readonly SheetColumn[], asWords: CellWords): string[] =>
  columns.map(({ key, title }) => (asWords === 'shown' ? title : key))

const FORMS: Readonly<Partial<Record<string, ColumnForm>>> = {
  number: 'number',
  flag: 'flag',
  day: 'day',
  instant: 'instant',
}

const columnFormOf = ({ form, isDeadline }: Field): ColumnForm =>
  form === 'instant' && isDeadline ? 'until' : (FORMS[form] ?? 'text')

const sheetOf = (
  { kind, columns }: Pick<ExportedKind, 'kind' | 'columns'>,
  asWords: CellWords,
): XlsxSheet => ({
  name: capital(kind.noun.many),
  columns: columns.map(({ key, title, field, words, isTaken }) => ({
    title: asWords === 'shown' ? title : key,
    form: columnFormOf(field),
    ...(isTaken && field.form === 'choice'
      ? { choices: asWords === 'shown' ? [...words.values()] : [...words.keys()] }
      : {}),
  })),
})

const isList = ({ field, side }: SheetColumn): boolean =>
  side !== undefined || field.form === 'choices' || field.form === 'words'

const SEVERAL = 'Several are separated by a vertical bar: one|two'
const IN_UTC = 'Times are in UTC'
const DAY_OR_TIME = 'A day alone is all of it where the organization is; times are in UTC'

function aboutTimes({ form, isDeadline }: Field): string | false {
  if (form !== 'instant') return false
  return isDeadline ? DAY_OR_TIME : IN_UTC
}

/** What each column is, by its key too, and each choice by both of its names. */
function aboutColumns(
  columns: readonly SheetColumn[],
  asWords: CellWords,
): { sheet: XlsxSheet; rows: readonly Cell[][] } {
  const rows = columns.map((column): Cell[] => {
    const { key, title, field, words, isTaken } = column
    return [
      asWords === 'shown' ? title : key,
      key,
      [field.description, isList(column) && SEVERAL, aboutTimes(field)].filter(Boolean).join('. ') || null,
      words.size > 0 ? [...words].map(([one, word]) => `${word} (${one})`).join(' | ') : null,
      isTaken,
    ]
  })
  const titles = ['Column', 'Key', 'What it is', 'What it is chosen from']
  const sheet: XlsxSheet = {
    name: ABOUT_COLUMNS,
    columns: [
      ...titles.map((title) => ({ title, form: 'text' as const })),
      { title: 'Imported', form: 'flag' },
    ],
  }
  return { sheet, rows }
}

/** As people read it, where it is chosen. */
function saidOf({ relation }: Side, name: string, value: unknown, asWords: CellWords): Cell {
  const isChosen = asWords === 'shown' && optionsOf(relation.fields[name]!).includes(String(value))
  return isChosen ? valueWord(String(value)) : ((value ?? null) as Cell)
}

/** What a link says besides, by the names of its fields. */
const attributesIn = (
  { relation }: { relation: { fields: Readonly<Record<string, unknown>> } },
  row: Values,
): Values => Object.fromEntries(Object.keys(relation.fields).map((field) => [field, row[columnOf(field)]]))
