import { readClockState } from '../../server/deadlines/clock-state.ts'
import type { Command } from './command.ts'
import { withService } from './service.ts'

/** The clock looks each minute: behind by more, it does not run or does not keep up. */
const LATE_SECONDS = 300

const status: Command = {
  name: 'clock status',
  summary: 'Tells how far the clock is behind with deadlines',
  flags: {},
  notes: `Ends with 1 where it is more than ${LATE_SECONDS / 60} minutes behind, or something failed. What failed is tried again by itself; the log of the service says why.`,
  run: (given) =>
    withService(given, async ({ database }) => {
      const state = await readClockState(database.engine)
      const { lateSeconds, waiting, failed } = state
      const behind =
        waiting > 0
          ? `The clock is ${spanOf(lateSeconds)} behind. Deadlines that are due: ${waiting}.`
          : 'The clock is up to date.'
      const rest = failed > 0 ? ` Failed, and tried again later: ${failed}.` : ''
      const ok = lateSeconds <= LATE_SECONDS && failed === 0
      return { json: { ok, ...state }, text: behind + rest, exitCode: ok ? 0 : 1 }
    }),
}

/** In the largest unit that it has one of, the smaller ones left out. */
function spanOf(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? units[3]
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export const clockCommands = [status]
