import { Alert } from '@mantine/core'
import { type Rating, ratingOf } from '../../../../model/kinds/risk-rating.ts'
import type { AnyRecord } from '../../../client/records.ts'
import { levelColour } from '../../../client/risk-matrix.ts'
import cells from '../../../components/level-cell.module.css'
import { LevelMark } from '../../../components/level-mark.tsx'
import { acceptance as words } from '../../../copy/acceptance.ts'
import { rating as ratingWords } from '../../../copy/rating.ts'
import { valueWord } from '../../../copy/records.ts'
import styles from './acceptance.module.css'
import { type Acceptance, isStale } from './acceptance.ts'

/** The rating that was asked to be accepted, beside the one that the risk has by now. */
export function ThenAndNow({ acceptance, risk }: { acceptance: Acceptance; risk: AnyRecord }) {
  const { frozenLikelihood, frozenImpact, frozenLevel, status } = acceptance
  const then: Rating = { likelihood: frozenLikelihood, impact: frozenImpact, level: frozenLevel }
  const isMoved = isStale(acceptance, risk)
  return (
    <section aria-label={words.ratings}>
      <ol className={styles.ratings}>
        <Rated title={words.before} rating={then} />
        <Rated title={words.now} rating={ratingOf(risk)} isMoved={isMoved} />
      </ol>
      {isMoved && (
        <Alert color="yellow" p="xs" mt="xs">
          {status === 'requested' ? words.stale : words.staleOver}
        </Alert>
      )}
    </section>
  )
}

function Rated({ title, rating, isMoved }: { title: string; rating: Rating; isMoved?: boolean }) {
  const { likelihood, impact, level } = rating
  return (
    <li
      className={`${cells.cell} ${styles.rating}`}
      data-level={level ?? undefined}
      data-colour={level ? levelColour(level) : undefined}
      data-moved={isMoved || undefined}
    >
      <span className={styles.title}>{title}</span>
      {level ? <LevelMark level={level} /> : words.unrated}
      {likelihood && impact && (
        <span className={styles.pair}>{ratingWords.pair(valueWord(likelihood), valueWord(impact))}</span>
      )}
    </li>
  )
}
