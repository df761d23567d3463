import { columnOf } from '../../model/column-names.ts'
import { inNumber } from '../../model/noun.ts'
import { isIdOf } from '../../model/roles.ts'
import { comparedColumn } from '../../model/unique.ts'
import { statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { aliasesAmong } from '../records/external-id-aliases.ts'
import { isReferred, referenceIn, referenceSaid, referred } from '../records/reference.ts'
import type { BulkChange } from './bulk-change.ts'
import { type BulkRow, cellAt, type Problem } from './bulk-row.ts'
import type { MappedColumn } from './columns.ts'
import { composed, inBothForms } from './lookups.ts'
import { isEmpty } from './read-file.ts'
import { faultOfCell, textOf } from './take-cell.ts'

export interface Addressed {
  readonly id: string | null
  readonly about: string | null
  readonly problem: Problem | null
  /** Whether its external id was that of a record that was merged into this one, which keeps its own. */
  readonly isLed?: boolean
}

/** Which record each row is about: by its id, its reference, its external id, or a column that was said to be the key. */
export async function address(
  { tx }: TransactionContext,
  { kind, identity }: BulkChange,
  columns: readonly MappedColumn[],
  rows: readonly BulkRow[],
): Promise<Addressed[]> {
  const at = (key: string) => columns.find(({ column }) => column.key === key)
  const wordOf = (row: BulkRow, mapped: MappedColumn | undefined): string | null =>
    mapped && identity !== NEW && !isEmpty(cellAt(row, mapped.index))
      ? composed(textOf(cellAt(row, mapped.index), mapped.column))
      : null
  const key = identity === KNOWN || identity === NEW ? undefined : at(identity)
  // Two addresses of e-mail that differ in capitals are one.
  const keyColumn = key && comparedColumn(kind, key.column.path[0]!)
  const compared = (word: string): string =>
    key && keyColumn !== columnOf(key.column.path[0]!) ? word.toLowerCase() : word
  const by = { id: at('id'), reference: at('reference'), externalId: at('externalId'), key }
  const said = rows.map((row) => ({
    id: wordOf(row, by.id),
    reference: wordOf(row, by.reference),
    externalId: wordOf(row, by.externalId),
    key: wordOf(row, by.key),
  }))
  const words = (what: keyof typeof by) => said.flatMap((one) => one[what] ?? [])
  const find = statement(`
    select id, ${referenceIn(kind)} as reference, external_id as "externalId", ${keyColumn ?? 'null::text'} as key
      from ${kind.table} where organization_id = $1
       and (id = any($2) or ${isReferred(kind, '$3')} or external_id = any($4)${keyColumn ? ` or ${keyColumn} = any($5)` : ' or $5::text[] is null'})`)
  const there = await tx.read<{
    id: string
    reference: string
    externalId: string | null
    key: string | null
  }>(
    find(
      tx.organizationId,
      words('id').filter((id) => isIdOf(kind, id)),
      referred(kind, words('reference')),
      words('externalId'),
      inBothForms(words('key').map(compared)),
    ),
  )
  const aliases = await aliasesAmong(tx, kind, words('externalId'))
  const missing = (mapped: MappedColumn, word: string): Addressed => ({
    id: null,
    about: null,
    problem: {
      column: mapped.index,
      field: mapped.column.key,
      value: word,
      message:
        faultOfCell(word, mapped.column) ??
        `no ${kind.noun.one} here has it: leave it empty where one is to be added`,
    },
  })
  const ambiguous = (mapped: MappedColumn, word: string, count: number): Addressed => ({
    ...added(null),
    problem: {
      column: mapped.index,
      field: mapped.column.key,
      value: word,
      message: `${count} ${inNumber(kind.noun, count)} have it, so it does not say which is meant: give their ${kind.referencedBy ? 'ids' : 'references'}`,
    },
  })
  return said.map(({ id, reference, externalId, key: word }) => {
    if (id !== null) {
      const one = there.find((row) => row.id === id)
      return one ? found(one.id) : missing(by.id!, id)
    }
    if (reference !== null) {
      const said = referenceSaid(kind, reference)
      const all = there.filter((row) => row.reference === said)
      if (all.length > 1) return ambiguous(by.reference!, reference, all.length)
      const [one] = all
      return one ? found(one.id) : missing(by.reference!, reference)
    }
    if (externalId !== null) {
      const one = there.find((row) => row.externalId === externalId)
      if (one) return found(one.id)
      const ledTo = aliases.get(externalId)
      return ledTo ? { ...found(ledTo.id), isLed: true } : added(`externalId ${externalId}`)
    }
    if (word === null) return added(null)
    const all = there.filter((row) => row.key !== null && composed(row.key) === compared(word))
    if (all.length > 1) return ambiguous(by.key!, word, all.length)
    return all[0] ? found(all[0].id) : added(`key ${compared(word)}`)
  })
}

/** By what a row says which record it is about: what every record has, or nothing. Any other is the key of a column. */
export const KNOWN = 'known'
export const NEW = 'none'

const found = (id: string): Addressed => ({ id, about: id, problem: null })
const added = (about: string | null): Addressed => ({ id: null, about, problem: null })
