import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { LEVELS } from '../../../model/scales.ts'
import { kindIndex } from '../../client/kinds.ts'
import { listAddress, open } from '../../client/list-address.ts'
import { type RecordSummary, useRecordAnswer } from '../../client/records.ts'
import { levelWord } from '../../client/risk-matrix.ts'
import { Card } from '../../components/card.tsx'
import { type Bar, CountBars } from '../../components/count-bars.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { RiskMatrix, unassessedIn } from '../../components/risk-matrix.tsx'
import { overview } from '../../copy/overview.ts'

const risk = kindIndex.risk
const words = overview.levels

/** Open risks by level, and where they stand in the matrix. */
export function RiskLevels() {
  const summary = useRecordAnswer(risk, 'summarize', { ...open(risk), counted: ['riskLevel', 'current'] })
  const matrix = (
    <Anchor component={Link} to="/risks/matrix" size="sm">
      {words.matrix}
    </Anchor>
  )
  return (
    <Card title={words.title} text={words.text} action={matrix}>
      <Loaded query={summary} lines={9}>
        {(data) => (
          <>
            <CountBars label={words.title} bars={barsOf(data)} />
            <RiskMatrix summary={data} rating="current" small />
          </>
        )}
      </Loaded>
    </Card>
  )
}

function barsOf(summary: RecordSummary): Bar[] {
  const counts = new Map(summary.counts.riskLevel?.map(({ value, count }) => [value, count]))
  return [
    ...[...LEVELS].reverse().map((level) => ({
      key: level,
      label: levelWord(level),
      level,
      count: counts.get(level) ?? 0,
      href: listAddress(risk, { ...open(risk), riskLevel: level }),
    })),
    {
      key: 'none',
      label: words.none,
      level: 'none',
      count: unassessedIn(summary, 'current'),
      href: listAddress(risk, { ...open(risk), riskLevel: 'none' }),
    },
  ]
}
