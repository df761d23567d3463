import { Text } from '@mantine/core'
import { LEVELS } from '../../../model/scales.ts'
import { kindIndex } from '../../client/kinds.ts'
import { listAddress, open } from '../../client/list-address.ts'
import { type RecordSummary, useRecordAnswer } from '../../client/records.ts'
import { levelColour, levelWord } from '../../client/risk-matrix.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { countWord } from '../../copy/counts.ts'
import { overview } from '../../copy/overview.ts'
import { valueWord } from '../../copy/records.ts'
import styles from './category-levels.module.css'

const risk = kindIndex.risk
const words = overview.categories
const NONE = 'none'
const COLUMNS = [...[...LEVELS].reverse(), NONE]

/** Open risks by what they are about and how grave they are. */
export function CategoryLevels() {
  const summary = useRecordAnswer(risk, 'summarize', { ...open(risk), counted: ['categoryByLevel'] })
  return (
    <Card title={words.title} text={words.text}>
      <Loaded query={summary} lines={8}>
        {(data) => {
          const rows = rowsOf(data)
          if (rows.length === 0)
            return (
              <Text size="sm" c="dimmed">
                {words.empty}
              </Text>
            )
          return (
            <div className={styles.around}>
              <table className={styles.table} aria-label={words.title}>
                <thead>
                  <tr>
                    <th scope="col">{words.category}</th>
                    {COLUMNS.map((level) => (
                      <th key={level} scope="col">
                        {level === NONE ? words.none : levelWord(level)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map(({ category, counts }) => (
                    <tr key={category}>
                      <th scope="row">{valueWord(category)}</th>
                      {COLUMNS.map((level) => (
                        <Cell key={level} category={category} level={level} count={counts.get(level) ?? 0} />
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }}
      </Loaded>
    </Card>
  )
}

function Cell({ category, level, count }: { category: string; level: string; count: number }) {
  if (count === 0) return <td>–</td>
  const filters = { ...open(risk), category, riskLevel: level }
  return (
    <td data-level={level} data-colour={levelColour(level)}>
      <AppLink
        href={listAddress(risk, filters)}
        aria-label={words.cell(count, valueWord(category), level === NONE ? words.none : levelWord(level))}
      >
        {countWord(count)}
      </AppLink>
    </td>
  )
}

/** The gravest first: by how many are critical, then high, and so on. */
function rowsOf({ crossed }: RecordSummary): { category: string; counts: Map<string, number> }[] {
  const cells = Map.groupBy(crossed?.categoryByLevel ?? [], ({ down }) => String(down))
  return [...cells]
    .map(([category, all]) => ({
      category,
      counts: new Map(all.map(({ across, count }) => [across ?? NONE, count])),
    }))
    .sort((one, other) => {
      const level = COLUMNS.find((level) => one.counts.get(level) !== other.counts.get(level))
      return level ? (other.counts.get(level) ?? 0) - (one.counts.get(level) ?? 0) : 0
    })
}
