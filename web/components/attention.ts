import type { Values } from '../../model/complaint.ts'
import type { Flag, KindEntry } from '../../model/described-kind.ts'
import { outsideOf } from '../../model/states.ts'

/** The flags by which a record asks somebody to see to it. */
export const attentionOf = ({ attention = [] }: Pick<KindEntry, 'attention'>, record: Values): Flag[] =>
  attention.filter(({ name, states }) => record[name] === true && outsideOf(states, record) === undefined)
