import { Button, CloseButton, Group, Menu, Paper, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { ownerOf } from '../../../model/roles.ts'
import type { StateMachine } from '../../../model/states.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { fieldsOf } from '../../client/fields.ts'
import { readThese } from '../../client/read-these.ts'
import { operationsOn } from '../../client/record-operations.ts'
import type { AnyRecord } from '../../client/records.ts'
import type { BulkChange } from '../../client/send-file.ts'
import { wantedBefore } from '../../client/states.ts'
import { bulk } from '../../copy/bulk.ts'
import { countWord } from '../../copy/counts.ts'
import { merge } from '../../copy/merge.ts'
import { records } from '../../copy/records.ts'
import type { BulkEdit } from '../bulk-change/dialog.tsx'
import { Picker, principalOf, principals } from '../picker.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import { StateMark } from '../state-mark.tsx'
import { StateQuestions } from '../state-questions.tsx'
import styles from './bulk-bar.module.css'
import { type BulkStates, useBulkStates } from './use-bulk-states.ts'
import type { useSelection } from './use-selection.ts'

const words = bulk

interface Told {
  bulk: BulkChange
  isUndo: boolean
  /** Those that were selected. */
  records: readonly AnyRecord[]
}

/**
 * What can be done with the rows that are selected: each change of many is planned first, then carried out, and what
 * became of it told with the way back.
 */
export function BulkBar({
  kind,
  selection,
  loaded,
  total,
}: {
  kind: DescribedKind
  selection: ReturnType<typeof useSelection>
  /** How many rows the list has by now, and how many match. */
  loaded: number
  total: number | undefined
}) {
  const states = useBulkStates(kind)
  const { selected, reading } = selection
  const [told, setTold] = useState<Told | null>(null)
  const [isChoosing, setIsChoosing] = useState(false)
  const [asking, setAsking] = useState<{ able: AnyRecord[]; field: string; state: string } | null>(null)
  const [isMerging, setIsMerging] = useState(false)
  const merges = useMerges(kind, selected.length === 2)
  const [edit, setEdit] = useState<(BulkEdit & Pick<Told, 'records'>) | null>(null)

  const change = (changeOf: (record: AnyRecord) => Values) =>
    setEdit({ count: selected.length, changes: alike(selected, changeOf), records: selected })
  const setState = (machine: StateMachine, state: string) => {
    const { field } = machine
    const able = selected.filter((one) => states.next(machine, one).includes(state))
    if (able.some((one) => wantedBefore(kind, one, { [field]: state }))) setAsking({ able, field, state })
    else change(() => ({ [field]: state }))
  }
  const applied = (bulk: BulkChange) => {
    if (!edit) return
    const { records } = edit
    setTold({ bulk, isUndo: 'undoes' in edit, records })
    setEdit(null)
    void readThese(kind, records).then(selection.refresh)
  }

  const owner = ownerOf(kind)
  if (selected.length === 0 && !told && !edit && !reading) return null
  return (
    <Paper withBorder shadow="md" className={styles.bar} role="region" aria-label={words.label}>
      {told && (
        <Suspense>
          <BulkOutcome
            {...told}
            undo={(count) => {
              setEdit({ count, undoes: told.bulk.id, records: told.records })
              setTold(null)
            }}
            close={() => setTold(null)}
          />
        </Suspense>
      )}
      {reading && 'error' in reading && (
        <ProblemAlert error={reading.error} retry={() => void selection.selectMatching()} />
      )}
      <Group gap="xs">
        {selected.length > 0 && (
          <Text size="sm" fw={500} mr="xs">
            {words.selected(selected.length)}
          </Text>
        )}
        {reading && 'read' in reading ? (
          <Progress
            done={reading.read}
            all={Math.max(total ?? 0, reading.read)}
            text={words.reading(reading.read, total ?? reading.read)}
            stop={selection.stopReading}
          />
        ) : (
          selected.length > 0 && (
            <>
              {total !== undefined &&
                (selection.isOfAll || selected.length >= loaded) &&
                total > selected.length && (
                  <Button size="compact-sm" variant="light" onClick={() => void selection.selectMatching()}>
                    {words.selectMatching(total)}
                  </Button>
                )}
              {kind.states.map((machine) => (
                <States
                  key={machine.field}
                  kind={kind}
                  machine={machine}
                  selected={selected}
                  states={states}
                  choose={(state) => setState(machine, state)}
                />
              ))}
              {merges && selected.length === 2 && (
                <Button size="compact-sm" variant="default" onClick={() => setIsMerging(true)}>
                  {merge.button}
                </Button>
              )}
              {owner &&
                (isChoosing ? (
                  <Picker
                    source={principals}
                    nothing={records.owner.nobody}
                    placeholder={records.owner.search}
                    choose={(principal) => change(() => ({ [owner]: principal && principalOf(principal) }))}
                    close={() => setIsChoosing(false)}
                  >
                    <Button {...action}>{words.owner(fieldsOf(kind).get(owner)!.title)}</Button>
                  </Picker>
                ) : (
                  <Button {...action} onClick={() => setIsChoosing(true)}>
                    {words.owner(fieldsOf(kind).get(owner)!.title)}
                  </Button>
                ))}
              <Suspense>
                <SetField kind={kind} count={selected.length} set={(values) => change(() => values)} />
              </Suspense>
            </>
          )
        )}
        {selected.length > 0 && (
          <CloseButton ml="auto" size="sm" aria-label={words.clear} onClick={selection.clear} />
        )}
      </Group>
      {isMerging && selected.length === 2 && (
        <Suspense>
          <MergeDialog
            kind={kind}
            records={selected as [AnyRecord, AnyRecord]}
            merged={selection.clear}
            close={() => setIsMerging(false)}
          />
        </Suspense>
      )}
      {edit && (
        <Suspense>
          <BulkChangeDialog kind={kind} edit={edit} applied={applied} close={() => setEdit(null)} />
        </Suspense>
      )}
      {asking && (
        <StateQuestions
          kind={kind}
          targets={asking.able}
          field={asking.field}
          state={asking.state}
          send={async (changeOf) => {
            const { able, field, state } = asking
            change((one) => (able.includes(one) ? changeOf(one) : { [field]: state }))
          }}
          close={() => setAsking(null)}
        />
      )}
    </Paper>
  )
}

const BulkOutcome = lazy(() =>
  fetchCode(() => import('./bulk-outcome.tsx')).then((code) => ({ default: code.BulkOutcome })),
)
const SetField = lazy(() =>
  fetchCode(() => import('./set-field.tsx')).then((code) => ({ default: code.SetField })),
)
const BulkChangeDialog = lazy(() =>
  fetchCode(() => import('../bulk-change/dialog.tsx')).then((code) => ({ default: code.BulkChangeDialog })),
)

/** Records that get the same, put together. */
function alike(records: readonly AnyRecord[], changeOf: (record: AnyRecord) => Values) {
  const groups = new Map<string, { ids: string[]; change: Values }>()
  for (const record of records) {
    const change = changeOf(record)
    const key = JSON.stringify(change)
    const group = groups.get(key) ?? { ids: [], change }
    groups.set(key, group)
    group.ids.push(record.id)
  }
  return [...groups.values()]
}

const MergeDialog = lazy(() =>
  fetchCode(() => import('../merge-dialog.tsx')).then((code) => ({ default: code.MergeDialog })),
)

/** Whether two records of the kind can be made one, by this person. */
function useMerges(kind: DescribedKind, isAsked: boolean): boolean {
  const { data } = useQuery({ ...operationsOn(kind), enabled: isAsked })
  return data?.data.some(({ name, isAllowed }) => isAllowed && MERGES.has(name)) ?? false
}

const MERGES: ReadonlySet<string> = new Set(['mergeVendor'])

function Progress({ done, all, text, stop }: { done: number; all: number; text: string; stop: () => void }) {
  return (
    <>
      <progress aria-label={words.label} value={done} max={all} />
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      <Button size="compact-sm" variant="default" onClick={stop}>
        {words.stop}
      </Button>
    </>
  )
}

const action = {
  size: 'compact-sm',
  variant: 'default',
  rightSection: <IconChevronDown size={14} aria-hidden />,
} as const

/** Every state that one of them may go to, and how many may. */
function States({
  kind,
  machine,
  selected,
  states,
  choose,
}: {
  kind: DescribedKind
  machine: StateMachine
  selected: readonly AnyRecord[]
  states: BulkStates
  choose: (state: string) => void
}) {
  const counts = new Map<string, number>()
  for (const state of selected.flatMap((record) => states.next(machine, record)))
    counts.set(state, (counts.get(state) ?? 0) + 1)
  const { title } = fieldsOf(kind).get(machine.field)!
  return (
    <Menu position="top-start" shadow="sm">
      <Menu.Target>
        <Button {...action}>{kind.states.length > 1 ? words.stateOf(title) : words.status}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {counts.size === 0 && <Menu.Label>{words.noState(title)}</Menu.Label>}
        {[...counts].map(([state, count]) => (
          <Menu.Item
            key={state}
            onClick={() => choose(state)}
            rightSection={
              <Text span size="xs" c="dimmed">
                {countWord(count)}
              </Text>
            }
          >
            {states.called(machine, state) ?? <StateMark kind={kind} field={machine.field} state={state} />}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
