import { counted } from './counts.ts'

/** How somebody is told, and what was mailed. */
export const notifications = {
  title: 'Notifications',
  text: 'Everything you are told stands in the inbox. Choose what is mailed to you as well.',
  mails: {
    title: 'By mail',
    what: 'What',
    when: 'By mail',
    choices: { at_once: 'At once', daily: 'Once a day', never: 'Never' },
    of: (title: string) => `${title}: by mail`,
    none: 'This service sends no mail: whoever runs it can set one up.',
    gathered: 'What comes within a minute is one mail. What you have read by then is not mailed.',
  },
  daily: {
    title: 'Daily mail',
    text: 'One mail with all that you chose to get once a day.',
    hour: 'Hour',
    zone: 'Time zone',
    ofOrganization: (zone: string) => `Without one, that of the organization: ${zone}.`,
  },
  bounced: {
    title: (email: string) => `Mail to ${email} was not taken`,
    text: 'The mail server said that it takes no mail for this address, so nothing is sent for a week. Tell an admin if the address is wrong.',
    again: 'Send again from now on',
  },
  saved: 'Saved',
}

export const mailLog = {
  title: 'Mail log',
  text: 'Mails about notices and to guests, the latest first: to whom, and what became of each. What they said is not kept.',
  empty: 'No mail yet. Members get one when they are given or asked something, as each of them has chosen.',
  columns: {
    to: 'To',
    state: 'State',
    about: 'About',
    attempts: 'Attempts',
    at: 'Created',
    next: 'Next try',
  },
  notices: (count: number) => counted(count, 'notice', 'notices'),
  guests: { guest_link: 'A guest link', guest_code: 'A code for a guest' },
  states: {
    waiting: 'Waiting',
    sent: 'Sent',
    refused: 'Refused',
    given_up: 'Given up',
    dropped: 'Not sent',
  },
}
