import { Button, Menu, Modal, Stack, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { machineOf, ownerOf } from '../../../model/roles.ts'
import { type Field, fieldsOf } from '../../client/fields.ts'
import { bulk } from '../../copy/bulk.ts'
import { FormFoot } from '../form-foot.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import { FieldInput } from '../record-form/field-input.tsx'
import { useRecordForm } from '../record-form/use-record-form.ts'

const words = bulk

/** What many records may well have alike, as a text of their own never is. */
const ALIKE = new Set(['choice', 'choices', 'day', 'instant', 'principal', 'record'])

/** The fields that rows can be given together, those of lists and forms first; state and owner have buttons of their own. */
export function fieldsInCommon(kind: DescribedKind): readonly Field[] {
  const names = new Set([...kind.columns, ...kind.firstFields, ...Object.keys(kind.fields)])
  return [...names].flatMap((name) => {
    const field = kind.fields[name]
    const isElsewhere = machineOf(kind, name) || name === ownerOf(kind) || name === kind.under?.field
    return field && ALIKE.has(field.form) && !isElsewhere ? [field] : []
  })
}

/** Gives the selected rows one value of one field: when they are due, how soon they are wanted, what they are part of. */
export function SetField({
  kind,
  count,
  set,
}: {
  kind: DescribedKind
  /** How many rows are selected. */
  count: number
  set: (change: Values) => void
}) {
  const [name, setName] = useState<string | null>(null)
  const fields = fieldsInCommon(kind)
  if (fields.length === 0) return null
  return (
    <>
      <Menu position="top-start" shadow="sm">
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {words.field}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="50dvh" style={{ overflowY: 'auto' }}>
          {fields.map((field) => (
            <Menu.Item key={field.name} onClick={() => setName(field.name)}>
              {field.title}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {name !== null && (
        <FieldDialog kind={kind} name={name} count={count} set={set} close={() => setName(null)} />
      )}
    </>
  )
}

function FieldDialog({
  kind,
  name,
  count,
  set,
  close,
}: {
  kind: DescribedKind
  name: string
  count: number
  set: (change: Values) => void
  close: () => void
}) {
  const field = fieldsOf(kind).get(name)!
  const isNeeded = kind.required.includes(name) || name in kind.defaults
  const form = useRecordForm({
    kind,
    fields: [name],
    initial: {},
    isNeeded: () => isNeeded,
    send: async (given) => {
      set({ [name]: given[name] ?? null })
      close()
    },
  })
  return (
    <Modal opened onClose={close} title={words.fieldOf(field.title, count)} withCloseButton={false}>
      <form {...form.form}>
        <Stack>
          <ProblemAlert error={form.problem} />
          <FieldInput field={field} {...form.field(name)} required={isNeeded} autoFocus />
          {!isNeeded && (
            <Text size="sm" c="dimmed">
              {words.cleared}
            </Text>
          )}
          <FormFoot submit={words.review} isSending={form.isSending} cancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}
