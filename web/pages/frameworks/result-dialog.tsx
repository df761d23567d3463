import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { fieldsOf } from '../../client/fields.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { FieldInput } from '../../components/record-form/field-input.tsx'
import { useRecordForm } from '../../components/record-form/use-record-form.ts'
import { frameworks } from '../../copy/frameworks.ts'
import type { Coverage } from './coverage-answer.ts'

const FIELDS = ['result', 'resultReason']
/** That it does not apply is said by its applicability, and that nobody has looked by giving none. */
const NOT_GIVEN = ['not_assessed', 'not_applicable']

/** Gives a requirement the result that a person says, with the reason. */
export function ResultDialog({
  kind,
  coverage: { result, resultReason },
  save,
  close,
}: {
  kind: DescribedKind
  coverage: Coverage
  save: (change: Values) => Promise<unknown>
  close: () => void
}) {
  const initial: Values = { result: NOT_GIVEN.includes(result) ? null : result, resultReason }
  const form = useRecordForm({
    kind,
    fields: FIELDS,
    initial,
    isNeeded: () => true,
    send: (changed) => save({ ...initial, ...changed }).then(close),
  })
  return (
    <FormDialog words={frameworks.coverage.dialog} of={form} close={close}>
      {FIELDS.map((name) => {
        const field = fieldsOf(kind).get(name)!
        return (
          <FieldInput
            key={name}
            field={{ ...field, options: field.options.filter((one) => !NOT_GIVEN.includes(one)) }}
            {...form.field(name)}
            required
          />
        )
      })}
    </FormDialog>
  )
}
