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
    text: 'Enter your e-mail to find the sign-in service of your organization.',
    submit: 'Continue',
    none: 'No organization has single sign-on for this e-mail. Use your password or a passkey.',
    back: 'Use password or passkey',
    through: (name: string) => `Continue with ${name}`,
  },
  setUpNeeded: {
    title: 'There is no organization yet',
    text: 'The service printed a link when it started: open it to create the first organization.',
  },
  mailed: {
    title: 'Check your e-mail',
    text: 'Many wrong passwords were tried for this account recently, so the password alone is not enough in a new browser. If yours was right, a link to finish signing in is in your e-mail. All links from the last hour work.',
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
    text: 'Use one of your passkeys to finish signing in.',
    submit: 'Use a passkey',
    choose: 'Use a passkey',
  },
  startOver: 'Start over',
}

export const again = {
  title: 'Confirm it is you',
  text: 'This changes who has access or what data leaves, and you entered your password some time ago.',
  password: 'Password',
  code: 'Code',
  codeHint: 'From your authenticator app, or a recovery code.',
  passkey: 'Use a passkey',
  submit: 'Confirm',
  provider:
    'This changes who has access or what data leaves, and you signed in some time ago. Sign in again; if that leads to another page, start this again afterwards.',
  signedOut: 'You were signed out',
  signedOutText: 'Sign in again to finish. What you typed is still here.',
}
