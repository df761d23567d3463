import { Text } from '@mantine/core'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { fieldsOf } from '../../client/fields.ts'
import { today } from '../../client/formats.ts'
import { kindIndex } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import type { AnyRecord } from '../../client/records.ts'
import { AppLink } from '../../components/app-link.tsx'
import { writtenDay } from '../../components/day.tsx'
import { ShareBar } from '../../components/share-bar.tsx'
import { plans as words } from '../../copy/plans.ts'
import { valueWord } from '../../copy/records.ts'
import { percentWord } from '../../copy/shares.ts'
import { FactBody } from '../record/fact.tsx'
import type { Edits } from '../record/use-record-edits.ts'
import { NO_TASKS, type Phase, phasesOf, stateOf, sumOf, type Tasks, totalOf } from './phase-progress.ts'
import styles from './phases.module.css'

/** How far a plan is, as a whole and in each of its phases, by their tasks. */
export function PlanPhases({
  kind,
  edits,
  editable,
}: {
  kind: DescribedKind
  edits: Edits
  editable: boolean
}) {
  const record = edits.shown
  const { phases, byPhase, outside } = phasesOf(record)
  const all = sumOf([...byPhase.values(), outside])
  const progress = record.progress as number | null
  return (
    <section aria-label={words.title}>
      <h2>{words.title}</h2>
      {progress !== null && (
        <div className={styles.whole}>
          <b>{percentWord(progress)}</b>
          <Bar tasks={all} />
          <Text span size="xs" c="dimmed">
            {words.progress(all.done, totalOf(all))}
          </Text>
        </div>
      )}
      <FactBody kind={kind} field={fieldsOf(kind).get('phases')!} edits={edits} editable={editable}>
        <ul className={styles.phases} aria-label={words.title}>
          {phases.map((phase) => (
            <Row key={phase.key} plan={record} phase={phase} tasks={byPhase.get(phase.key) ?? NO_TASKS} />
          ))}
          {totalOf(outside) > 0 && <Row plan={record} phase={null} tasks={outside} />}
        </ul>
      </FactBody>
    </section>
  )
}

function Row({ plan, phase, tasks }: { plan: AnyRecord; phase: Phase | null; tasks: Tasks }) {
  const state = phase && stateOf(phase, tasks, today())
  const isOver = phase?.endDate && phase.endDate < today() && state !== 'done'
  const filters = { planId: plan.id, ...(phase && { phaseKey: phase.key }), sort: 'dueDate' }
  return (
    <li className={styles.phase}>
      <AppLink href={listAddress(kindIndex.task, filters)} className={styles.title}>
        <bdi>{phase?.title ?? words.withoutPhase}</bdi>
      </AppLink>
      <span className={styles.when} data-late={isOver || undefined}>
        {phase && whenOf(phase)}
      </span>
      <span className={styles.share}>
        {totalOf(tasks) === 0 ? (
          words.noTasks
        ) : (
          <>
            <Bar tasks={tasks} />
            {words.ofPhase(tasks.done, totalOf(tasks))}
          </>
        )}
      </span>
      <span className={styles.state}>
        {state && valueWord(state)}
        {tasks.late > 0 && <span className={styles.late}>{words.late(tasks.late)}</span>}
      </span>
    </li>
  )
}

const Bar = ({ tasks }: { tasks: Tasks }) => (
  <ShareBar
    shares={[
      { name: 'done', title: words.shares.done, colour: 'teal', count: tasks.done },
      { name: 'begun', title: words.shares.begun, colour: 'yellow', count: tasks.begun },
      { name: 'open', title: words.shares.open, colour: 'grey', count: tasks.open },
    ]}
  />
)

function whenOf({ startDate, endDate }: Phase): string {
  if (startDate && endDate) return words.between(writtenDay(startDate), writtenDay(endDate))
  if (startDate) return words.from(writtenDay(startDate))
  return endDate ? words.until(writtenDay(endDate)) : ''
}
