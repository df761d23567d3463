/*
 * The window in which the calls of a credential are counted, as SQL: `s` is the row of its use, `c` the credential
 * with the time of the statement, $2 the calls in a window, $3 its length in milliseconds, $4 how many calls are
 * to be counted at once.
 */

/** `now`, and `since`: a window that began after that is open. */
export const TIME_OF_CALL = "n.now, n.now - $3 * interval '1 ms' as since"

const IS_OPEN = 's.window_started_at > c.since'
const COUNTED = `case when ${IS_OPEN} then s.window_count else 0 end`

/** Counts calls in the window that is open, or in a new one. */
export const COUNT_CALLS = `
     set window_started_at = case when ${IS_OPEN} then s.window_started_at else c.now end,
         window_count = ${COUNTED} + $4,
         last_used_at = c.now`

/** Whether all of them go into the window. */
export const HAS_ROOM = `${COUNTED} + $4 <= $2`

/** How many of them do. */
export const FITTING = `least($4, $2 - ${COUNTED})`

/** `reset_ms`: until a new window begins. */
export const MS_TO_RESET =
  'coalesce(extract(epoch from s.window_started_at - c.since) * 1000, 0)::float8 as reset_ms'
