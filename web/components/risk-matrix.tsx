import type { CSSProperties } from 'react'
import { cellOf } from '../../model/risk-matrix.ts'
import { IMPACTS, type Impact, LIKELIHOODS, type Likelihood } from '../../model/scales.ts'
import { kindIndex } from '../client/kinds.ts'
import { type Filters, listAddress, open } from '../client/list-address.ts'
import type { RecordSummary } from '../client/records.ts'
import { levelColour, levelWord, riskMatrix } from '../client/risk-matrix.ts'
import { useKind } from '../client/use-kind.ts'
import { countWord } from '../copy/counts.ts'
import { matrix as words } from '../copy/overview.ts'
import { AppLink } from './app-link.tsx'
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
 * as its count is beside the others, and opens the risks behind it.
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
  const { crossTabs, fields } = useKind(risk)
  const [acrossField, downField] = crossTabs![rating]!
  const [acrossTitle, downTitle] = [fields[acrossField]!.title, fields[downField]!.title]
  const counts = new Map(
    summary.crossed?.[rating]
      ?.filter(({ across, down }) => across && down)
      .map(({ across, down, count }) => [`${across} ${down}`, count]),
  )
  const most = Math.max(...counts.values())
  return (
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
  )
}

function Cell({
  count,
  most,
  address,
  likelihood,
  impact,
}: {
  count: number
  /** Of one cell. */
  most: number
  address: string
  likelihood: Likelihood
  impact: Impact
}) {
  const level = cellOf(riskMatrix().cells, likelihood, impact)!.level
  const { likelihoods, impacts } = riskMatrix()
  const pair = [likelihoods[likelihood].label, impacts[impact].label] as const
  const [word, number] = [levelWord(level), countWord(count)]
  return (
    <td className={cells.cell} data-level={level} data-colour={levelColour(level)} data-empty={count === 0}>
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
