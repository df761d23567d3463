import { PAGE_NAMES } from '../../model/page-names.ts'
import { countWord } from './counts.ts'

interface Steps {
  readonly done: number
  readonly all: number
}

/** What is a person's to do. */
export const myWork = {
  title: PAGE_NAMES.myWork,
  text: 'What waits for you, what is yours and due, and what is nobody’s yet.',
  waiting: {
    title: 'Waits for you',
    text: 'Others cannot go on until you have decided, or handed something in.',
    askedBy: 'Asked by',
    /** Of a program its name, and whoever it acts as. */
    asker: ({ by, through }: { by: string; through: string | null }) =>
      through === null ? by : `the program “${through}” (${by})`,
    figure: {
      decide: (what: string) => `${what} to decide on`,
      hand_in: (what: string) => `${what} to hand in`,
    },
  },
  buckets: {
    late: { title: 'Late', text: 'Yours, and over.' },
    this_week: { title: 'This week', text: 'Yours, until the week ends.' },
    this_month: { title: 'This month', text: 'Yours, after this week.' },
    later: { title: 'Later', text: 'Yours, after this month.' },
  },
  undated: {
    title: 'Without a date',
    text: 'Yours, and due on no day; what has been left longest comes first.',
  },
  suggested: {
    title: 'Waits for anybody',
    text: 'It is to be decided or handed in, and nobody is named to do so, whoever owns it.',
  },
  ownerless: {
    title: 'Without owner',
    text: 'Due this month or late, and nobody sees to it.',
  },
  /** Begins with the state, which is what is seen. */
  stateOf: (state: string, title: string) => `${state}: change the status of ${title}`,
  steps: ({ done, all }: Steps) => `${countWord(done)} of ${countWord(all)} steps`,
  stepsOf: ({ done, all }: Steps, title: string) =>
    `Steps of ${title}: ${countWord(done)} of ${countWord(all)}`,
  /** Behind what the record is called. */
  done: {
    set: (state: string) => `is set to ${state}.`,
    back: (state: string) => `is ${state} again.`,
    undo: 'Undo',
  },
  none: 'Nothing.',
  clear: {
    title: 'Nothing is waiting for you',
    text: 'Nothing of yours is due, and nobody waits for you.',
  },
  count: (count: number, most: number) => (count >= most ? `${countWord(most)}+` : countWord(count)),
  calendar: 'Calendar',
} as const
