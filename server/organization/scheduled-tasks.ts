import type pg from 'pg'
import { CLOCK, type Task } from '../clock/clock.ts'
import { statement } from '../database/connect.ts'
import { type AuditEvent, entryOfService, insertEntry } from '../journal/audit.ts'
import { linkPeople } from './link-people.ts'

/** Rows of keys that expired 30 days ago, each with its entry; revoked ones stay. */
export async function sweepKeys(gate: pg.ClientBase): Promise<void> {
  const { rows } = await gate.query(removeKeys())
  for (const { organization_id, id, name, prefix, now } of rows) {
    const subject = { type: 'api_key', id, title: name }
    const changes = { prefix: { from: prefix, to: null } }
    const event: AuditEvent = { time: now, action: 'api_key.remove', subject, changes }
    await gate.query(insertEntry(...entryOfService(organization_id, CLOCK, event)))
  }
}

/** What time alone does with what an organization has. */
export const organizationTasks: readonly Task[] = [
  { name: 'members as people of the directory', everyMinutes: 1, runApart: linkPeople },
  { name: 'keys that expired 30 days ago', everyMinutes: 60, run: sweepKeys },
]

const removeKeys = statement(`
  delete from api_keys where revoked_at is null and expires_at <= clock_now() - interval '30 days'
  returning organization_id, id, name, prefix, clock_now() as now`)
