import { Checkbox, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Cell, Cells, RiskMatrix } from '../../../../model/risk-matrix.ts'
import { IMPACTS, type Impact, LEVELS, LIKELIHOODS, type Likelihood } from '../../../../model/scales.ts'
import { Section } from '../../../components/section.tsx'
import { matrixEditor } from '../../../copy/matrix-editor.ts'
import styles from './matrix.module.css'

const words = matrixEditor.cells

/** The matrix as a table, likelihood across and impact down, each cell with its level to be chosen. */
export function CellTable({
  matrix,
  change,
  isWrong,
}: {
  matrix: RiskMatrix
  change: (cells: Cells) => void
  isWrong: (path: string) => boolean
}) {
  const [withScores, setWithScores] = useState(false)
  const { cells, likelihoods, impacts, levels } = matrix
  const set = (likelihood: Likelihood, impact: Impact, part: Partial<Cell>) =>
    change({
      ...cells,
      [likelihood]: { ...cells[likelihood], [impact]: { ...cells[likelihood][impact], ...part } },
    })
  const cell = (likelihood: Likelihood, impact: Impact) => {
    const { level, score } = cells[likelihood][impact]
    const path = `cells.${likelihood}.${impact}`
    const names = [likelihoods[likelihood].label, impacts[impact].label] as const
    const isFaulty = (part: string) => isWrong(`${path}.${part}`)
    return (
      <td
        key={likelihood}
        className={styles.cell}
        data-colour={levels[level].colour}
        data-wrong={isFaulty('level') || isFaulty('score')}
      >
        <select
          aria-label={words.level(...names)}
          aria-invalid={isFaulty('level')}
          value={level}
          onChange={({ currentTarget }) =>
            set(likelihood, impact, { level: currentTarget.value as Cell['level'] })
          }
        >
          {LEVELS.map((one) => (
            <option key={one} value={one}>
              {levels[one].label}
            </option>
          ))}
        </select>
        {withScores && (
          <input
            type="number"
            min={1}
            max={25}
            aria-label={words.score(...names)}
            aria-invalid={isFaulty('score')}
            value={score}
            onChange={({ currentTarget }) => {
              const number = Math.round(Number(currentTarget.value))
              set(likelihood, impact, { score: Math.min(25, Math.max(1, number || 1)) })
            }}
          />
        )}
      </td>
    )
  }
  return (
    <Section title={words.title} text={words.text}>
      <Stack gap="sm">
        <div className={styles.around}>
          <table className={styles.cells} aria-label={words.table}>
            <thead>
              <tr>
                <th scope="col">{words.corner}</th>
                {LIKELIHOODS.map((likelihood) => (
                  <th key={likelihood} scope="col">
                    {likelihoods[likelihood].label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...IMPACTS].reverse().map((impact) => (
                <tr key={impact}>
                  <th scope="row">{impacts[impact].label}</th>
                  {LIKELIHOODS.map((likelihood) => cell(likelihood, impact))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <Checkbox
          label={words.scores}
          checked={withScores}
          onChange={({ currentTarget }) => setWithScores(currentTarget.checked)}
        />
      </Stack>
    </Section>
  )
}
