import { createContext, use } from 'react'
import type { DescribedKind, KindEntry } from '../../../model/described-kind.ts'
import type { StateMachine } from '../../../model/states.ts'
import { type AnyRecord, countAgain } from '../../client/records.ts'
import { readAgain } from '../../client/use-answer.ts'

/** A step that somebody took among their work: the record before and after it. */
export interface Done {
  readonly kind: DescribedKind
  readonly machine: StateMachine
  readonly before: AnyRecord
  readonly after: AnyRecord
}

/** Tells the page of it: what is done leaves its list, and the way back would go with it. */
export const DoneContext = createContext<(done: Done) => Promise<unknown>>(async () => {})
export const useDone = () => use(DoneContext)

/** After a step: what is left to do. */
export function readWorkAgain(kind: KindEntry): Promise<unknown> {
  void countAgain(kind)
  return readAgain('listWaiting', 'listDeadlines', 'listUndatedWork')
}
