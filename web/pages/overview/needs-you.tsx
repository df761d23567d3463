import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { KindEntry } from '../../../model/described-kind.ts'
import { deadlineOf, ownerOf, principalId, stateField } from '../../../model/roles.ts'
import { fieldsOf } from '../../client/fields.ts'
import { everyKind } from '../../client/kinds.ts'
import { type Filters, listAddress } from '../../client/list-address.ts'
import { recordCall } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { describeAhead, useKind } from '../../client/use-kind.ts'
import { idsOf, type Waiting, waitingFor } from '../../client/waiting.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { byDeadline, type RecordRow, RecordRows } from '../../components/record-rows.tsx'
import { RecordValue } from '../../components/record-value.tsx'
import { countWord } from '../../copy/counts.ts'
import { overview } from '../../copy/overview.ts'
import { registerWords } from '../../copy/records.ts'
import styles from './figures.module.css'

const words = overview.mine
const SHOWN = 7
const DUE = ['overdue', 'soon'] as const

/** The kinds whose records are somebody's, and due some day. */
const dueKinds = everyKind.filter((kind) => ownerOf(kind) && deadlineOf(kind))

/** Each way in which records wait for somebody. */
const waits = everyKind.flatMap((kind) => (kind.waits ?? []).map((waiting) => ({ kind, waiting })))

/** What waits for the person or is theirs and falls due, as a user and as who they are in the directory. */
export function NeedsYou() {
  const { person } = useSignedIn()
  const due = useQuery({ queryKey: ['needs-you', person.id], queryFn: () => readDue(person.id) })
  return (
    <Card title={words.title} text={words.text}>
      <Loaded query={due} lines={4}>
        {({ summaries, waiting, rows }) => (
          <>
            <Figures summaries={summaries} waiting={waiting} />
            {rows.length > 0 ? (
              <RecordRows label={words.title} rows={rows.slice(0, SHOWN)} aside={Standing} />
            ) : (
              <Text size="sm" c="dimmed">
                {words.none}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

type Due = Awaited<ReturnType<typeof readDue>>

async function readDue(userId: string) {
  const ids = await idsOf(userId)
  const read = async (kind: KindEntry) => {
    const filters: Filters = { [principalId(ownerOf(kind)!)]: ids }
    const [summary, { data }] = await Promise.all([
      recordCall(kind, 'summarize', { ...filters, counted: ['due'] }),
      recordCall(kind, 'list', { ...filters, due: DUE, sort: deadlineOf(kind), limit: SHOWN }),
    ])
    return { kind, filters, due: summary.due!, rows: data.map((record): RecordRow => ({ kind, record })) }
  }
  const readWaiting = async ({ kind, waiting }: { kind: KindEntry; waiting: Waiting }) => {
    const filters = waitingFor(waiting, ids)
    const [{ total }, { data }] = await Promise.all([
      recordCall(kind, 'summarize', { ...filters, counted: ['total'] }),
      recordCall(kind, 'list', { ...filters, sort: deadlineOf(kind), limit: SHOWN }),
    ])
    return {
      kind,
      act: waiting.act,
      filters,
      count: total,
      rows: data.map((record): RecordRow => ({ kind, record })),
    }
  }
  const [summaries, waiting] = await Promise.all([
    Promise.all(dueKinds.map(read)),
    Promise.all(waits.map(readWaiting)),
  ])
  const first = waiting.flatMap(({ rows }) => rows)
  const isFirst = ({ record }: RecordRow) => first.some((one) => one.record.id === record.id)
  const due = summaries.flatMap(({ rows }) => rows).filter((row) => !isFirst(row))
  const rows = [...first, ...due.sort(byDeadline)]
  describeAhead(...rows.slice(0, SHOWN).map(({ kind }) => kind))
  return { summaries, waiting, rows }
}

/** A number for each kind that has something: how many wait, how many are late, and how many are near. */
function Figures({ summaries, waiting }: Pick<Due, 'summaries' | 'waiting'>) {
  const figures = DUE.flatMap((due) =>
    summaries
      .filter((one) => one.due[due] > 0)
      .map(({ kind, filters, due: counts }) => ({ due, kind, filters, count: counts[due] })),
  )
  const asked = waiting.filter(({ count }) => count > 0)
  if (figures.length + asked.length === 0) return null
  return (
    <Group gap="xs">
      {asked.map(({ kind, act, filters, count }) => {
        const { one, many } = registerWords(kind)
        return (
          <AppLink key={`${act} ${kind.name}`} href={listAddress(kind, filters)} className={styles.figure}>
            <b>{countWord(count)}</b> {words.figure[act](count === 1 ? one : many)}
          </AppLink>
        )
      })}
      {figures.map(({ due, kind, filters, count }) => {
        const { one, many } = registerWords(kind)
        return (
          <AppLink
            key={`${due} ${kind.name}`}
            href={listAddress(kind, { ...filters, due, sort: deadlineOf(kind)! })}
            className={styles.figure}
            data-due={due}
          >
            <b>{countWord(count)}</b> {words.figure[due](count === 1 ? one : many)}
          </AppLink>
        )
      })}
    </Group>
  )
}

function Standing({ kind: entry, record }: RecordRow) {
  const kind = useKind(entry)
  const fields = fieldsOf(kind)
  const state = stateField(kind)
  return (
    <>
      {state && <RecordValue kind={kind} field={fields.get(state)!} record={record} />}
      <RecordValue kind={kind} field={fields.get(deadlineOf(kind)!)!} record={record} />
    </>
  )
}
