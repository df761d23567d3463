import { Button, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callsOf } from '../../../model/calls.ts'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { outsideOf } from '../../../model/states.ts'
import { isNamed, type Whom } from '../../../model/whom.ts'
import type { CallName } from '../../client/calls.ts'
import type { Field } from '../../client/fields.ts'
import { parentKind } from '../../client/kinds.ts'
import { queries } from '../../client/queries.ts'
import { operationsOn, type RecordOperation } from '../../client/record-operations.ts'
import { type AnyRecord, readRecordsAgain } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { FormFoot } from '../../components/form-foot.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { OverNotice } from '../../components/over-notice.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { FieldInput } from '../../components/record-form/field-input.tsx'
import { useSubmission } from '../../components/use-submission.ts'

/** A button for each operation on the record, as it is now, that the person may do beside the verbs of its kind. */
export function RecordOperations({ kind, record }: { kind: DescribedKind; record: AnyRecord }) {
  const [chosen, setChosen] = useState<RecordOperation | null>(null)
  const { data: known } = useQuery(operationsOn(kind))
  const { person, role } = useSignedIn()
  const isFor = (who: Whom | null) => !who || isNamed(who, record, { userId: person.id, role })
  return (
    <>
      {known?.data
        .filter(
          ({ when, who, isAllowed }) => isAllowed && isFor(who) && outsideOf(when, record) === undefined,
        )
        .map((one) => (
          <Button key={one.name} variant="default" size="compact-md" onClick={() => setChosen(one)}>
            {one.button}
          </Button>
        ))}
      {chosen && (
        <OperationDialog operation={chosen} kind={kind} record={record} close={() => setChosen(null)} />
      )}
    </>
  )
}

/** The form of an operation: a field for each input but those that the page knows. */
function OperationDialog({
  operation: { name, title, button, description, when, takesVersion, fields, required },
  kind,
  record,
  close,
}: {
  operation: RecordOperation
  kind: DescribedKind
  record: AnyRecord
  close: () => void
}) {
  const [given, setGiven] = useState<Values>(() => unticked(fields))
  const guarded = useGuardedCall()
  const { form, problem, isSending, wrong, mend } = useSubmission({
    given,
    fields: fields.map((field) => field.name),
    isMissing: (field) => required.includes(field) && (given[field] ?? '') === '',
    send: async (sent) => {
      const { id, version } = record
      const known = { id, ...(takesVersion ? { ifMatch: version } : {}) }
      await guarded(name as CallName, { ...sent, ...known } as never)
      close()
      // What is decided of a record may lead on the one that it is under.
      const above = parentKind(kind)
      for (const one of above ? [kind, above] : [kind]) {
        const { get, history } = callsOf(one)
        for (const read of [get, history]) void queries.invalidateQueries({ queryKey: [read] })
        void readRecordsAgain(one)
      }
    },
  })
  const outside = outsideOf(when, record)
  if (outside !== undefined && !isSending)
    return <OverNotice title={title} kind={kind} record={record} field={outside} close={close} />
  return (
    <Modal opened onClose={close} title={title}>
      <form {...form}>
        <Stack>
          {description !== null && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
          <ProblemAlert error={problem} />
          {fields.map((field) => (
            <FieldInput
              key={field.name}
              field={field}
              value={given[field.name] ?? null}
              change={(value) => {
                setGiven((all) => ({ ...all, [field.name]: value }))
                mend(field.name)
              }}
              error={wrong[field.name]}
              required={required.includes(field.name)}
            />
          ))}
          <FormFoot submit={button} isSending={isSending} cancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}

/** A box that nobody ticks says no. */
const unticked = (fields: readonly Field[]): Values =>
  Object.fromEntries(fields.flatMap(({ name, form }) => (form === 'flag' ? [[name, false]] : [])))
