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
