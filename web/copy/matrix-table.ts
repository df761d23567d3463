import { countWord } from './counts.ts'

const RATINGS: Readonly<Record<string, string>> = {
  inherent: 'Inherent',
  current: 'Current',
  residual: 'Residual',
}

/** The table of the risk matrix: the page around it has copy/risk-matrix.ts. */
export const matrix = {
  ratings: RATINGS,
  ratingTitle: (rating: string) => `${RATINGS[rating]} risk by likelihood and impact`,
  corner: (down: string) => `${down} ↓`,
  across: (across: string) => `${across} →`,
  cell: (count: number, across: string, down: string, level: string) =>
    `${countWord(count)} ${level.toLowerCase()} ${count === 1 ? 'risk' : 'risks'}, ${across.toLowerCase()} and ${down.toLowerCase()}`,
}
