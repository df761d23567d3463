import { Gauge, type Registry } from 'prom-client'
import { countSetAside } from '../../clock/losses.ts'
import { type ClockState, readClockState } from '../../deadlines/clock-state.ts'
import type { Parts } from '../../operation.ts'

/** How the clock keeps up with what is due, in all organizations and by all processes. */
export function addClock(parts: Parts, registry: Registry): void {
  const { database } = parts
  new Gauge({
    name: 'plumbline_work_set_aside',
    help: 'Tasks of the clock, or parts of them, that failed or ended their process again and again and rest now; NaN where the database does not say',
    registers: [registry],
    async collect() {
      this.set(await countSetAside(parts).catch(() => Number.NaN))
    },
  })
  // What one reading of the metrics asks for is asked once.
  let asked: Promise<ClockState | null> | null = null
  const state = () => {
    asked ??= readClockState(database.engine)
      .catch(() => null)
      .finally(() => {
        asked = null
      })
    return asked
  }
  const gauge = (name: string, help: string, read: (state: ClockState) => number) =>
    new Gauge({
      name: `plumbline_deadlines_${name}`,
      help: `${help}; NaN where the database does not say`,
      registers: [registry],
      async collect() {
        const now = await state()
        this.set(now ? read(now) : Number.NaN)
      },
    })
  gauge(
    'oldest_due_seconds',
    'How long the deadline that waits longest for the clock has been due',
    ({ lateSeconds }) => lateSeconds,
  )
  gauge('waiting', 'Deadlines that are due and that the clock has not got to', ({ waiting }) => waiting)
  gauge('failed', 'Deadlines that could not be acted on and are tried again later', ({ failed }) => failed)
}
