import type { Recurrence } from '../../../model/recurrence.ts'

/** A year of work towards something, laid out from the day on which it begins. */
export interface PlanTemplate {
  /** What whoever chooses one reads. */
  readonly title: string
  readonly phases: readonly TemplatePhase[]
}

interface TemplatePhase {
  readonly key: string
  readonly title: string
  /** The days after the start of the plan on which it begins and ends. */
  readonly from: number
  readonly to: number
  readonly tasks: readonly TemplateTask[]
}

interface TemplateTask {
  readonly title: string
  readonly description: string
  /** So many days after the start of the plan it is due. */
  readonly due: number
  readonly recurrence?: Recurrence
}

export const QUARTERLY: Recurrence = { frequency: 'monthly', interval: 3 }
export const YEARLY: Recurrence = { frequency: 'yearly', interval: 1 }
