/*
 * What a register says that nothing else does: apart from records.ts, of which the first page has need.
 */

import type { Kind } from '../../model/kind.ts'
import { countWord } from './counts.ts'
import { lower } from './records.ts'

/** What belongs in the register of a kind; nothing of most. */
const TEXTS: Readonly<Record<string, string>> = {
  risk: 'What could go wrong, how bad it would be, and who sees to it.',
  risk_treatment: 'What is done about each risk, by whom and until when.',
  security_finding:
    'Weaknesses that somebody or something found, how grave each is, and by when it is to be resolved.',
  risk_acceptance: 'Risks that somebody takes as they are: who asked for it, who decides, and until when.',
  control: 'What is done so that rules are kept and risks stay small.',
  policy: 'The rules of your organization: what is in force, under review, and due for review.',
  policy_version: 'Every text of every policy, from its draft to what took its place.',
  policy_decision: 'What approvers said of each version, and what they are yet to say.',
  policy_exception:
    'Where somebody need not keep to a policy: why, what is done in its stead, and until when.',
  evidence:
    'What shows that things are done as they are said to be, who vouches for it, and until when it counts.',
  framework: 'Standards, laws and lists of your own that you answer to, and how far each is met.',
  requirement: 'What each framework asks, your answer, and what its result follows from.',
  compliance_plan: 'What is to be reached until when, in phases, and how far the tasks of each are.',
  task: 'What is to be done, by whom and until when. Programs suggest tasks, and people accept them.',
  vendor: 'Whom your organization buys from, how far it may trust them, and who answers for it.',
  personnel: 'Everybody who works here. They may own records without ever signing in.',
}

export const registerText = ({ name }: Pick<Kind, 'name'>): string | undefined => TEXTS[name]

export const register = {
  /** Where another word says better what is not set. */
  notSet: {
    riskLevel: 'No current rating',
    inherentLevel: 'No inherent rating',
    residualLevel: 'No residual rating',
  } as Readonly<Record<string, string>>,
  /** Beside the filter for what is overdue or due soon, which is called Due itself. */
  deadline: (title: string) => (title === 'Due' ? 'Due date' : title),
  leftOut: (asked: readonly string[]) => `No filter here knows ${asked.join(', ')}: it is left out.`,
  range: {
    from: (from: string) => `from ${from}`,
    to: (to: string) => `to ${to}`,
    dates: { low: 'From', high: 'To' },
    numbers: { low: 'At least', high: 'At most' },
    reversed: 'Nothing lies between these: the first is beyond the second.',
    words: 'Any of these, separated by commas.',
  },
  sort: {
    label: 'Sort by',
    up: (title: string) => `${title}, ascending`,
    down: (title: string) => `${title}, descending`,
  },
  group: {
    label: 'Group',
    by: 'Group by',
    none: 'No grouping',
    current: 'Chosen',
    chosen: (title: string) => `Grouped by ${lower(title)}`,
    more: (shown: number, count: number) => `Show more (${countWord(shown)} of ${countWord(count)})`,
    all: (count: number) => `Show all ${countWord(count)}`,
  },
  views: {
    label: 'Views',
    all: (many: string) => `All ${many}`,
    mine: { decide: 'Yours to decide', hand_in: 'Yours to hand in' },
    save: 'Save view',
    title: 'Save this view',
    text: 'Its filters, search, order and grouping, under a name.',
    name: 'Name',
    isShared: 'Share with everybody in the organization',
    shared: 'Shared',
    submit: 'Save',
    delete: (name: string) => `Delete view ${name}`,
    confirm: {
      title: (name: string) => `Delete the view ${name}?`,
      own: 'The records in it stay as they are.',
      shared: 'It goes for everybody in the organization. The records in it stay as they are.',
      submit: 'Delete view',
    },
  },
  print: {
    rows: (rows: number, total: number, many: string) =>
      rows < total
        ? `The first ${countWord(rows)} of ${countWord(total)} ${many}`
        : `${countWord(total)} ${many}`,
    sorted: (title: string) => `sorted by ${lower(title)}`,
    search: (q: string) => `Search: ${q}`,
    at: (time: string) => `Printed ${time}`,
  },
}
