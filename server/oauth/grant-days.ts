/** A grant has to be approved anew after this, however often its tokens were refreshed (ASVS 10.4.8). */
export const GRANT_DAYS = 365
