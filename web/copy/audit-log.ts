import { capital } from '../../model/capital.ts'
import { counted, countWord } from './counts.ts'
import { stopped } from './stopped.ts'

const entries = (count: number) => counted(count, 'entry', 'entries')

const reasons: Readonly<Record<string, string>> = {
  wrong_password: 'The password was wrong',
  unknown_account: 'Nobody is known by this e-mail',
  wrong_code: 'The code was wrong, or used before',
  passkey_not_accepted: 'The passkey was not accepted',
  too_many_attempts: 'Too many attempts',
  mail_link_needed: 'After many wrong passwords, it takes a link by mail as well',
  too_many_mails:
    'No mail was sent: too many went to this address within the hour, and their links still work',
  rate_limited: 'The rate limit was reached',
  ...stopped.codes,
}

/** Ways to sign in, as an entry of one names them: `password and totp`. */
const ways: Readonly<Record<string, string>> = {
  password: 'password',
  passkey: 'passkey',
  link: 'link',
  provider: 'sign-in provider',
  totp: 'authenticator app',
  recovery_code: 'recovery code',
}

const wayWord = (reason: string): string =>
  capital(
    reason
      .split(' and ')
      .map((way) => ways[way] ?? way)
      .join(' and '),
  )

export const auditLog = {
  /** Why, or how, in words; null where there is nothing to say, or the sentence has said it. */
  reasonOf: (action: string, outcome: string, reason: string | null): string | null => {
    if (reason === null || !action.includes('.')) return null
    if (action === 'session.begin' && outcome === 'success') return wayWord(reason)
    return capital(reasons[reason] ?? reason)
  },
  title: 'Audit log',
  text: 'Everything done in this organization, and what was refused: by whom, when, with which credential, and what changed.',
  list: 'Entries',
  empty: 'No entries yet.',
  emptyFiltered: 'No entry matches these filters.',
  filters: {
    label: 'Filters',
    any: 'Any',
    span: 'Time',
    spans: {
      '1h': 'Last hour',
      '1d': 'Last day',
      '7d': 'Last 7 days',
      '30d': 'Last 30 days',
      '365d': 'Last 365 days',
    },
    allTime: 'All',
    between: 'Between…',
    from: 'From',
    to: 'Before',
    group: 'Action',
    action: 'Action code',
    outcome: 'Outcome',
    channel: 'Channel',
    actor: 'Actor',
    actingUserId: 'Person',
    actorId: 'Actor id',
    actors: {
      people: 'People',
      removed: 'Removed people',
      keys: 'API keys',
      apps: 'Connected apps',
      service: 'The service itself',
      parts: {
        sign_in: 'Sign-in',
        webhooks: 'Webhook deliveries',
        clock: 'Clock',
        oauth: 'OAuth server',
        sign_in_domains: 'Domain verification',
        operator: 'Command line',
        set_up: 'Set-up link',
      },
    },
    reference: 'Record',
    referenceExample: 'RSK-12',
    id: 'Entry',
    unknown: (values: readonly string[]) =>
      `This filter has no “${values.join('”, “')}”: remove it, or choose another.`,
    subjectType: 'Subject type',
    subjectId: 'Subject id',
    requestId: 'Request id',
    more: 'More filters',
    fewer: 'Fewer filters',
    clear: 'Clear filters',
    remove: (label: string, value: string) => `Remove filter ${label}: ${value}`,
  },
  /** Actions that belong together. */
  groups: {
    records: 'Records',
    sign_in: 'Sign-in and passwords',
    second_factor: 'Second factors',
    members: 'Members',
    programs: 'API keys and apps',
    guests: 'Guests',
    webhooks: 'Webhooks',
    organization: 'Organization settings',
  },
  details: 'Details:',
  link: 'Link to this entry',
  facts: {
    subject: 'Subject',
    action: 'Action',
    outcome: 'Outcome',
    actor: 'Actor',
    person: 'Person',
    reason: 'Reason',
    client: 'Program',
    tool: 'Tool',
    time: 'Time',
    channel: 'Channel',
    ip: 'IP address',
    userAgent: 'User agent',
    request: 'Request',
    entry: 'Entry',
    seal: 'Seal',
  },
  seal: (seq: number) => `Number ${countWord(seq)}`,
  sealed: 'sealed',
  unsealed: 'Not sealed yet',
  unsealedText: 'Entries are sealed within a second or two.',
  verifyText: 'Export the log sealed and check that nothing is missing or changed:',
  exportSealed: 'Export sealed…',
  only: 'Only these',
  onlyLabel: (label: string) => `Only these: ${label}`,
  export: {
    open: 'Export…',
    title: 'Export the audit log',
    text: 'Every entry that matches the filters, newest first.',
    format: 'Format',
    formats: {
      csv: 'CSV, for spreadsheets',
      jsonl: 'JSON lines, for programs',
      sealed: 'Sealed, for verification',
    },
    sealedText:
      'Every entry in the time span, oldest first; other filters are ignored. The command plumbline audit verify then shows whether an entry is missing or was changed.',
    begin: 'Export',
    stop: 'Stop',
    goOn: 'Continue',
    soFar: (count: number) => `${entries(count)} so far`,
    stopped: (count: number) => `Stopped after ${entries(count)}.`,
    done: (count: number) => `${entries(count)} exported.`,
    file: (day: string, ending: string) => `audit-log-${day}.${ending}`,
    sealedFile: (day: string) => `audit-log-sealed-${day}.jsonl`,
  },
}
