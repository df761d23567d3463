export const security = {
  title: 'Security',
  text: 'How you sign in, and where you are signed in just now.',
  vouched: {
    title: 'You came in through single sign-on',
    text: 'Your organization vouches for you, so what belongs to your own account is not changed here. Sign in with your own password or passkey to change it.',
  },
}

export const secondFactorNeeded = {
  title: 'Set up a second factor',
  text: (organization: string) =>
    `${organization} requires more than a password of everyone. Set up one of these to continue.`,
  done: 'You have a second factor',
  doneText: 'Signing in with your password asks for it from now on.',
  go: 'Continue',
}

export const password = {
  title: 'Password',
  text: 'Changing it ends all your other sessions.',
  none: 'You have no password. You sign in with a passkey or through your organization.',
  change: 'Change Password',
  current: 'Current password',
  next: 'New password',
  nextHint: 'At least 12 characters. A few unrelated words do well.',
  submit: 'Change Password',
  changed: 'The password is changed. Your other sessions have ended.',
}

export const totp = {
  title: 'Authenticator app',
  text: 'A code from an app on your phone, asked after the password.',
  on: 'On',
  off: 'Off',
  since: 'Set up',
  setUp: 'Set Up',
  replace: 'Set Up Another App',
  remove: 'Remove',
  dialog: {
    title: 'Set up an authenticator app',
    scan: 'Scan this picture with the app, or type the key into it.',
    picture: 'Picture with the key for the authenticator app',
    key: 'Key',
    code: 'Code that the app now shows',
    submit: 'Turn On',
  },
  removal: {
    title: 'Remove the authenticator app?',
    text: 'Signing in will no longer ask for its code, and your recovery codes with it go where no other second factor is left. Every other session of yours ends.',
    submit: 'Remove App',
  },
}

export const recovery = {
  title: 'Recovery codes',
  text: 'For the day when your second factor is lost. Each code lets you in once.',
  left: (count: number) => `${count} of 10 left`,
  none: 'None. They are made when you set up a second factor.',
  renew: 'Make New Codes',
  renewal: {
    title: 'Make new recovery codes?',
    text: 'The codes you have now stop working at once.',
    submit: 'Make New Codes',
  },
  shown: {
    title: 'Your recovery codes',
    text: 'They are shown this once. Keep them where you can reach them without your phone, such as a password manager or on paper.',
    copy: 'Copy Codes',
    file: 'plumbline-recovery-codes.txt',
    head: (email: string) => `Plumbline recovery codes of ${email}. Each works once.`,
    kept: 'I Have Kept Them',
  },
}

export const passkeys = {
  title: 'Passkeys',
  text: 'A fingerprint, face or security key instead of password and code. They cannot be phished.',
  unsupported: 'This browser has no passkeys.',
  none: 'None yet.',
  add: 'Add Passkey',
  columns: { name: 'Name', created: 'Added', used: 'Last used' },
  synced: 'Synced',
  never: 'Never',
  rename: 'Rename',
  remove: 'Remove',
  naming: {
    addTitle: 'Add a passkey',
    renameTitle: 'Rename the passkey',
    name: 'Name',
    hint: 'So that you know it again: the device, or the key’s colour.',
    add: 'Continue',
    rename: 'Save Name',
  },
  unused: 'The passkey was not made. Try again when you are ready.',
  removal: {
    title: (name: string) => `Remove the passkey “${name}”?`,
    text: 'It no longer signs you in here, and every other session of yours ends. Remove it from the device too, or the device goes on offering it.',
    submit: 'Remove Passkey',
  },
}

export const sessions = {
  title: 'Sessions',
  text: 'Every browser where you are signed in.',
  columns: { where: 'Where', organization: 'Organization', how: 'Signed in', seen: 'Last seen' },
  current: 'This one',
  unknownBrowser: 'Unknown browser',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  methods: { password: 'Password', passkey: 'Passkey', provider: 'Single sign-on', link: 'Link' },
  second: { totp: 'code', recovery_code: 'recovery code', passkey: 'passkey' },
  end: 'End',
  ending: {
    title: 'End this session?',
    text: (where: string) => `${where} is signed out at once. What is not saved there is lost.`,
    submit: 'End Session',
  },
}

export const identities = {
  title: 'Single sign-on',
  text: 'Your account at the sign-in service of this organization.',
  none: 'Not linked.',
  link: (provider: string) => `Link ${provider}`,
  columns: { account: 'Account', linked: 'Linked', used: 'Last used' },
  never: 'Never',
  remove: 'Remove',
  removal: {
    title: (provider: string) => `Remove your account at ${provider}?`,
    text: 'It no longer signs you in here, and the sessions it began end at once. Your password and passkeys go on working.',
    submit: 'Remove Account',
  },
}
