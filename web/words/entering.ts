const passwordHint = 'At least 12 characters. A few unrelated words do well.'

export const setUp = {
  title: 'Set up Plumbline',
  text: 'Make the first organization and its first admin: you.',
  organizationName: 'Organization',
  name: 'Your name',
  email: 'E-mail',
  password: 'Password',
  passwordHint,
  submit: 'Create Organization',
  noToken: {
    title: 'Open the set-up link',
    text: 'The service prints a link when it starts without an organization. Open that link: its end is the key to this page.',
  },
}

export const invitation = {
  title: 'Accept the invitation',
  to: (organization: string) => `You are invited to ${organization}.`,
  email: 'E-mail',
  name: 'Your name',
  password: 'Password',
  passwordHint,
  knownPassword: 'Your password',
  knownPasswordHint: 'You have an account here already: give the password that you use for it.',
  eitherPasswordHint:
    'If you have an account here already, give the password that you use for it. Otherwise choose one of at least 12 characters.',
  isIn: 'You are signed in: nothing else is needed.',
  submit: 'Accept',
  noToken: {
    title: 'Open the link of your invitation',
    text: 'This page needs the whole link that you were sent. Open it again, or ask an admin for a new one.',
  },
}

export const reset = {
  title: 'Choose a new password',
  ask: {
    text: 'Give your e-mail. If you have an account, a link to choose a new password comes there.',
    email: 'E-mail',
    submit: 'Send Link',
    sentTitle: 'Look in your mail',
    sent: (email: string) =>
      `If there is an account for ${email}, a link is on its way. It works once, for a short time. An earlier one that has not been used still works, too.`,
    noMail: {
      title: 'Ask an admin',
      text: 'This service sends no mail. An admin of your organization can make a link for you, in People.',
    },
    back: 'Back to sign-in',
  },
  email: 'E-mail',
  password: 'New password',
  passwordHint,
  note: 'All your sessions end, and you sign in anew.',
  submit: 'Set Password',
  done: { title: 'Your password is set', text: 'Sign in with it now.', signIn: 'Sign in' },
}

export const organizations = {
  title: 'Choose an organization',
  text: 'You belong to more than one. You can change over at any time.',
  only: 'You belong to this one.',
  here: 'You are here',
  go: 'Go',
  goTo: (name: string) => `Go to ${name}`,
}
