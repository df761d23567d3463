import { countWord } from './records.ts'

const counted = (count: number, one: string, many: string) =>
  `${countWord(count)} ${count === 1 ? one : many}`

export const members = {
  title: 'Members',
  text: 'People who sign in here. Those who only own records stand in the directory.',
  columns: { name: 'Name', role: 'Role', status: 'Status', mfa: 'Second factor', seen: 'Last sign-in' },
  you: 'you',
  statuses: { invited: 'Invited', active: 'Active', disabled: 'Disabled' },
  mfa: { on: 'On', off: 'Off' },
  never: 'Never',
  actions: 'Actions',
  actionsFor: (name: string) => `Actions for ${name}`,
  invite: 'Invite',
  inviting: {
    title: 'Invite somebody',
    text: 'They choose their own password, or use the login that they have here.',
    email: 'E-mail',
    name: 'Name',
    role: 'Role',
    submit: 'Invite',
  },
  roleHints: {
    admin: 'Everything, settings and people too.',
    editor: 'Reads and changes every record.',
    viewer: 'Reads every record, and changes none.',
  },
  invited: {
    title: (name: string) => `${name} is invited`,
    sent: (address: string) => `The invitation went to ${address}.`,
    link: 'Hand this link over yourself. It is shown this once, and works once:',
    problem: 'It was not mailed',
    copied: 'Copied: hand it over',
    copy: 'Copy Link',
    done: 'Done',
  },
  again: 'New Invitation',
  reset: {
    action: 'Link for a Lost Password',
    title: (name: string) => `A new password for ${name}`,
  },
  expires: 'It is good until',
  factor: {
    action: 'Reset Second Factor',
    title: (name: string) => `Take the second factor of ${name} away?`,
    text: 'Authenticator app, passkeys and recovery codes are gone, every session of theirs ends, and the password alone signs in until they set up another.',
    submit: 'Reset Second Factor',
  },
  role: {
    action: 'Change Role',
    title: (name: string) => `Role of ${name}`,
    text: 'It holds from the next call of every session, key and connected app of theirs.',
    submit: 'Change Role',
  },
  disable: {
    action: 'Disable',
    title: (name: string) => `Disable ${name}?`,
    text: 'They are out at once, and can be made active again. What they own stays theirs.',
    submit: 'Disable Member',
  },
  enable: 'Make Active',
  remove: {
    action: 'Remove',
    title: (name: string) => `Remove ${name}?`,
    text: 'They are out at once. Records they own keep naming them until somebody else is made owner: hand those over first.',
    submit: 'Remove Member',
  },
  lost: {
    title: 'What would lose its rights',
    text: (name: string) => `These act as ${name}, and would lose rights at once:`,
    keys: 'API keys',
    apps: 'Connected apps',
    confirm: (verb: string) => `${verb} Anyway`,
  },
}

export const handOver = {
  action: 'Hand Over Records',
  title: (name: string) => `Hand over what ${name} owns`,
  text: 'Everything they own gets another owner, a change for each record.',
  counts: (parts: readonly string[]) => `They own ${parts.join(', ')}.`,
  nothing: 'They own nothing.',
  to: 'New owner',
  toHint: 'Members and people of the directory who are active.',
  search: 'Search people',
  choose: 'Choose somebody',
  user: 'signs in',
  personnel: 'directory',
  submit: 'Hand Over',
  stop: 'Stop',
  progress: 'Handing over',
  running: (done: number, all: number) => `${countWord(done)} of ${countWord(all)}`,
  done: (count: number) => `${counted(count, 'record has', 'records have')} a new owner.`,
  stopped: 'Stopped. What is left stays as it was.',
  faults: (count: number) => `${counted(count, 'record was', 'records were')} not changed:`,
}
