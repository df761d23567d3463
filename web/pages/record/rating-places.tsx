import type { DescribedKind } from '../../../model/described-kind.ts'
import { appetiteFor, appetiteLine } from '../../client/appetite.ts'
import { pairWords, ratedAs, ratedNow, type Stage } from '../../client/ratings.ts'
import type { AnyRecord } from '../../client/records.ts'
import { levelColour } from '../../client/risk-matrix.ts'
import { AppetiteLegend } from '../../components/appetite-legend.tsx'
import line from '../../components/appetite-line.module.css'
import cells from '../../components/level-cell.module.css'
import { rating as words } from '../../copy/rating.ts'
import styles from './ratings.module.css'

/**
 * A small picture of the matrix with the stages in it by their first letters, and the line of the appetite for its
 * category; the band says the same in words.
 */
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
  const { appetite } = kind.byMatrix ?? {}
  const shown = appetite && appetiteFor([String(record[appetite.category])])
  const levelAt = (likelier: string | undefined, worse: string | undefined): string | undefined => {
    const rated = ratedNow(kind, { [across.name]: likelier, [down.name]: worse })[main.level.name]
    return (rated as string | null) ?? undefined
  }
  return (
    <div className={styles.matrix}>
      <div
        role="img"
        className={styles.places}
        aria-label={`${words.places}: ${told.join('; ') || words.noPlace}`}
      >
        {[...down.options].reverse().flatMap((worse) =>
          across.options.map((likelier) => {
            const level = String(levelAt(likelier, worse))
            const here = placed.filter(
              ({ pair }) => record[pair![0].name] === likelier && record[pair![1].name] === worse,
            )
            return (
              <span
                key={`${likelier} ${worse}`}
                className={`${cells.cell} ${line.cell}`}
                data-level={level}
                data-colour={levelColour(level)}
                data-target={level === wanted || undefined}
                data-line={appetiteLine(shown?.level, {
                  level,
                  worse: levelAt(likelier, down.options[down.options.indexOf(worse) + 1]),
                  likelier: levelAt(across.options[across.options.indexOf(likelier) + 1], worse),
                })}
                data-main={here.some(({ isMain }) => isMain) || undefined}
              >
                {here.map(({ word }) => word.charAt(0)).join('')}
              </span>
            )
          }),
        )}
      </div>
      {shown && <AppetiteLegend shown={shown} />}
    </div>
  )
}
