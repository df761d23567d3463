import { NativeSelect } from '@mantine/core'
import { use } from 'react'
import type { Field } from '../../client/fields.ts'
import { records } from '../../copy/records.ts'
import { RecordValues } from '../record-values.ts'
import { useItems } from '../use-items.ts'

/** One of what another record lists, by its title; which record that is, another field says. */
export function ItemInput({
  field,
  value,
  change,
  error,
}: {
  field: Field
  value: unknown
  change: (value: unknown) => void
  error?: string | undefined
}) {
  const items = useItems(field, use(RecordValues))
  const chosen = (value as string | null) ?? ''
  const isKnown = chosen === '' || items?.some(({ key }) => key === chosen)
  return (
    <NativeSelect
      label={field.title}
      description={items === null ? records.form.itemOfNothing : undefined}
      error={error}
      name={field.name}
      disabled={items === null && chosen === ''}
      value={chosen}
      onChange={({ currentTarget }) => change(currentTarget.value || null)}
      data={[
        { value: '', label: records.noValue },
        ...(items ?? []).map(({ key, title }) => ({ value: key, label: title })),
        ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
      ]}
    />
  )
}
