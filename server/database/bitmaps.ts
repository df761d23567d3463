import type { Query } from './connect.ts'

/**
 * For a statement whose rows an index finds by what the planner knows next to nothing of (words in texts, values in
 * jsonb). Thinking that any are common, it would read all rows until it has seen enough of them.
 */
export const BITMAPS_ALONE: Query = {
  text: "select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)",
  values: [],
}

/** For what comes behind it in the same transaction. */
export const ANY_PLAN: Query = {
  text: "select set_config('enable_seqscan', 'on', true), set_config('enable_indexscan', 'on', true)",
  values: [],
}
