export const apiKeys = {
  title: 'API keys',
  text: 'A program reaches the records of this organization with a key, within its scopes and the role that its creator has at the time.',
  create: 'Create Key',
  empty: 'There is no key yet. Create one here, or on the machine of the service:',
  commandLine: 'On the command line',
  columns: {
    name: 'Name',
    prefix: 'Key Prefix',
    scopes: 'May',
    creator: 'Created by',
    used: 'Last used',
    expires: 'Expires',
    state: 'State',
  },
  never: 'Never',
  states: { active: 'Active', revoked: 'Revoked', expired: 'Expired' },
  creatorInactive: 'Creator inactive',
  creatorInactiveHint: (name: string) =>
    `A key acts as whoever created it. ${name} is not active, so this key is refused.`,
  inactivePerson: 'not active',
  revoke: 'Revoke',
  revocation: {
    title: (name: string) => `Revoke the key “${name}”?`,
    text: (prefix: string) =>
      `Whatever uses ${prefix}… loses access with its next call. There is no way back: what should go on needs another key.`,
    submit: 'Revoke Key',
  },
}

const LATER = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

export const newKey = {
  form: {
    title: 'Create an API key',
    text: 'It acts as you: what your role loses, it loses too. The two webhook scopes are not here, since they reach what every kind’s signals carry: they have a key of their own, made under Webhooks.',
    submit: 'Create Key',
  },
  webhooks: {
    title: 'New webhook-management key',
    text: 'For a program that manages webhook endpoints. It can read what the signals of every kind carry, and send it to any public address, so give it to nothing that does not need it.',
    submit: 'Create Key',
  },
  name: 'Name',
  nameHint: 'Which program it is for, so that you know it again.',
  expiry: 'Expires',
  expiries: {
    never: 'Never',
    days: (days: number, on: Date) => `In ${days} days (${LATER.format(on)})`,
    date: 'On a date …',
  },
  date: 'Last day',
  dateHint: 'It works until the end of that day.',
  scopes: { read: 'Read', write: 'Change', webhooks: 'Webhooks' },
  all: 'All',
  none: 'None',
  chooseAll: (group: string) => `Choose all of ${group}`,
  chooseNone: (group: string) => `Choose none of ${group}`,
  chosen: (count: number) => (count === 1 ? '1 scope' : `${count} scopes`),
  shown: {
    title: (name: string) => `Your key “${name}”`,
    secret: 'API key',
    curl: 'Try it: the answer says what the key is and may do',
    endpoints: 'Try it: the answer has the endpoints and what they may hear of',
    typescript: 'The same in TypeScript, with the key in PLUMBLINE_KEY',
  },
}
