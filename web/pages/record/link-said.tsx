import { ActionIcon, Popover, Stack } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type SyntheticEvent, useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { Side } from '../../client/kinds.ts'
import { FieldInput } from '../../components/record-form/field-input.tsx'
import { RecordValue } from '../../components/record-value.tsx'
import { record as words } from '../../copy/record.ts'
import { EditorFoot } from './editor-foot.tsx'
import styles from './link-said.module.css'
import { type Linked, othersOf } from './use-links.ts'

/** What a link says beside the choice that it is made with. */
export function LinkSaid({ side, linked }: { side: Side; linked: Linked }) {
  const said = linked as Values
  return othersOf(side)
    .filter(({ name }) => said[name] !== null && said[name] !== undefined)
    .map((field) => (
      <div key={field.name} className={styles.said}>
        {field.title}: <RecordValue kind={undefined} field={field} record={said} />
      </div>
    ))
}

/** The way to say it. */
export function LinkEditor({
  side,
  linked,
  change,
}: {
  side: Side
  linked: Linked
  change: (said: Values) => void
}) {
  const [isOpen, setIsOpen] = useState(false)
  const label = words.links.edit(linked.reference)
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      shadow="sm"
      width={300}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon size={24} aria-label={label} title={label} onClick={() => setIsOpen(!isOpen)}>
          <IconPencil size={14} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        {isOpen && (
          <Form
            side={side}
            linked={linked}
            save={(said) => {
              setIsOpen(false)
              change(said)
            }}
            close={() => setIsOpen(false)}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function Form({
  side,
  linked,
  save,
  close,
}: {
  side: Side
  linked: Linked
  save: (said: Values) => void
  close: () => void
}) {
  const fields = othersOf(side)
  const [said, setSaid] = useState<Values>(() =>
    Object.fromEntries(fields.map(({ name }) => [name, (linked as Values)[name] ?? null])),
  )
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    save(said)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {fields.map((field, index) => (
          <FieldInput
            key={field.name}
            field={field}
            value={said[field.name]}
            change={(value) => setSaid({ ...said, [field.name]: value })}
            fixed={!!side.relation.defaults?.[field.name]}
            autoFocus={index === 0}
          />
        ))}
        <EditorFoot close={close} />
      </Stack>
    </form>
  )
}
