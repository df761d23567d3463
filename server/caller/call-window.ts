/*
 * The window in which the calls of a credential are counted, as SQL: `s` is the row of its use, `c` the credential with
 * the time of the call, $2 the calls in a window, $3 its length in milliseconds.
 */
const isOpen = "s.window_started_at + $3 * interval '1 ms' > c.now"

/** Counts a call in the window that is open, or in a new one. */
export const COUNT_CALL = `
       set window_started_at = case when ${isOpen} then s.window_started_at
                                    else c.now end,
           window_count = case when ${isOpen} then s.window_count + 1
                               else 1 end,
           last_used_at = c.now`

/** Whether one more call goes into the window. */
export const HAS_ROOM = `((${isOpen}) is not true or s.window_count < $2)`

/** `reset_ms`: until a new window begins. */
export const MS_TO_RESET = `
         coalesce(extract(epoch from coalesce(used.window_started_at, c.window_started_at)
                                     + $3 * interval '1 ms' - c.now) * 1000, 0)::float8 as reset_ms`
