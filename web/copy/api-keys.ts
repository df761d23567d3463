import { writtenTime } from '../client/formats.ts'

export const apiKeys = {
  title: 'API keys',
  text: 'A program uses a key to read and change records here, limited by the scopes of the key and by the current role of the person who created it.',
  create: 'Create key',
  empty: 'No API keys yet. Create one here, or on the machine that runs the service:',
  commandLine: 'On the command line',
  columns: {
    name: 'Name',
    prefix: 'Key prefix',
    scopes: 'Scopes',
    creator: 'Created by',
    used: 'Last used',
    expires: 'Expires',
    state: 'State',
  },
  never: 'Never',
  states: { active: 'Active', revoked: 'Revoked', expired: 'Expired' },
  creatorInactive: 'Creator inactive',
  creatorInactiveHint: (name: string) =>
    `A key acts as the person who created it. ${name} is not active, so this key is refused.`,
  inactivePerson: 'not active',
  revoke: 'Revoke',
  revocation: {
    title: (name: string) => `Revoke the key “${name}”?`,
    text: (prefix: string) =>
      `Every program that uses ${prefix}… loses access with its next call. This cannot be undone.`,
    submit: 'Revoke key',
  },
}

const DATE = { dateStyle: 'medium' } as const

export const newKey = {
  form: {
    title: 'Create an API key',
    text: 'The key acts as you: whatever your role loses, the key loses too. The two webhook scopes are not offered here, because they give access to what the signals of every kind carry. Create a key for them under Webhooks.',
    submit: 'Create key',
  },
  webhooks: {
    title: 'New webhook-management key',
    text: 'For a program that manages webhook endpoints. It can read what the signals of every kind carry and send it to any public address, so give it only to a program that needs it.',
    submit: 'Create key',
  },
  name: 'Name',
  nameHint: 'The program that will use it.',
  expiry: 'Expires',
  expiries: {
    never: 'Never',
    days: (days: number, on: Date) => `In ${days} days (${writtenTime(on, DATE)})`,
    date: 'On a date…',
  },
  date: 'Last day',
  dateHint: 'The key works until the end of that day.',
  scopes: { read: 'Read', write: 'Change', webhooks: 'Webhooks' },
  all: 'All',
  none: 'None',
  chooseAll: (group: string) => `Choose all of ${group}`,
  chooseNone: (group: string) => `Choose none of ${group}`,
  chosen: (count: number) => (count === 1 ? '1 scope' : `${count} scopes`),
  shown: {
    title: (name: string) => `Your key “${name}”`,
    secret: 'API key',
    curl: 'Try it: the response shows what the key is and may do',
    endpoints: 'Try it: the response lists the endpoints and the available signal types',
    typescript: 'The same in TypeScript, with the key in PLUMBLINE_KEY',
  },
}
