import { useQueries } from '@tanstack/react-query'
import { kindIndex } from '../../client/kinds.ts'
import { type Filters, listAddress } from '../../client/list-address.ts'
import { recordQuery } from '../../client/records.ts'
import { CountBars } from '../../components/count-bars.tsx'
import { Section } from '../../components/section.tsx'
import { evidenceHub } from '../../copy/evidence-hub.ts'
import { inDays } from './days.ts'
import styles from './hub.module.css'
import { inputOf } from './rows.tsx'

const words = evidenceHub.byAge
const evidence = kindIndex.evidence

/** Ages from the youngest, each up to so many days; the last has no end. */
const AGES = [
  { name: 'quarter', days: 90 },
  { name: 'half', days: 182 },
  { name: 'year', days: 365 },
  { name: 'older', days: null },
] as const

/** Approved evidence, by how long ago its reviewer found it right. */
export function ByAge() {
  const ages = AGES.map(({ name, days }, at) => ({
    name,
    filters: reviewed(AGES[at - 1]?.days ?? null, days),
  }))
  const counts = useQueries({
    queries: ages.map(({ filters }) =>
      recordQuery(evidence, 'summarize', { ...inputOf(filters), counted: ['total'] }),
    ),
  })
  return (
    <Section title={words.title} text={words.text}>
      <div className={styles.ages}>
        <CountBars
          label={words.title}
          bars={ages.map(({ name, filters }, at) => ({
            key: name,
            label: words.ages[name],
            count: counts[at]!.data?.total ?? 0,
            href: listAddress(evidence, filters),
          }))}
        />
      </div>
    </Section>
  )
}

/** Longer ago than so many days, and not as long ago as so many. */
const reviewed = (after: number | null, before: number | null): Filters => ({
  status: ['approved'],
  ...(before === null ? {} : { 'reviewedAt.from': inDays(1 - before) }),
  ...(after === null ? {} : { 'reviewedAt.to': inDays(-after) }),
})
