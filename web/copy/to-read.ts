/** What somebody reads and acknowledges, whether they sign in or came by a link. */
export const toRead = {
  version: (version: string) => `Version ${version}`,
  due: 'Please acknowledge it by',
  changed: 'What changed',
  reachEnd: 'Read to the end of the text to go on.',
  submit: 'Acknowledge',
  file: {
    text: 'It is a file. Download it and read it, and come back to this page.',
    download: 'Download',
    first: 'Download and read the file to go on.',
    hash: 'SHA-256 of the file',
  },
  done: {
    title: 'Thank you',
    text: 'It was recorded that you acknowledged this text.',
    at: 'Acknowledged',
    later: (version: string) =>
      `Version ${version} is in force by now. If you have to read that too, you were told in a message of its own.`,
  },
  replaced: {
    title: 'A new version has replaced this text',
    text: 'It was published while you were reading. Nothing was recorded for the version that you read.',
    read: (version: string) => `Read version ${version}`,
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
  text: 'Open it here. You need no account.',
  open: 'Open',
  gone: {
    title: 'This link opens nothing',
    text: 'Perhaps a later mail brought a newer one, or it was not copied whole. Else ask whoever sent it for a new one.',
  },
  over: {
    expired: {
      title: 'This link has expired',
      text: 'Nothing more can be recorded by it. Ask whoever sent it for more time, or for a new link.',
    },
    revoked: {
      title: 'This link was revoked',
      text: 'Whoever sent it has taken it back. If you still have to answer, ask them for a new one.',
    },
    used_up: {
      title: 'This link was used already',
      text: 'It was opened as often as it may be. Ask whoever sent it for a new one.',
    },
    nothing_asked: {
      title: 'Nothing is asked of you any more',
      text: 'This text needs no answer from you by now. You can close this page.',
    },
    other_way: {
      title: 'There is a newer link for you',
      text: 'Use the link of the latest mail. If you have an account by now, sign in: the text is in your work there.',
    },
    away: {
      title: 'Open the link again',
      text: 'You were away for more than half an hour, or left. The link in your mail still works; what you had not sent was not recorded.',
    },
  },
  noToken: {
    title: 'A link is needed',
    text: 'Open the link in the mail that you were sent.',
  },
  from: (organization: string, name: string) => `From ${organization}, for ${name}`,
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
