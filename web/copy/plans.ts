import { counted, countWord } from './counts.ts'

/** What the page of a plan says of its phases. */
export const plans = {
  title: 'Phases',
  progress: (done: number, all: number) => `${countWord(done)} of ${counted(all, 'task', 'tasks')} done`,
  ofPhase: (done: number, all: number) => `${countWord(done)} of ${countWord(all)}`,
  late: (count: number) => `${countWord(count)} late`,
  noTasks: 'No tasks',
  withoutPhase: 'In no phase',
  from: (day: string) => `from ${day}`,
  until: (day: string) => `until ${day}`,
  between: (from: string, to: string) => `${from} – ${to}`,
  shares: { done: 'Done', begun: 'In progress', open: 'Open' },
} as const
