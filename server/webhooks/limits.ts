/** The tenth failed attempt in a row turns an endpoint off. */
export const FAILURES_AT_MOST = 10

/** Of the body of a response, in bytes, for the log. */
export const KEPT_BYTES = 4_096

/** Of unfinished deliveries, in the metrics: counting costs what there is to count. */
export const COUNTED_AT_MOST = 100_000
