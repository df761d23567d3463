import { capital } from '../../model/capital.ts'
import { columnOf } from '../../model/column-names.ts'
import type { Values } from '../../model/complaint.ts'
import { csvHead, csvRow } from '../../model/csv.ts'
import type { Kind } from '../../model/kind.ts'
import { sidesOf } from '../../model/relations.ts'
import type { OwnContext } from '../operation.ts'
import { mayRead } from '../records/readable.ts'
import { type Cell, type CellWords, listed } from './cells.ts'
import type { SheetColumn } from './columns.ts'
import { childrenOf, childrenShown, type ExportedKind, exportedKind, linksOf, stretches } from './rows.ts'
import { type ColumnForm, type XlsxSheet, xlsxOf } from './xlsx/write-xlsx.ts'

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

export async function* csvOf(
  context: OwnContext,
  { kind, filters, asWords }: Exported,
): AsyncGenerator<Uint8Array> {
  const shown = await context.transaction((within) => exportedKind(within, kind, asWords))
  yield Buffer.from(csvHead(headOf(shown.columns, asWords)))
  for await (const rows of stretches(context, kind, filters, shown.cellsOf))
    yield Buffer.from(rows.map(csvRow).join(''))
}

export async function* jsonOf(context: OwnContext, { kind, filters }: Exported): AsyncGenerator<Uint8Array> {
  const ids: string[] = []
  const items = async function* (lists: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
    let isFirst = true
    for await (const list of lists) {
      if (list.length === 0) continue
      yield `${isFirst ? '' : ','}\n${list.map((one) => JSON.stringify(one)).join(',\n')}`
      isFirst = false
    }
  }
  const parts = async function* (): AsyncGenerator<string> {
    yield `{"kind":${JSON.stringify(kind.name)},"records":[`
    yield* items(
      stretches(context, kind, filters, async (_, records) => {
        for (const { id } of records) ids.push(id as string)
        return records
      }),
    )
    yield '\n]'
    for (const child of childrenShown(context, kind)) {
      yield `,${JSON.stringify(child.plural)}:[`
      yield* items(childrenOf(context, child, ids, async (_, records) => records))
      yield '\n]'
    }
    yield ',"links":{'
    let before = ''
    for (const side of sidesShown(context, kind)) {
      yield `${before}${JSON.stringify(side.word)}:[`
      before = ','
      yield* items(
        (async function* () {
          for await (const rows of linksOf(context, side, ids))
            yield rows.map(({ attributes, ...row }) => ({ ...row, ...attributesIn(side, attributes) }))
        })(),
      )
      yield '\n]'
    }
    yield '}}\n'
  }
  for await (const part of parts()) yield Buffer.from(part)
}

export async function* xlsxFileOf(
  context: OwnContext,
  { kind, filters, asWords }: Exported,
): AsyncGenerator<Uint8Array> {
  const shown = await context.transaction((within) => exportedKind(within, kind, asWords))
  const children = await context.transaction((within) =>
    Promise.all(childrenShown(context, kind).map((child) => exportedKind(within, child, asWords))),
  )
  const ids: string[] = []
  const sheets: XlsxSheet[] = [
    sheetOf(shown, asWords, () =>
      stretches(context, kind, filters, (within, records) => {
        for (const { id } of records) ids.push(id as string)
        return shown.cellsOf(within, records)
      }),
    ),
    ...children.map((child) =>
      sheetOf(child, asWords, () => childrenOf(context, child.kind as never, ids, child.cellsOf)),
    ),
    ...sidesShown(context, kind).map((side): XlsxSheet => {
      const fields = Object.keys(side.relation.fields)
      const titles = [
        ...[capital(kind.noun.one), `Name of the ${kind.noun.one}`],
        ...[capital(side.noun.one), `Name of the ${side.noun.one}`],
      ]
      const all = [...titles, ...fields.map(capital)]
      return {
        name: `${capital(kind.noun.one)} to ${side.noun.many}`,
        columns: [
          ...all.map((title) => ({ title, form: 'text' as const })),
          { title: 'Linked', form: 'instant' },
        ],
        rows: async function* () {
          for await (const rows of linksOf(context, side, ids))
            yield rows.map((row): Cell[] => [
              ...[row.reference, row.called, row.linkedReference, row.linkedCalled],
              ...Object.values(attributesIn(side, row.attributes)).map((one) => (one ?? null) as Cell),
              row.linkedAt,
            ])
        },
      }
    }),
    aboutColumns(shown.columns, asWords),
  ]
  yield* xlsxOf(sheets)
}

/** A workbook with the head of a kind, and one row that shows how it is filled in. */
export async function* templateOf(context: OwnContext, kind: Kind): AsyncGenerator<Uint8Array> {
  const { columns } = await context.transaction((within) => exportedKind(within, kind, 'shown'))
  const taken = columns.filter(({ isTaken }) => isTaken)
  const example = taken.map((column) => exampleOf(kind, column))
  yield* xlsxOf([
    {
      ...sheetOf({ kind, columns: taken }, 'shown', async function* () {
        yield [example]
      }),
    },
    aboutColumns(taken, 'shown'),
  ])
}

function exampleOf({ example = {}, required }: Kind, { path, field, words }: SheetColumn): Cell {
  const [name = ''] = path
  const value = path.length === 1 ? (example as Values)[name] : undefined
  if (typeof value === 'string') return words.get(value) ?? value
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return listed(value.map((one) => words.get(one) ?? one))
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return required.includes(name) && field.form === 'line' ? field.title : null
}

const sidesShown = ({ caller }: OwnContext, kind: Kind) =>
  sidesOf(kind).filter(({ other }) => mayRead(caller, other))

const headOf = (columns: readonly SheetColumn[], asWords: CellWords): string[] =>
  columns.map(({ key, title }) => (asWords === 'shown' ? title : key))

const FORMS: Readonly<Partial<Record<string, ColumnForm>>> = {
  number: 'number',
  flag: 'flag',
  day: 'day',
  instant: 'instant',
}

const sheetOf = (
  { kind, columns }: Pick<ExportedKind, 'kind' | 'columns'>,
  asWords: CellWords,
  rows: XlsxSheet['rows'],
): XlsxSheet => ({
  name: capital(kind.noun.many),
  columns: columns.map(({ key, title, field, words, isTaken }) => ({
    title: asWords === 'shown' ? title : key,
    form: FORMS[field.form] ?? 'text',
    ...(isTaken && field.form === 'choice'
      ? { choices: asWords === 'shown' ? [...words.values()] : [...words.keys()] }
      : {}),
  })),
  rows,
})

const isList = ({ field, side }: SheetColumn): boolean =>
  side !== undefined || field.form === 'choices' || field.form === 'words'

const SEVERAL = 'Several are parted by a stroke: one|two'

/** What each column is, by its key too, and each choice by both of its names. */
function aboutColumns(columns: readonly SheetColumn[], asWords: CellWords): XlsxSheet {
  const rows = columns.map((column): Cell[] => {
    const { key, title, field, words, isTaken } = column
    return [
      asWords === 'shown' ? title : key,
      key,
      [field.description, isList(column) && SEVERAL].filter(Boolean).join('. ') || null,
      words.size > 0 ? [...words].map(([one, word]) => `${word} (${one})`).join(' | ') : null,
      isTaken,
    ]
  })
  return {
    name: 'About the columns',
    columns: [
      ...['Column', 'Key', 'What it is', 'What it is chosen from'].map((title) => ({
        title,
        form: 'text' as const,
      })),
      { title: 'Imported', form: 'flag' },
    ],
    rows: async function* () {
      yield rows
    },
  }
}

/** What a link says besides, by the names of its fields. */
const attributesIn = (
  { relation }: { relation: { fields: Readonly<Record<string, unknown>> } },
  row: Values,
): Values => Object.fromEntries(Object.keys(relation.fields).map((field) => [field, row[columnOf(field)]]))
