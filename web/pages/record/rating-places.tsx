import type { DescribedKind } from '../../../model/described-kind.ts'
import { pairWords, ratedAs, ratedNow, type Stage } from '../../client/ratings.ts'
import type { AnyRecord } from '../../client/records.ts'
import { levelColour } from '../../client/risk-matrix.ts'
import cells from '../../components/level-cell.module.css'
import { rating as words } from '../../copy/rating.ts'
import styles from './ratings.module.css'

/** A small picture of the matrix with the stages in it by their first letters; the band says the same in words. */
export function RatingPlaces({
  kind,
  stages,
  record,
}: {
  kind: DescribedKind
  stages: readonly Stage[]
  record: AnyRecord
}) {
  const main = stages.find(({ isMain }) => isMain)
  if (!main?.pair) return null
  const [across, down] = main.pair
  const target = stages.find(({ pair }) => !pair)
  const wanted = target && ratedAs(target, record)?.level
  const placed = stages.filter((stage) => stage.pair && ratedAs(stage, record))
  const told = placed.map((stage) => words.place(stage.word, pairWords(stage, record)))
  return (
    <div
      role="img"
      className={styles.places}
      aria-label={`${words.places}: ${told.join('; ') || words.noPlace}`}
    >
      {[...down.options].reverse().flatMap((worse) =>
        across.options.map((likelier) => {
          const values = ratedNow(kind, { [across.name]: likelier, [down.name]: worse })
          const level = String(values[main.level.name])
          const here = placed.filter(
            ({ pair }) => record[pair![0].name] === likelier && record[pair![1].name] === worse,
          )
          return (
            <span
              key={`${likelier} ${worse}`}
              className={cells.cell}
              data-level={level}
              data-colour={levelColour(level)}
              data-target={level === wanted || undefined}
              data-main={here.some(({ isMain }) => isMain) || undefined}
            >
              {here.map(({ word }) => word.charAt(0)).join('')}
            </span>
          )
        }),
      )}
    </div>
  )
}
