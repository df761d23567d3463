import { useQuery } from '@tanstack/react-query'
import type { Values } from '../../model/complaint.ts'
import type { Field } from '../client/fields.ts'
import { kindOfId } from '../client/kinds.ts'
import { recordQuery } from '../client/records.ts'
import { kindIndex } from '../kinds/index.ts'

/** What a field takes the key of, as the record that another field points at lists it; none, while that names nothing. */
export function useItems(
  { itemOf }: Field,
  record: Values,
): readonly { key: string; title: string }[] | null {
  const { by, list, key, title } = itemOf!
  const id = record[by] as string | null | undefined
  const kind = id ? kindOfId(id) : undefined
  const { data } = useQuery({
    ...recordQuery(kind ?? Object.values(kindIndex)[0]!, 'get', { id: id ?? '' }),
    enabled: kind !== undefined,
  })
  if (!kind) return null
  const items = (data?.[list] as Values[] | null | undefined) ?? []
  return items.map((one) => ({ key: String(one[key]), title: String(one[title]) }))
}
