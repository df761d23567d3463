import { Button, Drawer, Fieldset, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import type { Values } from '../../model/complaint.ts'
import { hasInput } from '../../model/described-field.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { fieldsOf } from '../client/fields.ts'
import { isMeant } from '../client/only-while.ts'
import { stagesOf } from '../client/ratings.ts'
import { type AnyRecord, type Principal, readRecordsAgain, recordCall } from '../client/records.ts'
import { offered } from '../client/states.ts'
import { records } from '../copy/records.ts'
import { DangerDialog } from './danger-dialog.tsx'
import { FormFoot } from './form-foot.tsx'
import { sectionsOf } from './kind-sections.ts'
import { LevelPreview } from './level-preview.tsx'
import { ProblemAlert } from './problem-alert.tsx'
import { FieldInput } from './record-form/field-input.tsx'
import { useRecordForm } from './record-form/use-record-form.ts'
import styles from './record-form.module.css'
import { RecordValues } from './record-values.ts'

const words = records.form

/** A drawer that adds a record of a kind. */
export function CreateDrawer({
  kind,
  given,
  begun,
  close,
  added,
}: {
  kind: DescribedKind
  /** What is settled already, and not asked. */
  given?: Values
  /** What stands there to begin with. */
  begun?: Values
  close: () => void
  added: (record: AnyRecord) => void
}) {
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
    <Drawer opened onClose={leave} size={520} title={words.title(kind.noun)}>
      <RecordForm
        kind={kind}
        given={given}
        begun={begun}
        submit={words.submit(kind.noun)}
        cancel={leave}
        touched={setIsDirty}
        send={async (values) => {
          const record = await recordCall(kind, 'create', { ...withoutNames(kind, values), ...given })
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

const NOTHING: Values = {}

/**
 * The fields of a kind to fill in: those it asks for first, and the rest folded behind them.
 * @param send what was typed; throws a Problem, or it is done
 */
export function RecordForm({
  kind,
  given = NOTHING,
  begun = NOTHING,
  submit,
  send,
  cancel,
  touched,
}: {
  kind: DescribedKind
  /** What is settled already, and not asked. */
  given?: Values | undefined
  /** What stands there to begin with. */
  begun?: Values | undefined
  submit: string
  send: (changed: Values) => Promise<unknown>
  cancel: () => void
  touched?: (isDirty: boolean) => void
}) {
  const first = kind.firstFields.filter((name) => !(name in given) && isAsked(kind, name))
  const sections = sectionsOf(
    kind,
    (field) =>
      !kind.firstFields.includes(field.name) &&
      !(field.name in given) &&
      hasInput(field) &&
      isAsked(kind, field.name),
  )
  const further = sections.flatMap(([, fields]) => fields.map(({ name }) => name))
  const begin = { ...kind.begunInPerson, ...begun }
  const initial = { ...kind.defaults, ...begin }
  const form = useRecordForm({
    kind,
    fields: [...first, ...further],
    initial,
    send: (changed) => send({ ...begin, ...changed }),
  })
  // What the state that was chosen asks for stands behind it, and is not to be looked for.
  const shown = first.flatMap((name) => [name, ...form.asked(name).filter((one) => further.includes(one))])
  const behind = sections.flatMap(([title, fields]) => {
    const left = fields.filter(({ name }) => !shown.includes(name))
    return left.length > 0 ? [[title, left] as const] : []
  })
  const [isWhole, setIsWhole] = useState(false)
  useEffect(() => touched?.(form.isDirty), [form.isDirty, touched])
  // What is refused has to be seen.
  if (!isWhole && further.some((name) => form.wrong[name] && !shown.includes(name))) setIsWhole(true)
  const id = useId()
  return (
    <RecordValues value={{ ...initial, ...given, ...form.changed }}>
      <form {...form.form}>
        <Stack gap="lg">
          <ProblemAlert error={form.problem} />
          <Stack gap="sm">
            <Text size="xs" c="dimmed">
              {words.required}
            </Text>
            <Fields kind={kind} names={shown} form={form} takesFocus />
          </Stack>
          <Button
            variant="default"
            size="xs"
            className={styles.more}
            aria-expanded={isWhole}
            aria-controls={id}
            rightSection={
              isWhole ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />
            }
            onClick={() => setIsWhole(!isWhole)}
          >
            {isWhole ? words.fewer : words.more}
          </Button>
          <div id={id} hidden={!isWhole}>
            <Stack gap="lg">
              {behind.map(([title, fields]) => (
                <Fieldset key={title} legend={title} variant="unstyled" className={styles.section}>
                  <Stack gap="sm">
                    <Fields kind={kind} names={fields.map(({ name }) => name)} form={form} />
                  </Stack>
                </Fieldset>
              ))}
            </Stack>
          </div>
        </Stack>
        <FormFoot submit={submit} isSending={form.isSending} cancel={cancel} isPinned>
          <Text size="xs" c="dimmed">
            {words.keys}
          </Text>
        </FormFoot>
      </form>
    </RecordValues>
  )
}

/** A state that every new record begins in is no question. */
const isAsked = (kind: DescribedKind, name: string): boolean =>
  !(name in kind.defaults) || offered(kind, name, fieldsOf(kind).get(name)!.options).length !== 1

/** Two choices that a level follows from stand side by side, with the level as it will be. */
function Fields({
  kind,
  names,
  form,
  takesFocus = false,
}: {
  kind: DescribedKind
  names: readonly string[]
  form: ReturnType<typeof useRecordForm>
  takesFocus?: boolean
}) {
  const fields = fieldsOf(kind)
  const stages = stagesOf(kind)
  const pairedBy = (name: string) =>
    stages.find(
      ({ pair }) => pair?.some((one) => one.name === name) && pair.every((one) => names.includes(one.name)),
    )
  const input = (name: string) => (
    <FieldInput
      key={name}
      field={{ ...fields.get(name)!, options: offered(kind, name, fields.get(name)!.options) }}
      {...form.field(name)}
      autoFocus={takesFocus && name === names[0]}
    />
  )
  const values = { ...kind.defaults, ...form.changed }
  return names.map((name) => {
    if (!isMeant(fields.get(name)!, values)) return null
    const stage = pairedBy(name)
    if (!stage) return input(name)
    const [across, down] = stage.pair!
    if (name === down.name) return null
    return (
      <Stack key={name} gap={6}>
        <SimpleGrid cols={2} spacing="sm">
          {input(across.name)}
          {input(down.name)}
        </SimpleGrid>
        <LevelPreview kind={kind} stage={stage} values={values} />
      </Stack>
    )
  })
}

/** A principal is sent as whom it is, and shown by the name. */
function withoutNames(kind: DescribedKind, values: Values): Values {
  const given = kind.owners.filter((name) => values[name])
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
