import { Counter, Gauge, type Registry } from 'prom-client'
import type { Jobs } from '../../jobs/jobs.ts'

/** What operators watch of jobs: by kind, of all processes as the database has it, but for the ends, which are this one's. */
export function addJobs(jobs: Jobs, registry: Registry): void {
  const registers = [registry]
  const byKind = (name: string, help: string, read: (now: JobsNow) => number) =>
    new Gauge({
      name: `plumbline_jobs_${name}`,
      help: `${help}; NaN where the database does not say`,
      labelNames: ['kind'] as const,
      registers,
      async collect() {
        const counted = await jobs.now().catch(() => null)
        for (const kind of jobs.kinds.keys())
          this.set({ kind }, counted ? read(counted.get(kind) ?? NONE) : Number.NaN)
      },
    })
  byKind('waiting', 'Jobs that are not worked at the moment and are not over', ({ waiting }) => waiting)
  byKind('running', 'Jobs that a process works', ({ running }) => running)
  byKind(
    'oldest_waiting_seconds',
    'How long the job that has waited longest for its first turn has been there',
    ({ oldestSeconds }) => oldestSeconds,
  )
  new Counter({
    name: 'plumbline_jobs_ended_total',
    help: 'Jobs that came to their end in this process: succeeded, failed or cancelled',
    labelNames: ['kind', 'state'] as const,
    registers,
    collect() {
      this.reset()
      for (const { kind, state, count } of jobs.endings()) this.inc({ kind, state }, count)
    },
  })
}

type JobsNow = Awaited<ReturnType<Jobs['now']>> extends ReadonlyMap<string, infer Counted> ? Counted : never

const NONE = { waiting: 0, running: 0, oldestSeconds: 0 }
