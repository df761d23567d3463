import type { ReactElement } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { machineOf } from '../../../model/roles.ts'
import type { Field } from '../../client/fields.ts'
import type { AnyRecord } from '../../client/records.ts'
import { records } from '../../copy/records.ts'
import { Picker, people, principalOf } from '../picker.tsx'
import { RecordValue } from '../record-value.tsx'
import { StateMark } from '../state-mark.tsx'
import { StateMenu } from '../state-menu.tsx'
import styles from './cell.module.css'
import type { RowActs } from './row-acts.ts'

/** The value of a field in a row; where it can be changed there, as a button. */
export function Cell({
  canEdit,
  ...cell
}: {
  kind: DescribedKind
  field: Field
  record: AnyRecord
  canEdit: boolean
  isOpen: boolean
  acts: RowActs
}) {
  return canEdit && isEditable(cell.kind, cell.field) ? <EditableCell {...cell} /> : <RecordValue {...cell} />
}

const isEditable = (kind: DescribedKind, { name }: Field): boolean =>
  machineOf(kind, name) !== undefined || kind.owners.includes(name)

/** A value that is a button; what can be chosen is drawn once it is asked for. */
function EditableCell({
  kind,
  field,
  record,
  isOpen,
  acts,
}: {
  kind: DescribedKind
  field: Field
  record: AnyRecord
  isOpen: boolean
  acts: RowActs
}): ReactElement {
  const value = record[field.name]
  const machine = machineOf(kind, field.name)
  const button = (
    <button
      type="button"
      className={styles.value}
      aria-haspopup="true"
      aria-expanded={isOpen}
      title={records.changeField(field.title, record.reference)}
      onClick={() => acts.edit(record.id, field.name)}
    >
      {machine ? (
        <StateMark kind={kind} field={field.name} state={String(value)} record={record} />
      ) : (
        <RecordValue kind={kind} field={field} record={record} />
      )}
    </button>
  )
  if (!isOpen) return button
  const close = () => acts.edit(null)
  if (machine)
    return (
      <StateMenu
        kind={kind}
        machine={machine}
        record={record}
        choose={(state) => acts.setState(record, field.name, state)}
        close={close}
      >
        {button}
      </StateMenu>
    )
  return (
    <Picker
      source={people(field)}
      nothing={value ? records.owner.nobody : undefined}
      placeholder={records.owner.search}
      choose={(principal) => acts.setPrincipal(record, field.name, principal && principalOf(principal))}
      close={close}
    >
      {button}
    </Picker>
  )
}
