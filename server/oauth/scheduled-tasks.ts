import type pg from 'pg'
import type { Task } from '../clock/clock.ts'
import { statement } from '../database/connect.ts'
import { removeUnusedClients } from './registrations.ts'

/** What OAuth no longer needs: tokens and requests that are over, and clients that nobody agreed to. */
export async function sweepOauth(gate: pg.ClientBase): Promise<void> {
  await gate.query(removeTokens())
  await gate.query(removeStates())
  await gate.query(removeUnusedClients())
}

/** What time alone ends of what programs were let in by. */
export const oauthTasks: readonly Task[] = [
  { name: 'tokens and clients that are over', everyMinutes: 60, run: sweepOauth },
]

/** A day later, so that who comes with one is still told that it is over. */
const removeTokens = statement("delete from oauth_tokens where expires_at <= clock_now() - interval '1 day'")

const removeStates = statement('delete from oauth_states where expires_at <= clock_now()')
