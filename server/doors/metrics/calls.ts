import { Counter, Gauge, type Registry } from 'prom-client'
import type { Parts } from '../../operation.ts'

/** The turns of calls: how many run and wait in this process, and how many were refused without one. */
export function addCalls({ callTurns }: Parts, registry: Registry): void {
  new Gauge({
    name: 'plumbline_calls',
    help: 'Calls of this process that have a turn, and those that wait for one',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      this.set({ state: 'running' }, callTurns.running)
      this.set({ state: 'waiting' }, callTurns.waiting)
    },
  })
  new Counter({
    name: 'plumbline_calls_overloaded_total',
    help: 'Calls refused because too many were under way: in their organization, in the service, or for as long as a call may wait',
    labelNames: ['reason'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const reason of ['organization', 'service', 'waited'] as const)
        this.inc({ reason }, callTurns.refused[reason])
    },
  })
}
