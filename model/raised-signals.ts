import { everyKind } from './kinds/index.ts'
import { SIGNAL_TYPES, type SignalType } from './signal-types.ts'

/** Whether anything raises it yet. All are offered, so that an endpoint need not be changed when something does. */
export const isRaised = (type: string): boolean =>
  everyKind.some(({ name, signals }) => signals.some((event) => `${name}.${event}` === type))

/** A signal type as it is offered, wherever it is. */
export function describeSignalType(type: SignalType) {
  const { label, description } = SIGNAL_TYPES[type]
  const raised = isRaised(type)
  return {
    type,
    label,
    description: raised ? description : `${description} Nothing raises this yet.`,
    raised,
  }
}
