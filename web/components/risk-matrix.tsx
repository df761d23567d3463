import type { CSSProperties } from 'react'
import { cellOf } from '../../model/risk-matrix.ts'
import { IMPACTS, type Impact, type Level, LIKELIHOODS, type Likelihood } from '../../model/scales.ts'
import { appetiteFor, appetiteLine } from '../client/appetite.ts'
import { kindIndex } from '../client/kinds.ts'
import { type Filters, listAddress, open } from '../client/list-address.ts'
import type { RecordSummary } from '../client/records.ts'
import { levelColour, levelWord, riskMatrix } from '../client/risk-matrix.ts'
import { useKind } from '../client/use-kind.ts'
import { countWord } from '../copy/counts.ts'
import { matrix as words } from '../copy/matrix-table.ts'
import { AppLink } from './app-link.tsx'
import { AppetiteLegend } from './appetite-legend.tsx'
import line from './appetite-line.module.css'
import cells from './level-cell.module.css'
import styles from './risk-matrix.module.css'

const risk = kindIndex.risk

/** The ratings of a risk that are counted in a matrix. */
export const RATINGS = ['inherent', 'current', 'residual'] as const
export type Rating = (typeof RATINGS)[number]

/** How many of the counted stand nowhere in the matrix. */
export const unassessedIn = (summary: RecordSummary, rating: Rating): number =>
  (summary.crossed?.[rating] ?? [])
    .filter(({ across, down }) => across === null || down === null)
    .reduce((sum, { count }) => sum + count, 0)

/**
 * Likelihood across and impact down, the worst at the top right. Each cell has its level's colour, a disc as large
 * as its count is beside the others, and opens the risks behind it. A line runs where the appetite ends.
 * @param filters what was counted
 */
export function RiskMatrix({
  summary,
  rating,
  filters = open(risk),
  small = false,
}: {
  summary: RecordSummary
  rating: Rating
  filters?: Filters
  small?: boolean
}) {
  const { crossTabs, fields, byMatrix } = useKind(risk)
  const appetite = appetiteFor([filters[byMatrix!.appetite!.category] ?? []].flat().map(String))
  const [acrossField, downField] = crossTabs![rating]!
  const [acrossTitle, downTitle] = [fields[acrossField]!.title, fields[downField]!.title]
  const counts = new Map(
    summary.crossed?.[rating]
      ?.filter(({ across, down }) => across && down)
      .map(({ across, down, count }) => [`${across} ${down}`, count]),
  )
  const most = Math.max(...counts.values())
  return (
    <>
      <table className={small ? styles.small : styles.matrix} aria-label={words.ratingTitle(rating)}>
        <thead>
          <tr>
            <th scope="col" className={styles.corner}>
              {words.corner(downTitle)}
            </th>
            {LIKELIHOODS.map((likelihood) => (
              <th key={likelihood} scope="col">
                {riskMatrix().likelihoods[likelihood].label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...IMPACTS].reverse().map((impact) => (
            <tr key={impact}>
              <th scope="row">{riskMatrix().impacts[impact].label}</th>
              {LIKELIHOODS.map((likelihood) => (
                <Cell
                  key={likelihood}
                  count={counts.get(`${likelihood} ${impact}`) ?? 0}
                  most={most}
                  address={listAddress(risk, { ...filters, [acrossField]: likelihood, [downField]: impact })}
                  likelihood={likelihood}
                  impact={impact}
                  highest={appetite?.level}
                />
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td />
            <td colSpan={LIKELIHOODS.length}>{words.across(acrossTitle)}</td>
          </tr>
        </tfoot>
      </table>
      {appetite && !(small && appetite.level === null) && <AppetiteLegend shown={appetite} />}
    </>
  )
}

function Cell({
  count,
  most,
  address,
  likelihood,
  impact,
  highest,
}: {
  count: number
  /** Of one cell. */
  most: number
  address: string
  likelihood: Likelihood
  impact: Impact
  /** The highest level that is within the appetite, where there is one. */
  highest: Level | null | undefined
}) {
  const levelAt = (across: Likelihood | undefined, down: Impact | undefined) =>
    cellOf(riskMatrix().cells, across, down)?.level
  const level = levelAt(likelihood, impact)!
  const edge = appetiteLine(highest, {
    level,
    worse: levelAt(likelihood, IMPACTS[IMPACTS.indexOf(impact) + 1]),
    likelier: levelAt(LIKELIHOODS[LIKELIHOODS.indexOf(likelihood) + 1], impact),
  })
  const { likelihoods, impacts } = riskMatrix()
  const pair = [likelihoods[likelihood].label, impacts[impact].label] as const
  const [word, number] = [levelWord(level), countWord(count)]
  return (
    <td
      className={`${cells.cell} ${line.cell}`}
      data-level={level}
      data-colour={levelColour(level)}
      data-empty={count === 0}
      data-line={edge}
    >
      {count === 0 ? (
        <span className={styles.inside} title={word}>
          <span className={styles.count}>{number}</span>
          <span className={styles.word}>{word}</span>
        </span>
      ) : (
        <AppLink
          href={address}
          className={styles.inside}
          style={{ '--share': Math.sqrt(count / most) } as CSSProperties}
          title={word}
          aria-label={words.cell(count, ...pair, word)}
        >
          <span className={styles.count}>{`${number} `}</span>
          <span className={styles.word}>{word}</span>
        </AppLink>
      )}
    </td>
  )
}
