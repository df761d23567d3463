import { type Kind, SOURCES } from '../../model/kind.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { SheetColumn } from './columns.ts'
import { alike } from './reading/alike.ts'
import type { Recognised } from './recognise.ts'
import { meantBy } from './title-synonyms.ts'

/*
 * A register of somebody's own has a column "ID" or "Reference" as well, with numbers of its own. Where none of them could
 * be one that the service gave, it is not taken for those, which no row would be found by, but for what the record is known
 * by elsewhere; unless another column is, as then somebody has to say what it is.
 */

type FileColumn = Recognised & { readonly title: string }

/** Titles of ids here that registers use for their own. */
const GUESSED = /^\s*(id|reference)\s*$/i

const letters = (word: string): string => word.toLowerCase().replaceAll(/[^a-z]/g, '')
const OUR_SOURCES = SOURCES.map(letters)

/** @param columns of the file, whose rows are written */
export async function withIdsOfOthers(
  tx: Transaction,
  id: string,
  kind: Kind,
  all: readonly SheetColumn[],
  columns: readonly FileColumn[],
): Promise<readonly FileColumn[]> {
  const forms: Readonly<Record<string, string>> = {
    id: `^${kind.idPrefix}_[0-9a-z]{26}$`,
    ...(kind.referencedBy ? {} : { reference: `^${kind.referencePrefix}-[0-9]{1,9}(\\s|$)` }),
  }
  const asked = columns.flatMap(({ key }, place) =>
    key !== null && Object.hasOwn(forms, key) ? [{ place, form: forms[key]! }] : [],
  )
  const own = await withoutStrangers(tx, id, kind, all, columns)
  if (asked.length === 0) return own
  const strange = await tx.read<{ place: number }>(
    ofOthers(
      tx.organizationId,
      id,
      asked.map(({ place }) => place),
      asked.map(({ form }) => form),
    ),
  )
  const taken = new Set(own.map(({ key }) => key))
  const left = [kind.coded, 'externalId'].filter((key) => key !== undefined && !taken.has(key))
  const named = own.map((column, at) => {
    const key = strange.some(({ place }) => place === at) ? left.shift() : undefined
    return key === undefined ? column : { title: column.title, key, meanings: {} }
  })
  return withoutStrangers(tx, id, kind, all, named)
}

/**
 * A column "Source" with values of its own is not the source of a record here, and a column with a value twice does not
 * hold external ids, whatever it is called.
 */
async function withoutStrangers(
  tx: Transaction,
  id: string,
  kind: Kind,
  all: readonly SheetColumn[],
  columns: readonly FileColumn[],
): Promise<readonly FileColumn[]> {
  const at = (key: string) => columns.findIndex((column) => column.key === key)
  const [source, externalId] = [at('source'), at('externalId')]
  const title = columns[externalId]?.title ?? ''
  const isGuessed =
    externalId >= 0 && (GUESSED.test(title) || meantBy(kind, all, title).includes('externalId'))
  const isOwnTitle = alike(title) === alike('externalId')
  if (source < 0 && (!isGuessed || isOwnTitle)) return columns
  const [found] = await tx.read<{ isOurs: boolean | null; isTwice: boolean }>(
    strangers(tx.organizationId, id, source, externalId, OUR_SOURCES),
  )
  return columns.map((column, place) => {
    const isStrange =
      place === source
        ? found!.isOurs === false
        : place === externalId && isGuessed && !isOwnTitle && found!.isTwice
    if (!isStrange) return column
    const taken = new Set(columns.map(({ key }) => key))
    const [key = null] = meantBy(kind, all, column.title).filter(
      (one) => !taken.has(one) && one !== column.key,
    )
    return { title: column.title, key: place === source ? key : null, meanings: {} }
  })
}

const strangers = statement(`
  select bool_or(regexp_replace(lower(cells->>$3::int), '[^a-z]', '', 'g') = any($5::text[]))
           filter (where btrim(cells->>$3::int) <> '') as "isOurs",
         exists (select from bulk_change_rows r where r.organization_id = $1 and r.bulk_change_id = $2
                    and btrim(r.cells->>$4::int) <> '' group by btrim(r.cells->>$4::int) having count(*) > 1) as "isTwice"
    from bulk_change_rows where organization_id = $1 and bulk_change_id = $2`)

const ofOthers = statement(`
  select place from bulk_change_rows,
         unnest($3::int[], $4::text[]) as asked (place, form), btrim(cells->>place) as cell
   where organization_id = $1 and bulk_change_id = $2 and cell <> ''
   group by place, form having not bool_or(cell ~* form)`)
