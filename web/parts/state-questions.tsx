import { Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Kind, Values } from '../../kinds/kind.ts'
import { fieldsOf } from '../client/fields.ts'
import type { AnyRecord } from '../client/records.ts'
import { wantedBefore } from '../client/states.ts'
import { capital, records, valueWord } from '../words/records.ts'
import { FormFoot } from './form-foot.tsx'
import { ProblemAlert } from './problem-alert.tsx'
import { FieldInput } from './record-form/field-input.tsx'
import { useRecordForm } from './record-form/use-record-form.ts'

const words = records.reason

/**
 * Asks for what a kind wants to know before records go to a state.
 * @param send the change whole; throws a Problem, or it is done
 */
export function StateQuestions({
  kind,
  targets,
  state,
  send,
  close,
}: {
  kind: Kind
  targets: readonly AnyRecord[]
  state: string
  send: (change: Values) => Promise<unknown>
  close: () => void
}) {
  const first = targets[0]!
  const change = { [kind.states!.field]: state }
  const [wanted, setWanted] = useState(() => wantedBefore(kind, first, change))
  const [asked, setAsked] = useState(() => wanted?.fields ?? [])
  const form = useRecordForm({
    kind,
    fields: asked,
    initial: targets.length === 1 ? withoutReason(first, asked) : {},
    send: async (answers) => {
      const whole = { ...change, ...answers }
      const still = wantedBefore(kind, first, whole)
      setWanted(still)
      if (still) setAsked([...new Set([...asked, ...still.fields])])
      else await send(whole).then(close)
    },
  })
  const word = valueWord(state).toLowerCase()
  const fields = fieldsOf(kind)
  return (
    <Modal
      opened
      onClose={close}
      title={targets.length === 1 ? words.title(word) : words.titleMany(targets.length, word)}
      withCloseButton={false}
    >
      <form {...form.form}>
        <Stack>
          {wanted && (
            <Text size="sm" c="dimmed">
              {capital(wanted.message)}.
            </Text>
          )}
          <ProblemAlert error={form.problem} />
          {asked.map((name, index) => (
            <FieldInput
              key={name}
              field={fields.get(name)!}
              {...form.field(name)}
              required
              autoFocus={index === 0}
            />
          ))}
          <FormFoot submit={words.submit(word)} isSending={form.isSending} cancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}

/** A reason is given anew for each change of state. */
const withoutReason = (record: AnyRecord, asked: readonly string[]): Values =>
  Object.fromEntries(
    Object.entries(record).filter(([name]) => !(asked.includes(name) && /Reason$/.test(name))),
  )
