import { csvHead, csvRow } from '../../model/csv.ts'

/*
 * A file as its rows are written to it: in sections that follow each other, some rows of any section at a time. How far
 * it has come is plain data, so that a job can go on with it in another process. A workbook has its form in `xlsx/`.
 */

/** Bytes of a section, behind those that it has. */
export interface FilePart {
  readonly section: number
  readonly bytes: Uint8Array
}

export interface Written<State> {
  readonly state: State
  readonly parts: readonly FilePart[]
}

export interface FileForm<Row, State> {
  begin(): Promise<Written<State>>
  /** @param list which of its lists they stand in, counted from 0 */
  add(state: State, list: number, rows: readonly Row[]): Promise<Written<State>>
  end(state: State): Promise<readonly FilePart[]>
}

/** One list, and nothing else. */
export const csvForm = (titles: readonly string[]): FileForm<readonly unknown[], null> => ({
  begin: async () => ({ state: null, parts: [{ section: 0, bytes: Buffer.from(csvHead(titles)) }] }),
  add: async (state, _list, rows) => ({
    state,
    parts: [{ section: 0, bytes: Buffer.from(rows.map(csvRow).join('')) }],
  }),
  end: async () => [],
})

/** An object with lists of objects, each between what stands before and behind it. Its state: how many each has. */
export const jsonForm = (
  lists: readonly { readonly before: string; readonly behind: string }[],
): FileForm<unknown, readonly number[]> => ({
  begin: async () => ({
    state: lists.map(() => 0),
    parts: lists.map(({ before }, section) => ({ section, bytes: Buffer.from(before) })),
  }),
  add: async (state, list, rows) => {
    const text = rows
      .map((row, at) => `${state[list]! + at === 0 ? '' : ','}\n${JSON.stringify(row)}`)
      .join('')
    return {
      state: state.with(list, state[list]! + rows.length),
      parts: [{ section: list, bytes: Buffer.from(text) }],
    }
  },
  end: async () => lists.map(({ behind }, section) => ({ section, bytes: Buffer.from(`\n${behind}`) })),
})

/** The bytes of sections, in their order. */
export const inOrder = (parts: readonly FilePart[]): readonly Uint8Array[] =>
  parts.toSorted((one, other) => one.section - other.section).map(({ bytes }) => bytes)
