import { Button, CloseButton, Group, Menu, Paper, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { ownerOf } from '../../../model/roles.ts'
import type { StateMachine } from '../../../model/states.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { fieldsOf } from '../../client/fields.ts'
import { operationsOn } from '../../client/record-operations.ts'
import { type AnyRecord, countAgain } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { nextStates, wantedBefore } from '../../client/states.ts'
import { countWord } from '../../copy/counts.ts'
import { merge } from '../../copy/merge.ts'
import { records } from '../../copy/records.ts'
import { Picker, principals } from '../picker.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import { StateMark } from '../state-mark.tsx'
import { StateQuestions } from '../state-questions.tsx'
import styles from './bulk-bar.module.css'
import { BulkOutcome, movedIn } from './bulk-outcome.tsx'
import { type Plan, planOwner, planState } from './bulk-plan.ts'
import { backwards, changeEach, type Run, type Step } from './change-each.ts'
import type { useSelection } from './use-selection.ts'

const words = records.bulk

interface Told {
  run: Run
  left: readonly string[]
  isUndo: boolean
}

/** Of more, one call plans them all, and a job changes them. */
const EACH_AT_MOST = 100

/**
 * What can be done with the rows that are selected. Of a few there is a call for each, what became of it, and the way
 * back; of many there is one plan, and a job.
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
  const { capabilities } = useSignedIn()
  const { selected, reading } = selection
  const [told, setTold] = useState<Told | null>(null)
  const [isChoosing, setIsChoosing] = useState(false)
  const [asking, setAsking] = useState<(Plan & { field: string; state: string }) | null>(null)
  const [isMerging, setIsMerging] = useState(false)
  const merges = useMerges(kind, selected.length === 2)
  const running = useRef<AbortController>(null)
  const [many, setMany] = useState<{ ids: string[]; change: Values } | null>(null)

  const start = async (steps: readonly Step[], left: readonly string[], isUndo = false) => {
    const change = isUndo || steps.length <= EACH_AT_MOST ? null : changeOfAll(steps)
    if (change) return setMany({ ids: steps.map(({ before }) => before.id), change })
    running.current = new AbortController()
    const tell = (run: Run) => setTold({ run, left, isUndo })
    const { done } = await changeEach(kind, steps, tell, running.current.signal)
    selection.refresh(done.map(({ after }) => after))
    void countAgain(kind)
  }
  const carryOut = ({ able, change, left }: Plan) =>
    void start(
      able.map((before) => ({ before, change })),
      left,
    )
  const setState = (machine: StateMachine, state: string) => {
    const plan = planState(machine, selected, state, capabilities)
    const isAsked = plan.isPartial || plan.able.some((one) => wantedBefore(kind, one, plan.change))
    if (isAsked) setAsking({ ...plan, field: machine.field, state })
    else carryOut(plan)
  }

  const owner = ownerOf(kind)
  const isRunning = told !== null && !told.run.isOver
  if (selected.length === 0 && !told && !reading) return null
  const tried = told ? told.run.done.length + told.run.faults.length : 0
  return (
    <Paper withBorder shadow="md" className={styles.bar} role="region" aria-label={words.label}>
      {told?.run.isOver && (
        <BulkOutcome
          {...told}
          undo={() =>
            void start(
              movedIn(told.run).map((one) => backwards(kind, one)),
              [],
              true,
            )
          }
          close={() => setTold(null)}
        />
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
        {isRunning ? (
          <Progress
            done={tried}
            all={told.run.all}
            text={words.running(tried, told.run.all)}
            stop={() => running.current?.abort()}
          />
        ) : reading && 'read' in reading ? (
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
                  capabilities={capabilities}
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
                    choose={(principal) => carryOut(planOwner(kind, selected, principal))}
                    close={() => setIsChoosing(false)}
                  >
                    <Button {...action}>{words.owner}</Button>
                  </Picker>
                ) : (
                  <Button {...action} onClick={() => setIsChoosing(true)}>
                    {words.owner}
                  </Button>
                ))}
            </>
          )
        )}
        {selected.length > 0 && !isRunning && (
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
      {many && (
        <Suspense>
          <BulkChangeDialog kind={kind} {...many} close={() => setMany(null)} />
        </Suspense>
      )}
      {asking && (
        <StateQuestions
          kind={kind}
          targets={asking.able}
          left={asking.left}
          field={asking.field}
          state={asking.state}
          send={async (changeOf) => {
            const steps = asking.able.map((before) => ({ before, change: changeOf(before) }))
            void start(steps, asking.left)
          }}
          close={() => setAsking(null)}
        />
      )}
    </Paper>
  )
}

const BulkChangeDialog = lazy(() =>
  fetchCode(() => import('../bulk-change/dialog.tsx')).then((code) => ({ default: code.BulkChangeDialog })),
)

/** The one change of many, where it is one. */
function changeOfAll(steps: readonly Step[]): Values | null {
  const changes = new Set(steps.map(({ change }) => JSON.stringify(change)))
  return changes.size === 1 ? steps[0]!.change : null
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
  capabilities,
  choose,
}: {
  kind: DescribedKind
  machine: StateMachine
  selected: readonly AnyRecord[]
  capabilities: readonly string[]
  choose: (state: string) => void
}) {
  const counts = new Map<string, number>()
  for (const state of selected.flatMap((record) => nextStates(machine, record, capabilities)))
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
            <StateMark kind={kind} field={machine.field} state={state} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
