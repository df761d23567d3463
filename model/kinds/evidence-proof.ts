/**
 * Whether evidence proves what it is of, as a condition over its row `e`: it is approved, and has not expired by the day of
 * the organization.
 * @param organization an expression for the id of the organization
 */
export const provesToday = (organization: string): string =>
  `(e.status = 'approved' and e.archived_at is null and coalesce(e.expiry_date >= (
     select (clock_now() at time zone o.timezone)::date from organizations o where o.id = ${organization}), true))`
