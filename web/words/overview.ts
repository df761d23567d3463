import { counted, countWord } from './counts.ts'

export const overview = {
  title: 'Overview',
  text: 'What needs you today, and where things stand.',
  mine: {
    title: 'Needs you',
    text: 'What you own, by when it is due.',
    none: 'Nothing that you own is overdue, or due within 7 days.',
    figure: {
      overdue: (what: string) => `${what} overdue`,
      soon: (what: string) => `${what} due within 7 days`,
    },
  },
  everybody: {
    title: 'Needs somebody',
    text: 'Whoever owns it, and what nobody owns.',
    kind: 'Register',
    overdue: 'Overdue',
    soon: 'Within 7 days',
    ownerless: 'Without owner',
  },
  levels: {
    title: 'Risks by level',
    text: 'Of those that are not closed.',
    none: 'Not assessed',
    matrix: 'Risk matrix',
  },
  statuses: { title: 'Controls by status' },
  webhooks: {
    title: 'Webhooks',
    none: 'No endpoint hears of changes yet.',
    add: 'Add an endpoint',
    all: 'All endpoints',
    well: (count: number) =>
      count === 1
        ? 'The endpoint is on, and its last attempt did not fail.'
        : `All ${countWord(count)} endpoints are on, and the last attempt to none of them failed.`,
    some: (troubled: number, all: number) => `${countWord(troubled)} of ${countWord(all)} need a look.`,
    off: 'Off',
    failing: 'Failing',
    offByFailures: 'Off after ten failures in a row',
    turnedOff: 'Turned off',
    failures: (count: number) => counted(count, 'failure in a row', 'failures in a row'),
  },
  changes: {
    title: 'Recent changes',
    none: 'Nothing has changed yet.',
    added: (who: string) => `added by ${who}`,
    changed: (who: string) => `changed by ${who}`,
  },
  audit: {
    title: 'Audit log',
    all: 'Whole log',
  },
  firstSteps: {
    title: 'Begin here',
    text: 'Nothing is kept yet. In any order:',
    viewer: 'Nothing is kept yet. Editors and admins add the first risks and controls.',
    risk: 'Add a risk',
    riskText: 'What could go wrong, and who sees to it.',
    key: 'Make an API key',
    keyText: 'For the programs that read and write here.',
    webhook: 'Point a webhook',
    webhookText: 'At the address that should hear of changes.',
    invite: 'Invite people',
    inviteText: 'Those who own risks, and those who look on.',
  },
}

const RATINGS: Readonly<Record<string, string>> = {
  inherent: 'Inherent',
  current: 'Current',
  residual: 'Residual',
}

export const matrix = {
  title: 'Risk matrix',
  text: 'Open risks by likelihood and impact. A number opens the risks behind it.',
  textOfAll: 'Risks by likelihood and impact. A number opens the risks behind it.',
  rating: 'Rating',
  ratings: RATINGS,
  hints: {
    inherent: 'Before anything is done about them.',
    current: 'As they stand today.',
    residual: 'Once what is planned is done.',
  } as Readonly<Record<string, string>>,
  ratingTitle: (rating: string) => `${RATINGS[rating]} risk by likelihood and impact`,
  corner: (down: string) => `${down} ↓`,
  across: (across: string) => `${across} →`,
  cell: (count: number, across: string, down: string, level: string) =>
    `${countWord(count)} ${level.toLowerCase()} ${count === 1 ? 'risk' : 'risks'}, ${across.toLowerCase()} and ${down.toLowerCase()}`,
  unassessed: 'Not assessed',
  unassessedText: (rating: string) =>
    `No ${rating.toLowerCase()} likelihood or impact was chosen, so they stand nowhere in the matrix.`,
  levels: 'By level',
  level: (count: number, level: string) => `${counted(count, 'risk', 'risks')}: ${level}`,
  register: 'Risk register',
  none: 'There are no open risks.',
}
