/** What somebody reads and acknowledges, whether they sign in or came by a link. */
export const toRead = {
  version: (version: string) => `Version ${version}`,
  due: 'Please answer by',
  changed: 'What changed',
  reachEnd: 'Read to the end of the text to go on.',
  submit: 'Acknowledge',
  done: {
    title: 'Thank you',
    text: 'It was recorded that you acknowledged this text.',
    at: 'Acknowledged',
  },
  over: 'Nothing is asked of you about this text any more.',
  hash: 'SHA-256 of the text',
  mine: {
    title: 'To read',
    text: 'Policies that ask for your acknowledgement.',
    late: 'late',
    due: 'due',
  },
  back: 'Back to your work',
}

export const guestPage = {
  title: 'You were asked to read something',
  text: 'The link in your mail opens it. You need no account.',
  open: 'Open',
  gone: {
    title: 'This link opens nothing',
    text: 'It has ended, or was not copied whole. Ask whoever sent it for a new one.',
  },
  noToken: {
    title: 'A link is needed',
    text: 'Open the link in the mail that you were sent.',
  },
  from: (organization: string) => `From ${organization}`,
  leave: 'Leave',
  code: {
    title: 'Is this mailbox yours?',
    text: 'A link can be forwarded. Before your answer is recorded, a code goes to the address that the link was sent to.',
    send: 'Send me a code',
    sent: (minutes: number) => `A code was sent. It is good for ${minutes} minutes.`,
    label: 'Code from the mail',
    submit: 'Confirm',
    again: 'Send another code',
  },
}
