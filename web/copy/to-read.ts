/** What somebody reads and acknowledges, whether they sign in or came by a link. */
export const toRead = {
  version: (version: string) => `Version ${version}`,
  due: 'Please acknowledge it by',
  changed: 'What changed',
  marked: (version: string) => `Mark what changed since version ${version}, which you acknowledged`,
  unmarked: 'Show the text alone',
  reachEnd: 'Read to the end of the text to continue.',
  submit: 'Acknowledge',
  file: {
    text: 'This policy is a file. Download and read it, then come back to this page.',
    download: 'Download',
    first: 'Download and read the file to continue.',
    hash: 'SHA-256 of the file',
  },
  done: {
    title: 'Thank you',
    text: 'Your acknowledgement has been recorded.',
    at: 'Acknowledged',
    later: (version: string) =>
      `Version ${version} is in force by now. If you have to read that one too, you were sent a separate message.`,
    corrected: (version: string) =>
      `Version ${version} is in force by now. It corrects what you read, and you need not acknowledge it again.`,
  },
  corrects: (acknowledged: string) =>
    `This version is in force. It corrects version ${acknowledged}, which you acknowledged: nothing more is asked of you.`,
  replaced: {
    title: 'A new version has replaced this text',
    text: 'It was published while you were reading. Nothing was recorded for the version that you read.',
    read: (version: string) => `Read version ${version}`,
  },
  over: 'You no longer need to acknowledge this text.',
  hash: 'SHA-256 of the text',
  mine: {
    title: 'To read',
    text: 'Policies you are asked to acknowledge.',
    late: 'late',
    due: 'due',
  },
  said: {
    title: 'Acknowledged',
    text: 'Policies you have acknowledged, in the version that you read.',
    later: (version: string) => `${version} is in force`,
    more: (count: number) => `Show ${count} more`,
  },
  back: 'Back to your work',
}

export const guestPage = {
  title: 'You have been asked to read a document',
  titleOf: (organization: string) => `${organization} asks you to read a document`,
  check: (organization: string, host: string) =>
    `You do not need an account. Check that you know ${organization} and expect this, and that the address bar shows ${host}. If in doubt, ask the person who sent you the link before you open it.`,
  text: 'You do not need an account.',
  open: 'Open',
  gone: {
    title: 'This link does not work',
    text: 'A later mail may have brought a newer one, or it was not copied completely. Otherwise ask whoever sent it for a new one.',
  },
  over: {
    expired: {
      title: 'This link has expired',
      text: 'Nothing more can be recorded with it. Ask whoever sent it for more time, or for a new link.',
    },
    revoked: {
      title: 'This link was revoked',
      text: 'Whoever sent it has withdrawn it. If you still have to answer, ask them for a new one.',
    },
    used_up: {
      title: 'This link has been used up',
      text: 'It has been opened as often as it may be. Ask whoever sent it for a new one.',
    },
    nothing_asked: {
      title: 'Nothing more is asked of you',
      text: 'You no longer need to acknowledge this text. You can close this page.',
    },
    other_way: {
      title: 'There is a newer link for you',
      text: 'Use the link in the latest mail. If you have an account by now, sign in: the text is under “My work”.',
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
    text: 'Links can be forwarded. So before your acknowledgement is recorded, we send a code to the address that received the link.',
    send: 'Send me a code',
    sent: (minutes: number) => `We sent a code. It is valid for ${minutes} minutes.`,
    sentAnother: (minutes: number) =>
      `We sent another code, which is valid for ${minutes} minutes. Those before it no longer work.`,
    label: 'Code from the mail',
    submit: 'Confirm and acknowledge',
    again: 'Send another code',
  },
}
