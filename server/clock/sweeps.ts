import type pg from 'pg'

/** What time alone removes. Each is one statement that may run again at any moment. */

/** Rows of keys that expired 30 days ago; revoked ones stay (decisions, API keys). */
export const sweepKeys = (gate: pg.ClientBase): Promise<number> =>
  removed(
    gate,
    "delete from api_keys where revoked_at is null and expires_at <= clock_now() - interval '30 days'",
  )

/** Answers kept for repeated requests, after 24 hours. */
export const sweepAnswers = (gate: pg.ClientBase): Promise<number> =>
  removed(gate, "delete from idempotency_answers where created_at <= clock_now() - interval '24 hours'")

const removed = async (gate: pg.ClientBase, text: string) => (await gate.query(text)).rowCount ?? 0
