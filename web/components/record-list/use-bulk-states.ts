import { useQuery } from '@tanstack/react-query'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { outsideOf, type StateMachine } from '../../../model/states.ts'
import { operationsOn } from '../../client/record-operations.ts'
import type { AnyRecord } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { nextStates } from '../../client/states.ts'

export interface BulkStates {
  /** Where this person may lead a record, by an edit or by an operation that is done for many. */
  next(machine: StateMachine, record: AnyRecord): readonly string[]
  /** What the operation that leads to a state is called; null where an edit does. */
  called(machine: StateMachine, state: string): string | null
}

/** The states that a selection may be led to. */
export function useBulkStates(kind: DescribedKind): BulkStates {
  const { capabilities } = useSignedIn()
  const isLed = kind.states.some(({ inBulk = [] }) => inBulk.length > 0)
  const { data } = useQuery({ ...operationsOn(kind), enabled: isLed })
  const leading = ({ byAction = {}, inBulk = [] }: StateMachine, state: string) =>
    inBulk.includes(state)
      ? data?.data.find(({ name, isAllowed }) => isAllowed && byAction[state]!.includes(name))
      : undefined
  return {
    next: (machine, record) => [
      ...(machine.inBulk ?? []).filter((state) => {
        const operation = leading(machine, state)
        return operation !== undefined && outsideOf(operation.when, record) === undefined
      }),
      ...nextStates(machine, record, capabilities),
    ],
    called: (machine, state) => leading(machine, state)?.button ?? null,
  }
}
