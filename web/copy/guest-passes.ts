/** What is said of those who are let in without being members. */
export const guestPasses = {
  title: 'Guest links',
  titleOf: (version: string) => `Guest links of version ${version}`,
  text: 'Each person without an account has their own link. It opens only this text, until it expires. Use “Remind” to send a new link to anyone whose link was revoked.',
  textBefore: 'Who was let in to this version by a link, and how often they opened it.',
  show: 'Show the links',
  hide: 'Hide the links',
  columns: { guest: 'Guest', state: 'Link', expires: 'Expires', opened: 'Opened', acts: 'What to do' },
  states: { open: 'Open', expired: 'Expired', revoked: 'Revoked', ended: 'Ended' },
  opened: (count: number) => (count === 0 ? 'Never' : count === 1 ? 'Once' : `${count} times`),
  cameBack: 'Mail came back',
  acts: (name: string) => `Link of ${name}`,
  send: 'Send a new link',
  create: 'Create a link',
  /** Above a link that is shown once. */
  linkText:
    'Send this link to them yourself. It is shown only once. It opens the text as often as they need until it expires; their earlier links no longer work.',
  handingOver: {
    button: 'Create all links',
    title: 'Create all links',
    text: 'Creates a new link for each person who has yet to acknowledge this version. Their earlier links stop working.',
    submit: 'Create links',
    working: (done: number) => `${done} created`,
    made: (count: number) =>
      `${count === 1 ? '1 link' : `${count} links`}. They are shown only once: copy or save them before you close this.`,
    none: 'Everyone has acknowledged this version: no link was created.',
    copy: 'Copy as table',
    copied: 'Copied',
    save: 'Save as CSV',
    done: 'Done',
    cancel: 'Cancel',
    columns: { name: 'Name', email: 'Email', link: 'Link' },
    fileName: 'guest-links.csv',
  },
  extend: 'Extend',
  revoke: 'Revoke',
  sent: 'Link of a guest',
  extending: {
    title: 'Extend a link',
    text: 'The link that was sent opens the text again, or for longer.',
    submit: 'Extend',
    until: 'Expires',
  },
  revoking: {
    title: (name: string) => `Revoke the link of ${name}?`,
    text: 'It opens nothing from now on, for good. What they said stays as it is. If they have yet to acknowledge the text, “Remind” sends them another link.',
  },
}
