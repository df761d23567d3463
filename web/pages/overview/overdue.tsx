import { useQueries } from '@tanstack/react-query'
import type { KindEntry } from '../../../model/described-kind.ts'
import { deadlineOf, ownerOf } from '../../../model/roles.ts'
import { fieldsOf } from '../../client/fields.ts'
import { listAddress } from '../../client/list-address.ts'
import { recordQuery } from '../../client/records.ts'
import { describeAhead, useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { byDeadline, type RecordRow, RecordRows } from '../../components/record-rows.tsx'
import { RecordValue } from '../../components/record-value.tsx'
import { countWord } from '../../copy/counts.ts'
import { overview } from '../../copy/overview.ts'
import { registerWords } from '../../copy/records.ts'
import styles from './overdue.module.css'

const words = overview.overdue
const SHOWN = 5
const overdueOf = (kind: KindEntry) => ({ due: ['overdue'], sort: deadlineOf(kind)! })

interface Late {
  readonly kind: KindEntry
  readonly count: number
}

/** What is late, whoever owns it: how many, and what has waited longest. Some of it is. */
export function Overdue({ late }: { late: readonly Late[] }) {
  return (
    <Card title={words.title} text={words.text}>
      <Some late={late} />
    </Card>
  )
}

function Some({ late }: { late: readonly Late[] }) {
  describeAhead(...late.map(({ kind }) => kind))
  const longest = useQueries({
    queries: late.map(({ kind }) => recordQuery(kind, 'list', { ...overdueOf(kind), limit: SHOWN })),
    combine: (all) => ({
      data: all.every(({ data }) => data)
        ? late.flatMap(({ kind }, at) => all[at]!.data!.data.map((record): RecordRow => ({ kind, record })))
        : undefined,
      error: all.find(({ error }) => error)?.error ?? null,
      refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
    }),
  })
  const all = late.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className={styles.parts}>
      <div className={styles.figures}>
        {late.map(({ kind, count }) => (
          <AppLink key={kind.name} href={listAddress(kind, overdueOf(kind))} className={styles.figure}>
            <b>{countWord(count)}</b> {words.figure(registerWords(kind)[count === 1 ? 'one' : 'many'])}
          </AppLink>
        ))}
      </div>
      <Loaded query={longest} lines={Math.min(all, SHOWN)}>
        {(rows) => (
          <RecordRows label={words.longest} rows={rows.toSorted(byDeadline).slice(0, SHOWN)} aside={Due} />
        )}
      </Loaded>
    </div>
  )
}

const Due = ({ kind: entry, record }: RecordRow) => {
  const kind = useKind(entry)
  const fields = fieldsOf(kind)
  const owner = ownerOf(kind)
  return (
    <>
      {owner && record[owner] ? <RecordValue kind={kind} field={fields.get(owner)!} record={record} /> : null}
      <RecordValue kind={kind} field={fields.get(deadlineOf(kind)!)!} record={record} />
    </>
  )
}
