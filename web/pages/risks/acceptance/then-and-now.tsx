import { Alert, Text } from '@mantine/core'
import { currentRatingOf, isSameRating, type Rating, ratingOf } from '../../../../model/kinds/risk-rating.ts'
import type { AnyRecord } from '../../../client/records.ts'
import { levelColour } from '../../../client/risk-matrix.ts'
import cells from '../../../components/level-cell.module.css'
import { LevelMark } from '../../../components/level-mark.tsx'
import { acceptance as words } from '../../../copy/acceptance.ts'
import { rating as ratingWords } from '../../../copy/rating.ts'
import { valueWord } from '../../../copy/records.ts'
import styles from './acceptance.module.css'
import { type Acceptance, isStale } from './acceptance.ts'

/** The rating that was asked to be accepted, beside that by now, and the current one where that is another. */
export function ThenAndNow({ acceptance, risk }: { acceptance: Acceptance; risk: AnyRecord }) {
  const { frozenLikelihood, frozenImpact, frozenLevel, status } = acceptance
  const then: Rating = { likelihood: frozenLikelihood, impact: frozenImpact, level: frozenLevel }
  const isMoved = isStale(acceptance, risk)
  const [now, current] = [ratingOf(risk), currentRatingOf(risk)]
  const isOther = current.level !== null && !isSameRating(now, current)
  return (
    <section aria-label={words.ratings}>
      <ol className={styles.ratings}>
        <Rated title={words.before} rating={then} />
        <Rated title={isOther ? words.nowResidual : words.now} rating={now} isMoved={isMoved} />
        {isOther && <Rated title={words.nowCurrent} rating={current} isBeside />}
      </ol>
      {isOther && (
        <Text size="xs" c="dimmed" mt="xs" className={styles.text}>
          {words.residual}
        </Text>
      )}
      {isMoved && (
        <Alert color="yellow" p="xs" mt="xs">
          {status === 'requested' ? words.stale : words.staleOver}
        </Alert>
      )}
    </section>
  )
}

function Rated({
  title,
  rating,
  isMoved,
  isBeside,
}: {
  title: string
  rating: Rating
  isMoved?: boolean
  /** It is not what the one before it has become. */
  isBeside?: boolean
}) {
  const { likelihood, impact, level } = rating
  return (
    <li
      className={`${cells.cell} ${styles.rating}`}
      data-level={level ?? undefined}
      data-colour={level ? levelColour(level) : undefined}
      data-moved={isMoved || undefined}
      data-beside={isBeside || undefined}
    >
      <span className={styles.title}>{title}</span>
      {level ? <LevelMark level={level} /> : words.unrated}
      {likelihood && impact && (
        <span className={styles.pair}>{ratingWords.pair(valueWord(likelihood), valueWord(impact))}</span>
      )}
    </li>
  )
}
