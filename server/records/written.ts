import type { Values } from '../../model/complaint.ts'
import { Refusal } from '../refusal.ts'

/** What became of one row of a call that writes: its record, or what kept it out. */
export type Written = { readonly outcome: Outcome; readonly record: Values } | Refusal

export type Outcome = 'created' | 'changed' | 'unchanged'

export const createdAs = (made: Values | Refusal): Written =>
  made instanceof Refusal ? made : { outcome: 'created', record: made }
