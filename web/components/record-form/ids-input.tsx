import { ActionIcon, Group, Stack } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { use } from 'react'
import type { Field } from '../../client/fields.ts'
import { records } from '../../copy/records.ts'
import { NameOfId } from '../name-of-id.tsx'
import { sourceOf } from '../picker.tsx'
import { RecordValues } from '../record-values.ts'
import { PickInput } from './pick-input.tsx'

/** Several that a field points at by their ids: each by its name, with the way to leave it out, and a list to add from. */
export function IdsInput({
  field,
  value,
  change,
  error,
  required,
}: {
  field: Field
  value: unknown
  change: (value: unknown) => void
  error?: string | undefined
  required?: boolean
}) {
  const ids = (value as readonly string[] | null) ?? []
  const { refId } = (use(RecordValues)[field.beside ?? ''] ?? {}) as { refId?: string }
  const source = sourceOf(field.target!, field)
  const named = [...ids, ...(refId === undefined ? [] : [refId])]
  const set = (left: readonly string[]) => change(left.length > 0 ? left : null)
  return (
    <Stack gap={6}>
      <PickInput
        {...{ field, error, required }}
        chosen={null}
        empty={records.form.choose}
        picker={{
          source: {
            ...source,
            key: [...source.key, ...named],
            find: (q) => source.find(q).then((found) => found.filter(({ id }) => !named.includes(id))),
          },
          nothing: records.form.nobodyElse,
          choose: (found) => {
            if (found) set([...ids, found.id])
          },
        }}
      />
      {ids.map((id) => (
        <Group key={id} gap={6} fz="sm">
          <NameOfId id={id} />
          <ActionIcon
            size="sm"
            aria-label={records.form.leaveOut}
            onClick={() => set(ids.filter((one) => one !== id))}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  )
}
