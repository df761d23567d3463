import { SegmentedControl, Stack } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { kindIndex } from '../../client/kinds.ts'
import type { Filters } from '../../client/list-address.ts'
import { recordQuery } from '../../client/records.ts'
import { useKind } from '../../client/use-kind.ts'
import { Section } from '../../components/section.tsx'
import { countWord } from '../../copy/counts.ts'
import { evidenceHub } from '../../copy/evidence-hub.ts'
import { inDays, SOON_DAYS } from './days.ts'
import styles from './hub.module.css'
import { AsList, FirstRows, inputOf, type ShownFields } from './rows.tsx'

const words = evidenceHub.byControl
const { columns } = evidenceHub

const STATUS = { [columns.status]: 'implementationStatus' }
const OWNER = { [columns.owner]: 'owner' }
const UNTIL = { [columns.until]: { field: 'provenUntil', unset: columns.forGood } }

interface Group {
  readonly filters: Filters
  readonly shown: ShownFields
}

type GroupName = keyof typeof words.groups

/** Controls by what evidence they have: which have none, which are unproven and why, and until when the others are not. */
export function ByControl() {
  const kind = useKind(kindIndex.control)
  const [chosen, setChosen] = useState<GroupName>('unproven')
  const groups: Readonly<Record<GroupName, Group>> = {
    without: {
      filters: {
        evidenceId: ['none'],
        implementationStatus: kind.open!.values.concat('implemented'),
      },
      shown: { ...STATUS, ...OWNER },
    },
    unproven: { filters: { unproven: true }, shown: { [columns.why]: 'unprovenReason', ...OWNER } },
    ending: { filters: { 'provenUntil.to': inDays(SOON_DAYS) }, shown: { ...UNTIL, ...OWNER } },
    proven: {
      filters: { implementationStatus: ['implemented'], unproven: false },
      shown: { ...UNTIL, ...OWNER },
    },
  }
  const names = Object.keys(groups) as GroupName[]
  const counts = useQueries({
    queries: names.map((name) =>
      recordQuery(kind, 'summarize', { ...inputOf(groups[name].filters), counted: ['total'] }),
    ),
  })
  const { filters, shown } = groups[chosen]
  const { title, none } = words.groups[chosen]
  const implemented = ['unproven', 'proven'].map(
    (name) => counts[names.indexOf(name as GroupName)]!.data?.total,
  )
  const isNoneImplemented = chosen === 'unproven' && implemented.every((total) => total === 0)
  return (
    <Section
      title={words.title}
      text={words.text}
      action={<AsList kind={kind} filters={filters} title={title} />}
    >
      <Stack gap="sm">
        <SegmentedControl
          aria-label={words.title}
          size="xs"
          className={styles.groups}
          value={chosen}
          onChange={(name) => setChosen(name as GroupName)}
          data={names.map((name, at) => {
            const total = counts[at]!.data?.total
            const { title } = words.groups[name]
            return { value: name, label: total === undefined ? title : `${title} ${countWord(total)}` }
          })}
        />
        <FirstRows
          kind={kind}
          label={title}
          none={isNoneImplemented ? words.noneImplemented : none}
          filters={filters}
          sort="-updatedAt"
          shown={shown}
        />
      </Stack>
    </Section>
  )
}
