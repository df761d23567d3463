export const profile = {
  title: 'Profile',
  text: 'Who you are in this organization.',
  name: 'Name',
  nameHint: 'Members, records and the audit log show it.',
  email: 'E-mail',
  emailHint: 'You sign in with it. It cannot be changed.',
  role: 'Role',
  roleHint: 'Admins change it, under Members.',
  organization: 'Organization',
  submit: 'Save name',
  saved: 'Saved',
}

export const security = {
  title: 'Security',
  text: 'How you sign in, and where you are signed in now.',
  vouched: {
    title: 'You signed in through single sign-on',
    text: 'Your password, passkeys and second factor cannot be changed in this session. Sign in with your password or a passkey to change them.',
  },
}

export const secondFactorNeeded = {
  title: 'Set up a second factor',
  text: (organization: string) =>
    `${organization} requires a second factor. Set up one of these to continue.`,
  done: 'You have a second factor',
  doneText: 'Signing in with your password asks for it from now on.',
  go: 'Continue',
}

export const password = {
  title: 'Password',
  text: 'Changing it ends all your other sessions.',
  none: 'You have no password. You sign in with a passkey or through your organization.',
  change: 'Change password',
  current: 'Current password',
  next: 'New password',
  nextHint: 'At least 12 characters. A few unrelated words work well.',
  submit: 'Change password',
  changed: 'The password is changed. Your other sessions have ended.',
}

export const totp = {
  title: 'Authenticator app',
  text: 'A code from an app on your phone, required after the password.',
  on: 'On',
  off: 'Off',
  since: 'Set up',
  setUp: 'Set up',
  replace: 'Set up another app',
  remove: 'Remove',
  dialog: {
    title: 'Set up an authenticator app',
    scan: 'Scan this QR code with the app, or type the key into it.',
    picture: 'QR code with the key for the authenticator app',
    key: 'Key',
    code: 'Code shown by the app',
    submit: 'Turn on',
  },
  removal: {
    title: 'Remove the authenticator app?',
    text: 'Signing in no longer asks for its code. If you have no other second factor, your recovery codes are deleted too. All your other sessions end.',
    submit: 'Remove app',
  },
}

export const recovery = {
  title: 'Recovery codes',
  text: 'For when you lose your second factor. Each code works once.',
  left: (count: number) => `${count} of 10 left`,
  none: 'You have none. They are created when you set up a second factor.',
  renew: 'Make new codes',
  renewal: {
    title: 'Make new recovery codes?',
    text: 'The codes you have now stop working immediately.',
    submit: 'Make new codes',
  },
  shown: {
    title: 'Your recovery codes',
    text: 'They are shown only once. Keep them where you can reach them without your phone, such as in a password manager or on paper.',
    copy: 'Copy codes',
    file: 'plumbline-recovery-codes.txt',
    head: (email: string) => `Plumbline recovery codes of ${email}. Each works once.`,
    kept: 'I have saved them',
  },
}

export const passkeys = {
  title: 'Passkeys',
  text: 'A fingerprint, a face or a security key instead of a password and a code. Passkeys cannot be phished.',
  unsupported: 'This browser does not support passkeys.',
  none: 'None yet.',
  add: 'Add passkey',
  columns: { name: 'Name', created: 'Added', used: 'Last used' },
  synced: 'Synced',
  never: 'Never',
  rename: 'Rename',
  remove: 'Remove',
  naming: {
    addTitle: 'Add a passkey',
    renameTitle: 'Rename the passkey',
    name: 'Name',
    hint: 'A name you will recognize, such as that of the device.',
    add: 'Continue',
    rename: 'Save name',
  },
  unused: 'The passkey was not created. Try again.',
  removal: {
    title: (name: string) => `Remove the passkey “${name}”?`,
    text: 'You can no longer sign in with it, and all your other sessions end. Remove it from the device too, or the device keeps offering it.',
    submit: 'Remove passkey',
  },
}

export const sessions = {
  title: 'Sessions',
  text: 'Every browser where you are signed in.',
  columns: { where: 'Where', organization: 'Organization', how: 'Signed in', seen: 'Last seen' },
  current: 'This session',
  unknownBrowser: 'Unknown browser',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  methods: { password: 'Password', passkey: 'Passkey', provider: 'Single sign-on', link: 'Link' },
  second: { totp: 'code', recovery_code: 'recovery code', passkey: 'passkey' },
  end: 'End',
  ending: {
    title: 'End this session?',
    text: (where: string) => `${where} is signed out immediately. Unsaved changes there are lost.`,
    submit: 'End session',
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
    text: 'You can no longer sign in with it, and sessions that it started end immediately. Your password and passkeys keep working.',
    submit: 'Remove account',
  },
}
