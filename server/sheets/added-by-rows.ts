import { statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import type { BulkChange } from './bulk-change.ts'
import type { MappedColumn } from './columns.ts'
import { composed, emailOf, inBothForms, type Meant } from './lookups.ts'
import { turned } from './names-turned.ts'

/*
 * A row may name what another row of the same file adds: an asset the one that it is part of. While the file is planned
 * there is no such record yet, so in place of its id there is the number of that row, and the word; when it is carried
 * out, that row is written before (rows-together.ts), and the word is looked for as any other.
 */

/** What a row names that another row adds. */
export interface Awaited {
  /** Where it is named: its place in the file, and what that is taken for. */
  readonly column: number
  readonly field: string
  readonly word: string
  /** The row that adds it. */
  readonly row: number
}

/** No id has such a sign. */
const STANDS_FOR = /^row:(\d+):(.*)$/s

/** What a cell stands for: the ids of what is here, and what is to come. */
export function apartFrom(value: unknown): [here: unknown[], toCome: Pick<Awaited, 'word' | 'row'>[]] {
  const here: unknown[] = []
  const toCome: Pick<Awaited, 'word' | 'row'>[] = []
  for (const one of [value].flat()) {
    const [, row, word] = (typeof one === 'string' && STANDS_FOR.exec(one)) || []
    if (row) toCome.push({ word: word!, row: Number(row) })
    else here.push(one)
  }
  return [here, toCome]
}

/**
 * What words stand for that rows of the file add. They are looked for as words are among records: by external id, e-mail,
 * code and name.
 * @param isRehearsal else these rows were to be written by now
 */
export async function addedByRows(
  { tx }: TransactionContext,
  { id, kind }: BulkChange,
  columns: readonly MappedColumn[],
  words: readonly string[],
  isRehearsal: boolean,
): Promise<ReadonlyMap<string, Meant<string>>> {
  const email = emailOf(kind)
  const places = ['externalId', email, kind.coded, kind.named].flatMap(
    (key) => columns.find(({ column }) => column.key === key)?.index ?? [],
  )
  if (places.length === 0) return new Map()
  // A person may stand there with the family name before or behind.
  const formsOf = (word: string) =>
    [word, ...(email ? turned(word) : [])].map((form) => composed(form.toLowerCase()))
  const lower = inBothForms(words.flatMap(formsOf))
  const found = await tx.read<Named>(rowsCalled(tx.organizationId, id, places, lower))
  const byWord = Map.groupBy(found, ({ place, word }) => `${place} ${composed(word)}`)
  return new Map(
    words.flatMap((word): [string, Meant<string>][] => {
      const [own, ...others] = formsOf(word)
      const rows = [[own!], others]
        .flatMap((forms) =>
          places.map((place) => forms.flatMap((form) => byWord.get(`${place} ${form}`) ?? [])),
        )
        .find((all) => all.length > 0)
      return rows ? [[word, meantBy(word, rows, isRehearsal)]] : []
    }),
  )
}

interface Named {
  readonly place: number
  readonly word: string
  readonly number: number
}

function meantBy(word: string, [first, ...others]: readonly Named[], isRehearsal: boolean): Meant<string> {
  const { number } = first!
  if (others.length > 0)
    return {
      fault: `rows ${number} and ${others[0]!.number} of this file are both called ${word}: give each an external id, and name that`,
    }
  return isRehearsal
    ? { is: `row:${number}:${word}` }
    : {
        fault: `${word} is added by row ${number} of this file, which was not written: correct that row, then import this one again`,
      }
}

const rowsCalled = statement(`
  select place, word, number
    from bulk_change_rows, unnest($3::int[]) as place, lower(btrim(cells->>place)) as word
   where organization_id = $1 and bulk_change_id = $2 and word = any($4) and done is null
   order by number`)
