import { Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Values } from '../../model/complaint.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { machineOf, ownerOf, principalId } from '../../model/roles.ts'
import { isByAction } from '../../model/states.ts'
import { fieldsOf } from '../client/fields.ts'
import type { AnyRecord } from '../client/records.ts'
import { type SignedIn, useSignedIn } from '../client/session.ts'
import { answered, answersTo, isAskedAnew, wantedBefore } from '../client/states.ts'
import { complaintText } from '../copy/complaint.ts'
import { lower, records, valueWord } from '../copy/records.ts'
import { FormFoot } from './form-foot.tsx'
import { OverNotice } from './over-notice.tsx'
import { ProblemAlert } from './problem-alert.tsx'
import { FieldInput } from './record-form/field-input.tsx'
import { useRecordForm } from './record-form/use-record-form.ts'

const words = records.reason

/**
 * Asks for what a kind wants to know before records go to a state. Of one record it shows what stands there; of many
 * each gets only those answers that it lacks.
 * @param send is given the whole change of each; throws a Problem, or it is done
 */
export function StateQuestions({
  kind,
  targets,
  field,
  state,
  send,
  close,
}: {
  kind: DescribedKind
  targets: readonly AnyRecord[]
  field: string
  state: string
  send: (changeOf: (record: AnyRecord) => Values) => Promise<unknown>
  close: () => void
}) {
  const first = targets[0]!
  const isOne = targets.length === 1
  const change = { [field]: state }
  const [{ lacking, fields: initially }] = useState(() => {
    const all = targets.flatMap((record) => wantedBefore(kind, record, change) ?? [])
    return { lacking: all, fields: all.flatMap((one) => one.fields) }
  })
  const { person } = useSignedIn()
  const [wanted, setWanted] = useState(lacking[0] ?? null)
  const [asked, setAsked] = useState(() => [...new Set(initially)])
  const machine = machineOf(kind, field)!
  const isLed = isByAction(machine, state)
  // Whoever sends something somewhere is not whom it is sent to.
  const proposed = isOne && !isLed ? byThem(kind, first, asked, person) : {}
  const form = useRecordForm({
    kind,
    fields: asked,
    initial: isOne ? { ...proposed, ...standing(kind, first, change) } : {},
    // Of many, each gets only what it lacks, which may be less than all of this.
    isNeeded: (name) => isOne && asked.includes(name),
    send: async (answers) => {
      const of = (record: AnyRecord) =>
        isOne
          ? {
              change: { ...change, ...proposed, ...answers },
              wanted: wantedBefore(kind, record, { ...change, ...proposed, ...answers }),
            }
          : answered(kind, record, change, answers)
      const still = targets.flatMap((record) => of(record).wanted ?? [])
      setWanted(still[0] ?? null)
      if (still.length > 0) setAsked([...new Set([...asked, ...still.flatMap((one) => one.fields)])])
      else await send((record) => of(record).change).then(close)
    },
  })
  const word = lower(valueWord(state))
  const fields = fieldsOf(kind)
  const { title } = fields.get(field)!
  const heading = isOne
    ? words.title(title, word)
    : kind.states.length > 1
      ? words.titleManyOf(title, targets.length, word)
      : words.titleMany(targets.length, word)
  const hasMoved =
    isOne && !isLed && !form.isSending && !(machine.next[String(first[field])] ?? []).includes(state)
  if (hasMoved) return <OverNotice title={heading} kind={kind} record={first} field={field} close={close} />
  return (
    <Modal opened onClose={close} title={heading} withCloseButton={false}>
      <form {...form.form}>
        <Stack>
          {wanted && (
            <Text size="sm" c="dimmed">
              {complaintText(wanted.message)}
            </Text>
          )}
          {!isOne && lacking.length > 0 && (
            <Text size="sm">
              {words.gets(lacking.length)}{' '}
              {lacking.length < targets.length && words.keeps(targets.length - lacking.length)}
            </Text>
          )}
          <ProblemAlert error={form.problem} />
          {asked.map((name, index) => (
            <FieldInput
              key={name}
              field={{ ...fields.get(name)!, options: answersTo(kind, first, change, name) }}
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

/** A person who is asked for is at first whoever answers, since it is their word; but not of what they own themselves. */
function byThem(
  kind: DescribedKind,
  record: AnyRecord,
  asked: readonly string[],
  { id: refId, name: displayName }: SignedIn['person'],
): Values {
  const owner = ownerOf(kind)
  if (owner && record[principalId(owner)] === refId) return {}
  const isAbsent = (name: string) => fieldsOf(kind).get(name)?.form === 'principal' && !record[name]
  const people = asked.filter(isAbsent)
  return Object.fromEntries(people.map((name) => [name, { type: 'user', refId, displayName, active: true }]))
}

/** What stands there, but for a reason, which is given anew for each change of state, and for a choice that will not do. */
const standing = (kind: DescribedKind, record: AnyRecord, change: Values): Values =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) =>
        value !== null &&
        !isAskedAnew(kind, record, change, name) &&
        (fieldsOf(kind).get(name)?.form !== 'choice' ||
          answersTo(kind, record, change, name).includes(String(value))),
    ),
  )
