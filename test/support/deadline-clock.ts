import type pg from 'pg'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { transaction } from '../../server/database/transaction.ts'
import type { DueListener, DueMoment } from '../../server/deadlines/due-listener.ts'
import { takeTurn } from '../../server/deadlines/turn.ts'
import { changeRecord } from '../../server/records/change-record.ts'
import { deleteRecord } from '../../server/records/removal.ts'
import type { Service } from '../../server/service.ts'
import type { TestOrganization, TestService } from './service.ts'

/** The service's time where a test sets it, and two processes that act on deadlines beside each other. */
export interface DeadlineClock {
  now(): string
  /** Sets the time. */
  at(instant: string): Promise<void>
  /** Both processes take a turn; with `isKilled` one of them loses its connections on the way, and takes another. */
  turn(options?: { isKilled?: boolean }): Promise<void>
  /** What was told in all, in turns that were committed. */
  readonly told: readonly (DueMoment & { readonly at: string })[]
}

export function deadlineClock({ administrator, service }: TestService): DeadlineClock {
  const told: (DueMoment & { at: string })[] = []
  let [now, kills] = ['', false]
  const listener: DueListener = async ({ tx }, moments) => {
    if (kills) {
      kills = false
      const [{ pid } = {}] = await tx.read<{ pid: number }>({
        text: 'select pg_backend_pid() as pid',
        values: [],
      })
      await administrator.query('select pg_terminate_backend($1)', [pid])
    }
    tx.afterCommit(() => told.push(...moments.map((moment) => ({ ...moment, at: now }))))
  }
  const processes = [1, 2].map((): Service => ({ ...service, dueListeners: [listener] }))
  const both = () => Promise.allSettled(processes.map(takeTurn))
  return {
    now: () => now,
    told,
    at: async (instant) => {
      now = new Date(instant).toISOString()
      await setClock(administrator, now)
    },
    turn: async ({ isKilled = false } = {}) => {
      kills = isKilled
      const ended = await both()
      const failed = ended.filter((one) => one.status === 'rejected')
      if (failed.length > 0 && !isKilled) throw failed[0]!.reason
      kills = false
      // Whoever was killed is started again; what one left because the other was at it is done as well.
      for (const process of processes) await takeTurn(process)
    },
  }
}

async function setClock(administrator: pg.Client, instant: string): Promise<void> {
  await administrator.query(
    `create or replace function clock_now() returns timestamptz language sql volatile parallel safe
       return timestamptz '${instant}'`,
  )
  await administrator.query("select ensure_weeks(clock_now() + interval '1 day')")
}

/** Changes a record as an operation decides, past what people may do. */
export const decide = (
  { service }: TestService,
  { id: organizationId, admin }: TestOrganization,
  kind: Kind,
  id: string,
  set: Values,
): Promise<Values> =>
  transaction(service.database.tenant, organizationId, (tx) =>
    changeRecord({ tx, caller: admin, parts: service }, kind, id, { set }),
  )

export const remove = (
  { service }: TestService,
  { id: organizationId, admin }: TestOrganization,
  kind: Kind,
  id: string,
): Promise<void> =>
  transaction(service.database.tenant, organizationId, (tx) =>
    deleteRecord({ tx, caller: admin, parts: service }, kind, id),
  )
