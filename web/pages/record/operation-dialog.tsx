import { Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { callsOf } from '../../../model/calls.ts'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { outsideOf } from '../../../model/states.ts'
import type { CallName } from '../../client/calls.ts'
import { type Field, fieldsOf } from '../../client/fields.ts'
import { forgetText, keepText, keptText, placeOf } from '../../client/kept-text.ts'
import { childKinds, described, parentKind } from '../../client/kinds.ts'
import { queries } from '../../client/queries.ts'
import { type Principal, readRecordsAgain } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { FormFoot } from '../../components/form-foot.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { OverNotice } from '../../components/over-notice.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { FieldInput } from '../../components/record-form/field-input.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { titlesOf } from '../../copy/complaint.ts'
import type { DialogProps } from './dialog-props.ts'

/** The form of an operation: a field for each input but those that the page knows. */
export function OperationDialog({
  operation: { name, title, button, description, when, takesVersion, takesShown, fields, required },
  kind,
  record,
  close,
  children,
}: DialogProps & {
  /** What it is about, where the page may not show that. */
  children?: ReactNode
}) {
  const place = placeOf(useSignedIn(), `${name} ${record.id}`)
  const [given, setGiven] = useState<Values>(() => ({
    ...{ ...unticked(fields), ...namedBefore(fields, record) },
    ...keptText<Values>(place, (values) => typeof values === 'object')?.values,
  }))
  useEffect(() => keepTyped(place, fields, given), [place, fields, given])
  const guarded = useGuardedCall()
  const { form, problem, isSending, wrong, mend } = useSubmission({
    given,
    fields: fields.map((field) => field.name),
    isMissing: (field) => required.includes(field) && (given[field] ?? '') === '',
    send: async (sent) => {
      const { id, version } = record
      const shown = takesShown.map((field) => [field, record[field]])
      const known = { id, ...(takesVersion ? { ifMatch: version } : {}), ...Object.fromEntries(shown) }
      await guarded(name as CallName, { ...withoutNames(fields, sent), ...known } as never)
      forgetText(place)
      close()
      // What follows from records beneath it, as an approval from decisions, is not shown before those.
      await Promise.all(
        childKinds(kind).map((one) => queries.invalidateQueries({ queryKey: [callsOf(one).list] })),
      )
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
          {children}
          <ProblemAlert error={problem} titles={(path) => titlesIn(kind, path)} />
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

/** What is wrong may be so of the record, or of the one that it is under: as their pages call it. */
function titlesIn(kind: DescribedKind, path: string): string[] {
  const [name = '', ...parts] = path.split('.')
  const above = parentKind(kind)
  const field = [kind, above && described(above)].flatMap((one) => (one && fieldsOf(one).get(name)) ?? [])[0]
  return field ? [field.title, ...titlesOf(parts.join('.'))] : titlesOf(path)
}

/** What somebody says at length is there again when the form is, however it was left: but for what was sent. */
function keepTyped(place: string, fields: readonly Field[], given: Values): void {
  const texts = fields.filter(({ name, form }) => form === 'text' && (given[name] ?? '') !== '')
  if (texts.length > 0) keepText(place, Object.fromEntries(texts.map(({ name }) => [name, given[name]])))
  else forgetText(place)
}

/** A principal is sent as whom it is, and shown by the name. */
const withoutNames = (fields: readonly Field[], sent: Values): Values => {
  const chosen = fields.filter(({ name, form }) => form === 'principal' && sent[name])
  const bare = chosen.map(({ name }) => {
    const { type, refId } = sent[name] as Principal
    return [name, { type, refId }]
  })
  return { ...sent, ...Object.fromEntries(bare) }
}

/** Whom the record names already stands there, to be left or changed. */
const namedBefore = (fields: readonly Field[], record: Values): Values =>
  Object.fromEntries(
    fields.flatMap(({ name, form }) => (form === 'principal' && record[name] ? [[name, record[name]]] : [])),
  )

/** A box that nobody ticks says no. */
const unticked = (fields: readonly Field[]): Values =>
  Object.fromEntries(fields.flatMap(({ name, form }) => (form === 'flag' ? [[name, false]] : [])))
