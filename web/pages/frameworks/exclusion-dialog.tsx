import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { fieldsOf } from '../../client/fields.ts'
import type { AnyRecord } from '../../client/records.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { FieldInput } from '../../components/record-form/field-input.tsx'
import { useRecordForm } from '../../components/record-form/use-record-form.ts'
import { frameworks } from '../../copy/frameworks.ts'

/** The applicability of what does not concern the organization. */
export const EXCLUDED = 'not_applicable'
const REASON = 'justification'

/** Says that a requirement does not apply, and why, as one change: neither is taken without the other. */
export function ExclusionDialog({
  kind,
  record,
  save,
  close,
}: {
  kind: DescribedKind
  record: AnyRecord
  save: (change: Values) => Promise<unknown>
  close: () => void
}) {
  const initial: Values = { [REASON]: record[REASON] }
  const form = useRecordForm({
    kind,
    fields: [REASON],
    initial,
    isNeeded: () => true,
    send: (changed) => save({ applicability: EXCLUDED, ...changed }).then(close),
  })
  return (
    <FormDialog words={frameworks.coverage.excluding} of={form} close={close}>
      <FieldInput field={fieldsOf(kind).get(REASON)!} {...form.field(REASON)} required autoFocus />
    </FormDialog>
  )
}
