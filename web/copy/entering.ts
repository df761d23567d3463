const passwordHint = 'At least 12 characters. A few unrelated words work well.'

export const setUp = {
  title: 'Set up Plumbline',
  text: 'Create the first organization, with you as its first admin.',
  organizationName: 'Organization',
  name: 'Your name',
  email: 'E-mail',
  password: 'Password',
  passwordHint,
  submit: 'Create organization',
  noToken: {
    title: 'Open the set-up link',
    text: 'The service prints a link when it starts without an organization. Open that link to continue here.',
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
  knownPasswordHint: 'You already have an account here: enter its password.',
  eitherPasswordHint:
    'If you already have an account here, enter its password. Otherwise choose one of at least 12 characters.',
  isIn: 'You are signed in, so nothing else is needed.',
  submit: 'Accept',
  noToken: {
    title: 'Open the link of your invitation',
    text: 'This page needs the whole link from your invitation. Open the link again, or ask an admin for a new one.',
  },
}

export const reset = {
  title: 'Choose a new password',
  ask: {
    text: 'Enter your e-mail. If you have an account, you will receive a link to choose a new password.',
    email: 'E-mail',
    submit: 'Send link',
    sentTitle: 'Check your e-mail',
    sent: (email: string) =>
      `If there is an account for ${email}, a link is on its way. It works once, for a short time. Earlier links that were not used still work too.`,
    noMail: {
      title: 'Ask an admin',
      text: 'This service sends no mail. An admin of your organization can create a link for you, under Members.',
    },
    back: 'Back to sign-in',
  },
  email: 'E-mail',
  password: 'New password',
  passwordHint,
  note: 'All your sessions end, and you sign in again.',
  submit: 'Set password',
  done: { title: 'Your password is set', text: 'Sign in with it now.', signIn: 'Sign in' },
}

export const organizations = {
  title: 'Choose an organization',
  text: 'You belong to more than one. You can switch at any time.',
  only: 'You belong to one organization.',
  here: 'Current',
  go: 'Go',
  goTo: (name: string) => `Go to ${name}`,
}
