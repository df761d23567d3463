import { Alert, Button, CloseButton, Group, Menu, Paper, Stack, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { type Kind, principalFields, type Values } from '../../../kinds/kind.ts'
import { Problem } from '../../client/problem.ts'
import { type AnyRecord, changeRecord, countAgain } from '../../client/records.ts'
import { nextStates, wantedBefore } from '../../client/states.ts'
import { buttons } from '../../words/buttons.ts'
import { countWord } from '../../words/counts.ts'
import { records } from '../../words/records.ts'
import { Picker, principals } from '../picker.tsx'
import { StateMark } from '../state-mark.tsx'
import { StateQuestions } from '../state-questions.tsx'
import styles from './bulk-bar.module.css'

const AT_ONCE = 4
const FAULTS_SHOWN = 5
const words = records.bulk

interface Run {
  all: number
  changed: number
  faults: { reference: string; message: string }[]
  isOver: boolean
}

/** What can be done with the rows that are selected: a call for each of them, and what became of it. */
export function BulkBar({
  kind,
  selected,
  clear,
}: {
  kind: Kind
  selected: readonly AnyRecord[]
  clear: () => void
}) {
  const [run, setRun] = useState<Run | null>(null)
  const [isChoosing, setIsChoosing] = useState(false)
  const [asking, setAsking] = useState<{ targets: AnyRecord[]; state: string } | null>(null)
  const stopped = useRef(false)

  const changeEach = async (targets: readonly AnyRecord[], change: Values) => {
    stopped.current = false
    const left = [...targets]
    const now: Run = { all: left.length, changed: 0, faults: [], isOver: false }
    setRun({ ...now })
    const worker = async () => {
      for (let record = left.shift(); record && !stopped.current; record = left.shift()) {
        await changeRecord(kind, record, change).then(
          () => now.changed++,
          (error) => now.faults.push({ reference: record!.reference, message: messageOf(error) }),
        )
        setRun({ ...now })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    setRun({ ...now, isOver: true })
    void countAgain(kind)
  }

  const setState = (state: string) => {
    const targets = selected.filter((record) => nextStates(kind, record).includes(state))
    const change = { [kind.states!.field]: state }
    if (targets.some((record) => wantedBefore(kind, record, change))) setAsking({ targets, state })
    else void changeEach(targets, change)
  }

  const owner = principalFields(kind)[0]
  return (
    <Paper withBorder shadow="md" className={styles.bar} role="region" aria-label={words.label}>
      {run && <Outcome run={run} close={() => setRun(null)} />}
      <Group gap="xs">
        <Text size="sm" fw={500} mr="xs">
          {words.selected(selected.length)}
        </Text>
        {run && !run.isOver ? (
          <>
            <progress aria-label={words.label} value={run.changed + run.faults.length} max={run.all} />
            <Text size="sm" c="dimmed">
              {words.running(run.changed + run.faults.length, run.all)}
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                stopped.current = true
              }}
            >
              {words.stop}
            </Button>
          </>
        ) : (
          <>
            {kind.states && <States kind={kind} selected={selected} choose={setState} />}
            {owner &&
              (isChoosing ? (
                <Picker
                  source={principals}
                  nothing={records.owner.nobody}
                  placeholder={records.owner.search}
                  choose={(principal) => void changeEach(selected, { [owner]: principal })}
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
        )}
        <CloseButton ml="auto" size="sm" aria-label={words.clear} onClick={clear} />
      </Group>
      {asking && (
        <StateQuestions
          kind={kind}
          {...asking}
          send={async (change) => void changeEach(asking.targets, change)}
          close={() => setAsking(null)}
        />
      )}
    </Paper>
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
  selected,
  choose,
}: {
  kind: Kind
  selected: readonly AnyRecord[]
  choose: (state: string) => void
}) {
  const counts = new Map<string, number>()
  for (const state of selected.flatMap((record) => nextStates(kind, record)))
    counts.set(state, (counts.get(state) ?? 0) + 1)
  return (
    <Menu position="top-start" shadow="sm">
      <Menu.Target>
        <Button {...action}>{words.status}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {counts.size === 0 && <Menu.Label>{words.noState}</Menu.Label>}
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
            <StateMark kind={kind} state={state} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Outcome({ run: { changed, faults, isOver }, close }: { run: Run; close: () => void }) {
  if (!isOver) return null
  return (
    <Alert
      color={faults.length > 0 ? 'red' : 'indigo'}
      role={faults.length > 0 ? 'alert' : 'status'}
      title={[words.done(changed), ...(faults.length > 0 ? [words.faults(faults.length)] : [])].join(' · ')}
      withCloseButton
      closeButtonLabel={buttons.close}
      onClose={close}
      mb="xs"
    >
      {faults.length > 0 && (
        <Stack gap={2}>
          {faults.slice(0, FAULTS_SHOWN).map(({ reference, message }) => (
            <Text key={reference} size="sm">
              <b>{reference}</b>: {message}
            </Text>
          ))}
          {faults.length > FAULTS_SHOWN && <Text size="sm">…</Text>}
        </Stack>
      )}
    </Alert>
  )
}

const messageOf = (error: unknown): string => (error instanceof Problem ? error.message : String(error))
