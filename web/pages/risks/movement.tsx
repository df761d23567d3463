import { LEVELS } from '../../../model/scales.ts'
import { kindIndex } from '../../client/kinds.ts'
import { type Filters, listAddress } from '../../client/list-address.ts'
import type { RecordSummary } from '../../client/records.ts'
import { levelWord } from '../../client/risk-matrix.ts'
import { useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { LevelMark } from '../../components/level-mark.tsx'
import { countWord } from '../../copy/counts.ts'
import { movement as words } from '../../copy/risk-matrix.ts'
import styles from './movement.module.css'

const risk = kindIndex.risk

type Level = string | null
const DOWN: readonly Level[] = [...LEVELS].reverse()
const ROWS: readonly Level[] = [...DOWN, null]

/** From which level to which the risks are meant to go: how many went down, stayed or went up, and between which. */
export function Movement({ summary, filters }: { summary: RecordSummary; filters: Filters }) {
  const moves = summary.crossed?.movement ?? []
  const countOf = (from: Level, to: Level) =>
    moves.find(({ across, down }) => across === from && down === to)?.count ?? 0
  const sum = (direction: Direction) =>
    moves
      .filter(({ across, down }) => directionOf(across, down) === direction)
      .reduce((all, { count }) => all + count, 0)
  return (
    <>
      <p className={styles.sum}>{words.sum(sum('lower'), sum('same'), sum('higher'), sum('unknown'))}</p>
      <table className={styles.movement} aria-label={words.title}>
        <thead>
          <tr>
            <th scope="col">{words.corner}</th>
            {ROWS.map((to) => (
              <th key={to} scope="col">
                <Head level={to} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map((from) => (
            <tr key={from}>
              <th scope="row">
                <Head level={from} />
              </th>
              {ROWS.map((to) => (
                <Cell key={to} from={from} to={to} count={countOf(from, to)} filters={filters} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const Head = ({ level }: { level: Level }) => (level === null ? words.none : <LevelMark level={level} />)

function Cell({ from, to, count, filters }: { from: Level; to: Level; count: number; filters: Filters }) {
  const [fromField, toField] = useKind(risk).crossTabs!.movement!
  const direction = directionOf(from, to)
  const number = countWord(count)
  if (count === 0)
    return (
      <td data-direction={direction} data-empty>
        {number}
      </td>
    )
  const [fromWord, toWord] = [from, to].map((level) => (level === null ? words.none : levelWord(level)))
  return (
    <td data-direction={direction}>
      <AppLink
        href={listAddress(risk, { ...filters, [fromField]: from ?? 'none', [toField]: to ?? 'none' })}
        aria-label={words.cell(count, fromWord!, toWord!, words.directions[direction])}
      >
        <span aria-hidden="true">{words.arrows[direction]}</span>
        {number}
      </AppLink>
    </td>
  )
}

export type Direction = 'lower' | 'same' | 'higher' | 'unknown'

/** Where a level goes; unknown where one of the two is not rated. */
function directionOf(from: Level, to: Level): Direction {
  if (from === null || to === null) return 'unknown'
  const step = DOWN.indexOf(to) - DOWN.indexOf(from)
  return step > 0 ? 'lower' : step < 0 ? 'higher' : 'same'
}
