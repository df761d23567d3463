import type pg from 'pg'
import { expect } from 'vitest'
import type { Query } from '../../server/database/connect.ts'
import { claimDue, claimSuspect } from '../../server/webhooks/dispatcher/claim.ts'
import { flushResults } from '../../server/webhooks/dispatcher/flush.ts'
import { handBackClaims, releaseClaim } from '../../server/webhooks/dispatcher/hand-back.ts'
import { recoverLeases } from '../../server/webhooks/dispatcher/lost-senders.ts'
import { markNotSent, takeInVain } from '../../server/webhooks/dispatcher/not-sent.ts'
import { findWaiting } from '../../server/webhooks/dispatcher/sweep.ts'
import { logSecondTry } from '../../server/webhooks/dispatcher/try-again.ts'
import type { TestService } from './service.ts'

const STATEMENTS: Record<string, (...values: unknown[]) => Query> = {
  claimDue,
  claimSuspect,
  flushResults,
  handBackClaims,
  releaseClaim,
  recoverLeases,
  takeInVain,
  markNotSent,
  findWaiting,
  logSecondTry,
}

/** As the engine's own connections plan it, without values. */
export async function plans(one: TestService): Promise<Record<string, string>> {
  const client: pg.PoolClient = await one.service.database.engine.connect()
  try {
    const made: Record<string, string> = {}
    for (const [name, statement] of Object.entries(STATEMENTS)) {
      const { text } = statement()
      const nulls = Array.from(new Set(text.match(/\$\d+/g)), () => 'null')
      await client.query(`prepare planned as ${text}`)
      const { rows } = await client.query(
        `explain execute planned${nulls.length > 0 ? `(${nulls.join(', ')})` : ''}`,
      )
      await client.query('deallocate planned')
      made[name] = rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    return made
  } finally {
    client.release()
  }
}

/** Leases are few: what is under way now. */
export function expectNoScan(made: Record<string, string>): void {
  for (const [name, plan] of Object.entries(made))
    expect(
      plan.match(/Seq Scan on (?:deliveries|delivery_queue|attempts|signals|webhook)\S*/g),
      `${name}\n${plan}`,
    ).toBeNull()
}

/** An index that begins with the organization finds all that it has, where one row was looked for. */
export function expectNoWideRead(made: Record<string, string>): void {
  for (const [name, plan] of Object.entries(made))
    expect(
      plan.match(/using \w*organization_id\w* on (?:deliveries|signals)\w*/g),
      `${name}\n${plan}`,
    ).toBeNull()
}

/**
 * Where a locked row was updated meanwhile, PostgreSQL checks it again with a copy of the plan; 18.4 then crashes if
 * the plan chooses among partitions as it runs. So no row of a partitioned table is locked in such a statement.
 */
export function expectNoLockInPartitions(made: Record<string, string>): void {
  for (const [name, plan] of Object.entries(made)) {
    const lines = plan.split('\n')
    for (const [at, line] of lines.entries()) {
      if (!line.includes('LockRows')) continue
      const depth = line.search(/\S/)
      const after = lines.slice(at + 1)
      const end = after.findIndex((one) => one.search(/\S/) <= depth)
      const below = after.slice(0, end === -1 ? undefined : end).join('\n')
      expect(below, `${name}\n${plan}`).not.toMatch(/ on (?:deliveries|attempts|signals)_/)
    }
  }
}
