import { type RawBuilder, sql } from 'kysely'

/** Orders a text by migrations/0170, with `model/natural-order.ts` as its counterpart in programs. */
export const NATURALLY = 'collate natural_order'

export const naturally = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${text} ${sql.raw(NATURALLY)}`
