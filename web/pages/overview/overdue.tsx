import { Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import type { Kind } from '../../../kinds/kind.ts'
import { fieldsOf } from '../../client/fields.ts'
import { listAddress } from '../../client/list-address.ts'
import { recordQuery } from '../../client/records.ts'
import { AppLink } from '../../parts/app-link.tsx'
import { Card } from '../../parts/card.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { type RecordRow, RecordRows } from '../../parts/record-rows.tsx'
import { RecordValue } from '../../parts/record-value.tsx'
import { countWord } from '../../words/counts.ts'
import { overview } from '../../words/overview.ts'
import { registerWords } from '../../words/records.ts'
import styles from './overdue.module.css'

const words = overview.overdue
const SHOWN = 5
const OVERDUE = { due: ['overdue'], sort: 'dueDate' } as const

/** What is late, whoever owns it: how many, and what has waited longest. */
export function Overdue({ kinds }: { kinds: readonly Kind[] }) {
  const due = kinds.filter(({ fields }) => 'dueDate' in fields)
  const late = useQueries({
    queries: due.flatMap((kind) => [
      recordQuery(kind, 'summarize', { due: OVERDUE.due, counted: ['total'] }),
      recordQuery(kind, 'list', { ...OVERDUE, limit: SHOWN }),
    ]),
    combine: (all) => ({
      data: all.every(({ data }) => data)
        ? due.map((kind, at) => ({
            kind,
            total: (all[2 * at]!.data as { total: number }).total,
            rows: (all[2 * at + 1]!.data as { data: RecordRow['record'][] }).data,
          }))
        : undefined,
      error: all.find(({ error }) => error)?.error ?? null,
      refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
    }),
  })
  return (
    <Card title={words.title} text={words.text}>
      <Loaded query={late} lines={SHOWN}>
        {(data) => {
          const some = data.filter(({ total }) => total > 0)
          if (some.length === 0)
            return (
              <Text size="sm" c="dimmed">
                {words.none}
              </Text>
            )
          const rows = some.flatMap(({ kind, rows }) => rows.map((record) => ({ kind, record })))
          return (
            <div className={styles.parts}>
              <div className={styles.figures}>
                {some.map(({ kind, total }) => (
                  <AppLink key={kind.name} href={listAddress(kind, OVERDUE)} className={styles.figure}>
                    <b>{countWord(total)}</b>{' '}
                    {words.figure(registerWords(kind)[total === 1 ? 'one' : 'many'])}
                  </AppLink>
                ))}
              </div>
              <RecordRows label={words.longest} rows={rows.sort(longestFirst).slice(0, SHOWN)} aside={Due} />
            </div>
          )
        }}
      </Loaded>
    </Card>
  )
}

const longestFirst = (one: RecordRow, other: RecordRow): number =>
  Date.parse(String(one.record.dueDate)) - Date.parse(String(other.record.dueDate))

const Due = ({ kind, record }: RecordRow) => {
  const fields = fieldsOf(kind)
  return (
    <>
      {'owner' in kind.fields && record.owner ? (
        <RecordValue kind={kind} field={fields.get('owner')!} record={record} />
      ) : null}
      <RecordValue kind={kind} field={fields.get('dueDate')!} record={record} />
    </>
  )
}
