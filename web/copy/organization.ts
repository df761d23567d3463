import { countWord } from './counts.ts'

export const organization = {
  title: 'Organization',
  text: 'What members and programs see of it, and how times, numbers and amounts are written.',
  submit: 'Save changes',
  saved: 'Saved',
  unset: 'Not set',
  hints: {
    size: 'Number of people who work there.',
    locale: 'How dates and numbers are written. Texts are in English.',
    timezone: 'In which times are shown, and days begin.',
    currency: 'For amounts, until one says otherwise.',
    securityContact: 'Where people report security weaknesses.',
  } as Readonly<Record<string, string>>,
  /** Before another time zone is saved. */
  zone: {
    days: (count: number) =>
      count === 1
        ? '1 date that was set as a day moves to the new time zone and keeps its day.'
        : `${countWord(count)} dates that were set as days move to the new time zone and keep their days.`,
    moments: (count: number) =>
      count === 1
        ? '1 due date with a time stays at that moment and shows on another day.'
        : `${countWord(count)} due dates with a time stay at that moment and show on another day.`,
  },
  sizes: {
    '1_10': '1 to 10',
    '11_50': '11 to 50',
    '51_200': '51 to 200',
    '201_1000': '201 to 1,000',
    '1001_5000': '1,001 to 5,000',
    over_5000: 'Over 5,000',
  } as Readonly<Record<string, string>>,
  features: 'Features',
  selfApproval: {
    title: 'Approval of policies',
    text: 'Whether a policy that nobody approved but those who wrote it can be published.',
    on: 'Authors may approve alone',
    off: 'Somebody other than the authors approves',
    turnOn: 'Let authors approve alone',
    turnOff: 'Ask for somebody else',
    turningOn: {
      title: 'Let authors approve alone?',
      text: 'Nobody else has to read a policy then before it is published. Auditors will ask why.',
      submit: 'Let them',
    },
    turningOff: {
      title: 'Ask for somebody other than the authors?',
      text: 'What is being approved now needs the word of somebody who did not write it, too.',
      submit: 'Ask for somebody else',
    },
  },
  findingSla: {
    title: 'Days to resolve a security finding',
    text: 'Counted from the day a finding was detected. They give each finding its due date, unless somebody sets another.',
    noDate: 'No date',
    submit: 'Save days',
    moves: (moves: number) =>
      moves === 0
        ? 'No due date moves.'
        : `Saving moves the due ${moves === 1 ? 'date of 1 finding' : `dates of ${countWord(moves)} findings`}`,
    ways: ({ earlier, later, overdue }: { earlier: number; later: number; overdue: number }) =>
      [
        ...(earlier > 0 ? [`${countWord(earlier)} earlier`] : []),
        ...(later > 0 ? [`${countWord(later)} later or to no date`] : []),
        ...(overdue > 0 ? [`${countWord(overdue)} overdue then`] : []),
      ].join(', '),
    left: (count: number) =>
      count === 1
        ? '1 finding still has the date of an earlier setting.'
        : `${countWord(count)} findings still have the dates of an earlier setting.`,
    move: 'Move them',
    running: (done: number, total: number | null) =>
      total ? `Due dates are moving: ${countWord(done)} of ${countWord(total)}.` : 'Due dates are moving.',
  },
  id: 'Id',
}
