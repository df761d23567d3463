export const signIn = {
  title: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  submit: 'Sign in',
  forgot: 'Forgot password?',
  passkey: 'Sign in with a passkey',
  or: 'or',
  provider: {
    open: 'Single sign-on',
    text: 'Your e-mail finds the sign-in service of your organization.',
    submit: 'Continue',
    none: 'No organization has single sign-on for this e-mail. Use your password or a passkey.',
    back: 'Use password or passkey',
    through: (name: string) => `Continue with ${name}`,
  },
  setUpNeeded: {
    title: 'There is no organization yet',
    text: 'The service printed a link when it started: open it to make the first organization.',
  },
  mailed: {
    title: 'Look in your mail',
    text: 'Many wrong passwords were tried for this account lately, so your password alone is not enough in a browser that is new to it. If it was right, a link to finish signing in is in your mail. Links of the last hour all work.',
  },
  byLink: {
    text: 'Your password was right. Finish signing in here, in this browser.',
    submit: 'Finish signing in',
  },
  passkeyFailed: 'The passkey was not used. Try again, or sign in another way.',
}

export const secondFactor = {
  title: 'One more step',
  totp: {
    text: 'Enter the code that your authenticator app shows for Plumbline.',
    label: 'Code',
    submit: 'Continue',
    choose: 'Use the authenticator app',
  },
  recoveryCode: {
    text: 'Enter one of the recovery codes you kept. Each works once.',
    label: 'Recovery code',
    submit: 'Continue',
    choose: 'Use a recovery code',
  },
  passkey: {
    text: 'Use a passkey of yours to finish signing in.',
    submit: 'Use a passkey',
    choose: 'Use a passkey',
  },
  startOver: 'Start over',
}

export const again = {
  title: 'Confirm it is you',
  text: 'It is a while since you gave your password, and this changes who gets in, or what leaves here.',
  password: 'Password',
  code: 'Code',
  codeHint: 'Of your authenticator app, or a recovery code.',
  passkey: 'Use a passkey',
  submit: 'Confirm',
  provider:
    'It is a while since you came in, and this changes who gets in, or what leaves here. Sign in once more; where that leads to another page, begin this again afterwards.',
  signedOut: 'You were signed out',
  signedOutText: 'Sign in again to finish. What you typed is still here.',
}
