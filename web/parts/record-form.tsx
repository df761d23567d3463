import { Drawer, Fieldset, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Kind, principalFields, type Values } from '../../kinds/kind.ts'
import { fieldsOf } from '../client/fields.ts'
import { type AnyRecord, type Principal, readRecordsAgain, recordCall } from '../client/records.ts'
import { offered } from '../client/states.ts'
import { records, registerWords } from '../words/records.ts'
import { DangerDialog } from './danger-dialog.tsx'
import { FormFoot } from './form-foot.tsx'
import { ProblemAlert } from './problem-alert.tsx'
import { FieldInput } from './record-form/field-input.tsx'
import { useRecordForm } from './record-form/use-record-form.ts'
import styles from './record-form.module.css'

const words = records.form

/** A drawer that adds a record of a kind: what is required first, then the sections of the kind. */
export function CreateDrawer({
  kind,
  close,
  added,
}: {
  kind: Kind
  close: () => void
  added: (record: AnyRecord) => void
}) {
  const { one } = registerWords(kind)
  const [isDirty, setIsDirty] = useState(false)
  const [isLeaving, setIsLeaving] = useState(false)
  const [isDone, setIsDone] = useState(false)
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty && !isDone,
    enableBeforeUnload: () => isDirty && !isDone,
    withResolver: true,
  })
  const leave = () => (isDirty ? setIsLeaving(true) : close())
  const discard = async () => {
    setIsDone(true)
    if (blocker.status === 'blocked') blocker.proceed()
    else setTimeout(close)
  }
  const stay = () => {
    setIsLeaving(false)
    blocker.reset?.()
  }
  return (
    <Drawer opened onClose={leave} size={520} title={words.title(one)}>
      <RecordForm
        kind={kind}
        submit={words.submit(kind.title)}
        cancel={leave}
        touched={setIsDirty}
        send={async (values) => {
          const record = await recordCall(kind, 'create', withoutNames(kind, values))
          setIsDone(true)
          void readRecordsAgain(kind)
          setTimeout(() => added(record))
        }}
      />
      {(isLeaving || blocker.status === 'blocked') && (
        <DangerDialog
          title={words.lose.title}
          text={words.lose.text}
          verb={words.lose.submit}
          act={discard}
          close={stay}
        />
      )}
    </Drawer>
  )
}

/**
 * The fields of a kind to fill in.
 * @param send what was typed; throws a Problem, or it is done
 */
export function RecordForm({
  kind,
  submit,
  send,
  cancel,
  touched,
}: {
  kind: Kind
  submit: string
  send: (changed: Values) => Promise<unknown>
  cancel: () => void
  touched?: (isDirty: boolean) => void
}) {
  const fields = fieldsOf(kind)
  const sections = sectionsOf(kind)
  const form = useRecordForm({
    kind,
    fields: sections.flatMap(([, names]) => names),
    initial: kind.defaults,
    send,
  })
  useEffect(() => touched?.(form.isDirty), [form.isDirty, touched])
  return (
    <form {...form.form}>
      <Stack gap="lg">
        <ProblemAlert error={form.problem} />
        {sections.map(([title, names], index) => (
          <Fieldset key={title} legend={title} variant="unstyled" className={styles.section}>
            <Stack gap="sm">
              {names.map((name) => (
                <FieldInput
                  key={name}
                  field={{ ...fields.get(name)!, options: offered(kind, name, fields.get(name)!.options) }}
                  {...form.field(name)}
                  autoFocus={index === 0 && name === names[0]}
                />
              ))}
            </Stack>
          </Fieldset>
        ))}
      </Stack>
      <FormFoot submit={submit} isSending={form.isSending} cancel={cancel} isPinned>
        <Text size="xs" c="dimmed">
          {words.keys}
        </Text>
      </FormFoot>
    </form>
  )
}

/** A principal is sent as whom it is, and shown by the name. */
function withoutNames(kind: Kind, values: Values): Values {
  const given = principalFields(kind).filter((name) => values[name])
  return {
    ...values,
    ...Object.fromEntries(
      given.map((name) => {
        const { type, refId } = values[name] as Principal
        return [name, { type, refId }]
      }),
    ),
  }
}

/** The kind's sections with what is required taken out before them. */
function sectionsOf(kind: Kind): [title: string, names: string[]][] {
  const rest = Object.entries(kind.sections).map(([title, names]): [string, string[]] => [
    title,
    names.filter((name) => !kind.required.includes(name)),
  ])
  const [first, ...others] = rest
  const required: [string, string[]] = [
    first?.[0] ?? words.required,
    [...kind.required, ...(first?.[1] ?? [])],
  ]
  return [required, ...others, [words.more, ['labels', 'externalId']]]
}
