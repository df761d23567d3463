export const secondFactorRule = {
  title: 'Second factor',
  on: 'Required of everyone',
  off: 'Optional',
  text: 'Whoever signs in with a password sets up an authenticator app or a passkey before anything else. Members shows who has one.',
  turnOn: 'Require Second Factor',
  turnOff: 'Make Optional',
  turningOn: {
    title: 'Require a second factor of everyone?',
    text: 'It takes effect at once: members who have none must set one up before they can do anything else here. API keys and connected apps go on working. Whoever signs in through your sign-in provider is not asked: what it asks is for you to set there.',
    submit: 'Require Second Factor',
  },
  turningOff: {
    title: 'Make the second factor optional?',
    text: 'Members who have one keep it, and may remove it.',
    submit: 'Make Optional',
  },
}

export const signInProviders = {
  title: 'Sign-in',
  providers: 'Sign-in providers',
  text: 'How people get into your organization.',
  providersText:
    'People may come in through an OpenID Connect provider of your organization (Entra ID, Google Workspace, Okta, Keycloak …). Their passwords and passkeys here go on working.',
  empty:
    'There is no provider. Register a confidential client with the authorization code flow at yours, with this redirect address, then add it here.',
  add: 'Add Provider',
  on: 'On',
  off: 'Off',
  change: 'Change',
  turnOff: 'Turn Off',
  turnOn: 'Turn On',
  delete: 'Delete',
  labelOf: (verb: string, provider: string) => `${verb} ${provider}`,
  facts: { issuer: 'Issuer', clientId: 'Client id', redirect: 'Redirect address' },
  turningOff: {
    title: (name: string) => `Turn off ${name}?`,
    text: 'Everybody who came in through it is signed out at once, and nobody comes in through it until it is on again. Passwords and passkeys go on working.',
    submit: 'Turn Off Provider',
  },
  deletion: {
    title: (name: string) => `Delete ${name}?`,
    text: 'Everybody who came in through it is signed out at once, its domains are free for others, and the accounts that people have there are linked to nobody any more. Passwords and passkeys go on working.',
    submit: 'Delete Provider',
  },
}

export const domains = {
  title: (provider: string) => `Domains of ${provider}`,
  none: 'No domain yet. Until one is verified, only people who linked their account themselves come in.',
  hint: 'Add the TXT record to the DNS of the domain, then verify it. Leave it there: whoever can prove the domain later, while your record is gone, takes it over.',
  columns: { domain: 'Domain', state: 'State', record: 'TXT record, its name and value' },
  verified: 'Verified',
  unverified: 'Not verified',
  verify: 'Verify',
  remove: 'Remove',
  name: 'Another domain',
  placeholder: 'example.com',
  add: 'Add Domain',
  removal: {
    title: (domain: string) => `Remove ${domain}?`,
    text: (domain: string, provider: string) =>
      `The sign-in page no longer offers ${provider} to e-mails of ${domain}, and nobody new comes in under them. To have it back it has to be verified again, by another record.`,
    submit: 'Remove Domain',
  },
}

export const providerForm = {
  addTitle: 'Add a sign-in provider',
  changeTitle: (name: string) => `Change ${name}`,
  redirect: 'Redirect address',
  redirectHint: 'Register it at the provider, for a confidential client with the authorization code flow.',
  name: 'Name',
  nameHint: 'What people are offered on the sign-in page.',
  issuer: 'Issuer',
  issuerHint:
    'The address below which the provider has /.well-known/openid-configuration; it is asked at once. It has to be of your own tenant.',
  issuerPlaceholder: 'https://id.example.com',
  clientId: 'Client id',
  clientSecret: 'Client secret',
  secretHint: 'Kept encrypted, and never shown again.',
  secretChangeHint: 'Leave it empty to keep the one it has.',
  domains: 'Domains',
  domainsHint:
    'Of the e-mails that the provider vouches for, with spaces between. Each counts once it is verified.',
  domainsPlaceholder: 'example.com example.org',
  add: 'Add Provider',
  save: 'Save',
}
