import { counted, countWord } from './counts.ts'

/** From the level before any control to the one that is planned. */
export const movement = {
  title: 'From inherent to residual',
  text: 'The level before any control, and the level once the planned controls work.',
  corner: 'Inherent ↓ residual →',
  none: 'Not assessed',
  arrows: { lower: '↓', same: '=', higher: '↑', unknown: '' },
  directions: { lower: 'lower', same: 'the same', higher: 'higher', unknown: '' },
  cell: (count: number, from: string, to: string, direction: string) =>
    `${counted(count, 'risk', 'risks')} from ${from.toLowerCase()} to ${to.toLowerCase()}${direction && `, ${direction}`}`,
  sum: (lower: number, same: number, higher: number, unknown: number) =>
    `${countWord(lower)} lower, ${countWord(same)} the same, ${countWord(higher)} higher; ${countWord(unknown)} not assessed on one side or both.`,
}

/** The page of the risk matrix. */
export const matrixPage = {
  title: 'Risk matrix',
  text: 'Open risks by likelihood and impact. A number opens the risks behind it.',
  textOfAll: 'Risks by likelihood and impact. A number opens the risks behind it.',
  rating: 'Rating',
  hints: {
    inherent: 'Before controls.',
    current: 'With the controls in place today.',
    residual: 'After the planned treatment.',
  } as Readonly<Record<string, string>>,
  unassessed: 'Not assessed',
  unassessedText: (rating: string) =>
    `No ${rating.toLowerCase()} likelihood or impact was chosen, so they aren’t shown on the matrix.`,
  levels: 'By level',
  level: (count: number, level: string) => `${counted(count, 'risk', 'risks')}: ${level}`,
  register: 'Risk register',
  settings: 'Change the levels',
}
