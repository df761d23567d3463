import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call, type Output } from '../../client/calls.ts'
import type { Field } from '../../client/fields.ts'
import { today } from '../../client/formats.ts'
import type { AnyRecord } from '../../client/records.ts'
import { writtenDay } from '../../components/day.tsx'
import { percentOf, sharesOf } from '../../components/share-bar.tsx'
import { countWord } from '../../copy/counts.ts'
import { frameworks } from '../../copy/frameworks.ts'
import { percentWord } from '../../copy/shares.ts'
import styles from './over-time.module.css'

const words = frameworks.overTime

type Day = Output<'listFrameworkCoverage'>['data'][number]

/** How far a framework was each day, and is now: as a chart, and as a table. Of one day there is nothing to draw. */
export function CoverageOverTime({ field, framework }: { field: Field; framework: AnyRecord }) {
  const { data } = useQuery({
    queryKey: ['listFrameworkCoverage', { id: framework.id }],
    queryFn: () => call('listFrameworkCoverage', { id: framework.id }),
  })
  const now = { ...(framework[field.name] as Omit<Day, 'day'>), day: today() }
  const days = [...(data?.data ?? []).filter(({ day }) => day < now.day), now]
  if (days.length < 2) return null
  return (
    <section aria-label={words.title} className={styles.around}>
      <Text component="h2" size="sm" fw={600} m={0}>
        {words.title}
      </Text>
      <Text size="xs" c="dimmed">
        {words.text(writtenDay(days[0]!.day), percentWord(percentOf(sharesOf(field, days[0]!)) ?? 0))}
      </Text>
      <Chart field={field} days={days} />
      <Table field={field} days={days} />
    </section>
  )
}

const [WIDE, HIGH] = [1_000, 100]

/** Everything in it is in the table beneath as well. A day that was not written stands as the one before it. */
function Chart({ field, days }: { field: Field; days: readonly Day[] }) {
  const from = Date.parse(days[0]!.day)
  const span = Date.parse(days.at(-1)!.day) - from
  const x = ({ day }: Day) => ((Date.parse(day) - from) / span) * WIDE
  const stacks = days.map((day) => {
    const shares = sharesOf(field, day)
    const all = Math.max(
      1,
      shares.reduce((sum, { count }) => sum + count, 0),
    )
    let below = 0
    return shares.map((share) => {
      const bottom = below
      below += share.count / all
      return { ...share, bottom, top: below }
    })
  })
  return (
    <svg
      viewBox={`0 0 ${WIDE} ${HIGH}`}
      preserveAspectRatio="none"
      className={styles.chart}
      aria-hidden="true"
    >
      {stacks[0]!.map(({ name, colour }, index) => {
        const edge = (side: 'top' | 'bottom') =>
          days.map(
            (day, at) => `${x(day).toFixed(1)},${(HIGH - stacks[at]![index]![side] * HIGH).toFixed(2)}`,
          )
        return (
          <polygon
            key={name}
            data-colour={colour}
            points={[...edge('top'), ...edge('bottom').toReversed()].join(' ')}
          />
        )
      })}
    </svg>
  )
}

function Table({ field, days }: { field: Field; days: readonly Day[] }) {
  const shares = sharesOf(field, days[0]!)
  return (
    <details className={styles.details}>
      <summary>{words.table}</summary>
      <div className={styles.scrolled}>
        <table aria-label={words.title}>
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              <th scope="col">{words.percent}</th>
              {shares.map(({ name, title }) => (
                <th key={name} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.day}>
                <th scope="row">{writtenDay(day.day)}</th>
                <td>{percentWord(percentOf(sharesOf(field, day)) ?? 0)}</td>
                {sharesOf(field, day).map(({ name, count }) => (
                  <td key={name}>{countWord(count)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
