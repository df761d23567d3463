import type { Values } from '../../model/complaint.ts'
import type { KindEntry } from '../../model/described-kind.ts'
import { outsideOf } from '../../model/states.ts'
import { lower } from '../copy/records.ts'

/** A flag by which a record asks somebody to see to it, and why it is set. */
export interface Attention {
  readonly flag: string
  readonly reason: string | null
}

/** The flags that are set of a record. */
export const attentionOf = (
  { attention = [] }: Pick<KindEntry, 'attention'>,
  record: Values,
): readonly Attention[] =>
  attention
    .filter(({ name, states }) => record[name] === true && outsideOf(states, record) === undefined)
    .map(({ name, reason }) => ({
      flag: name,
      reason: reason ? ((record[reason.field] as string | null | undefined) ?? null) : null,
    }))

/**
 * What each says.
 * @param inFull with the reason where there is one
 */
export const attentionWords = (
  { attention = [] }: Pick<KindEntry, 'attention'>,
  asks: readonly Attention[],
  inFull = true,
): string =>
  asks
    .flatMap(({ flag, reason }) => {
      const known = attention.find(({ name }) => name === flag)
      const why = reason === null || !inFull ? undefined : known?.reason?.meanings[reason]
      return known ? [why === undefined ? known.title : `${known.title}: ${lower(why)}`] : []
    })
    .join('; ')
