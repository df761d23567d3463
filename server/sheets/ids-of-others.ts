import type { Kind } from '../../model/kind.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Recognised } from './recognise.ts'

/*
 * A register of somebody's own has a column "ID" or "Reference" as well, with numbers of its own. Where none of them could
 * be one that the service gave, it is not taken for those, which no row would be found by, but for what the record is known
 * by elsewhere; unless another column is, as then somebody has to say what it is.
 */

type FileColumn = Recognised & { readonly title: string }

/** @param columns of the file, whose rows are written */
export async function withIdsOfOthers(
  tx: Transaction,
  id: string,
  kind: Kind,
  columns: readonly FileColumn[],
): Promise<readonly FileColumn[]> {
  const forms: Readonly<Record<string, string>> = {
    id: `^${kind.idPrefix}_[0-9a-z]{26}$`,
    ...(kind.referencedBy ? {} : { reference: `^${kind.referencePrefix}-[0-9]{1,9}(\\s|$)` }),
  }
  const asked = columns.flatMap(({ key }, place) =>
    key !== null && Object.hasOwn(forms, key) ? [{ place, form: forms[key]! }] : [],
  )
  if (asked.length === 0) return columns
  const strange = await tx.read<{ place: number }>(
    ofOthers(
      tx.organizationId,
      id,
      asked.map(({ place }) => place),
      asked.map(({ form }) => form),
    ),
  )
  const taken = new Set(columns.map(({ key }) => key))
  const left = [kind.coded, 'externalId'].filter((key) => key !== undefined && !taken.has(key))
  return columns.map((column, at) => {
    const key = strange.some(({ place }) => place === at) ? left.shift() : undefined
    return key === undefined ? column : { title: column.title, key, meanings: {} }
  })
}

const ofOthers = statement(`
  select place from bulk_change_rows,
         unnest($3::int[], $4::text[]) as asked (place, form), btrim(cells->>place) as cell
   where organization_id = $1 and bulk_change_id = $2 and cell <> ''
   group by place, form having not bool_or(cell ~* form)`)
