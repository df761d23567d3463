import { cellOf } from '../../../model/risk-matrix.ts'
import { IMPACTS, LEVELS, LIKELIHOODS } from '../../../model/scales.ts'
import { riskMatrix } from '../../client/risk-matrix.ts'
import { DataTable } from '../../components/data-table.tsx'
import { LevelMark } from '../../components/level-mark.tsx'
import { help } from '../../copy/help.ts'

const words = help.levels

/** The level of each pair, by the function that the service computes it with, and the scores of each level. */
export function Levels() {
  const rows = [...IMPACTS].reverse().map((impact) => ({ id: impact }))
  const all = LIKELIHOODS.flatMap((likelihood) =>
    IMPACTS.map((impact) => cellOf(riskMatrix().cells, likelihood, impact)!),
  )
  return (
    <>
      <DataTable
        label={words.table}
        rows={rows}
        columns={[
          { label: words.corner, cell: ({ id }) => <strong>{riskMatrix().impacts[id].label}</strong> },
          ...LIKELIHOODS.map((likelihood) => ({
            label: riskMatrix().likelihoods[likelihood].label,
            cell: ({ id }: { id: string }) => (
              <LevelMark level={cellOf(riskMatrix().cells, likelihood, id)!.level} />
            ),
          })),
        ]}
      />
      <DataTable
        label={words.scores}
        rows={[{ id: 'scores' }]}
        columns={LEVELS.map((level) => {
          const those = all.filter((cell) => cell.level === level).map(({ score }) => score)
          return {
            label: riskMatrix().levels[level].label,
            cell: () => words.range(Math.min(...those), Math.max(...those)),
          }
        })}
      />
    </>
  )
}
