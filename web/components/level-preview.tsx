import { Text } from '@mantine/core'
import type { Values } from '../../model/complaint.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { ratedAs, ratedNow, type Stage } from '../client/ratings.ts'
import { scaleOf } from '../client/risk-matrix.ts'
import { rating as words } from '../copy/rating.ts'
import { LevelMark } from './level-mark.tsx'

/** The level of a stage as it will be with these values, by the rule of the kind that the service goes by. */
export function LevelPreview({ kind, stage, values }: { kind: DescribedKind; stage: Stage; values: Values }) {
  const rated = ratedAs(stage, { ...values, ...kind.derive(values), ...ratedNow(kind, values) })
  const [across, down] = stage.pair!
  return (
    <Text size="sm" role="status">
      {words.willBe(stage.level.title)}{' '}
      {rated ? (
        <>
          <LevelMark level={rated.level} levels={scaleOf(stage.level)} />
          {rated.score !== null && ` · ${words.score(rated.score)}`}
        </>
      ) : (
        <Text span c="dimmed">
          {words.unknown(across.title, down.title)}
        </Text>
      )}
    </Text>
  )
}
