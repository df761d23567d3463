import type { Values } from '../../model/complaint.ts'
import type { Field } from '../client/fields.ts'
import { useItems } from './use-items.ts'

/** What something is called whose key a field has; the key, where it is there no more. */
export function ItemValue({ field, record }: { field: Field; record: Values }) {
  const key = String(record[field.name])
  return <bdi>{useItems(field, record)?.find((one) => one.key === key)?.title ?? key}</bdi>
}
