import { Text } from '@mantine/core'
import { LEVELS } from '../../../model/scales.ts'
import type { Output } from '../../client/calls.ts'
import { writtenTime } from '../../client/formats.ts'
import { kindIndex } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import { levelColour, levelWord } from '../../client/risk-matrix.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { countWord } from '../../copy/counts.ts'
import { overview } from '../../copy/overview.ts'
import styles from './risk-trend.module.css'

const risk = kindIndex.risk
const words = overview.trend
const NONE = 'none'
const STACK = [...LEVELS, NONE]
const WAYS = { opened: 'createdAt', closed: 'closedAt' } as const

type Way = keyof typeof WAYS
type Month = Output<'getRiskTrend'>['months'][number]

const SHORT = { month: 'short' } as const
const LONG = { month: 'long', year: 'numeric' } as const

/** A year of risks opened and closed, by month and level: as bars, and as a table with the same links. */
export function RiskTrend() {
  const trend = useAnswer('getRiskTrend', {})
  return (
    <Card title={words.title} text={words.text}>
      <Loaded query={trend} lines={5}>
        {({ months }) => {
          const [opened, closed] = (['opened', 'closed'] as const).map((way) =>
            months.reduce((sum, month) => sum + totalOf(month[way]), 0),
          ) as [number, number]
          return (
            <>
              <Text size="sm">{words.sum(opened, closed)}</Text>
              {opened + closed > 0 && (
                <>
                  <Bars months={months} />
                  <Table months={months} />
                </>
              )}
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

/** For who points at it: everything in it is in the table beneath as well. */
function Bars({ months }: { months: readonly Month[] }) {
  const most = Math.max(1, ...months.flatMap(({ opened, closed }) => [totalOf(opened), totalOf(closed)]))
  return (
    <div aria-hidden="true" className={styles.chart}>
      <span className={styles.most}>{countWord(most)}</span>
      <div className={styles.months}>
        {months.map((month) => (
          <div key={month.from} className={styles.month}>
            <div className={styles.pair}>
              {(['opened', 'closed'] as const).map((way) => (
                <div key={way} className={styles.stack} data-way={way}>
                  {STACK.map((level) => {
                    const count = countOf(month[way], level)
                    return (
                      count > 0 && (
                        <AppLink
                          key={level}
                          tabIndex={-1}
                          href={addressOf(month, way, level)}
                          title={words.cell[way](
                            count,
                            wordOf(level),
                            writtenTime(new Date(month.from), LONG),
                          )}
                          data-level={level}
                          data-colour={levelColour(level)}
                          style={{ height: `${(count / most) * 100}%` }}
                        />
                      )
                    )
                  })}
                </div>
              ))}
            </div>
            <span className={styles.name}>{writtenTime(new Date(month.from), SHORT)}</span>
          </div>
        ))}
      </div>
      <div className={styles.legend}>
        <span data-way="opened">{words.opened}</span>
        <span data-way="closed">{words.closed}</span>
        {STACK.map((level) => (
          <span key={level} data-level={level} data-colour={levelColour(level)}>
            {wordOf(level)}
          </span>
        ))}
      </div>
    </div>
  )
}

function Table({ months }: { months: readonly Month[] }) {
  return (
    <details className={styles.details}>
      <summary>{words.table}</summary>
      <div className={styles.around}>
        <table className={styles.table} aria-label={words.title}>
          <thead>
            <tr>
              <th scope="col">{words.month}</th>
              {(['opened', 'closed'] as const).flatMap((way) =>
                STACK.map((level) => (
                  <th key={`${way} ${level}`} scope="col">
                    {words[way]}, {wordOf(level).toLowerCase()}
                  </th>
                )),
              )}
            </tr>
          </thead>
          <tbody>
            {months.toReversed().map((month) => (
              <tr key={month.from}>
                <th scope="row">{writtenTime(new Date(month.from), LONG)}</th>
                {(['opened', 'closed'] as const).flatMap((way) =>
                  STACK.map((level) => {
                    const count = countOf(month[way], level)
                    return (
                      <td key={`${way} ${level}`}>
                        {count === 0 ? (
                          '–'
                        ) : (
                          <AppLink href={addressOf(month, way, level)}>{countWord(count)}</AppLink>
                        )}
                      </td>
                    )
                  }),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

const addressOf = ({ from, to }: Month, way: Way, level: string): string =>
  listAddress(risk, { [`${WAYS[way]}.from`]: from, [`${WAYS[way]}.to`]: to, riskLevel: level })

const wordOf = (level: string): string => (level === NONE ? words.none : levelWord(level))

const countOf = (counts: Month['opened'], level: string): number =>
  counts.find((one) => (one.level ?? NONE) === level)?.count ?? 0

const totalOf = (counts: Month['opened']): number => counts.reduce((sum, { count }) => sum + count, 0)
