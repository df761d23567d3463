export const secondFactorRule = {
  title: 'Second factor',
  on: 'Required',
  off: 'Optional',
  text: 'When it is required, everybody who signs in with a password has to set up an authenticator app or a passkey first. Members shows who has one.',
  turnOn: 'Require second factor',
  turnOff: 'Make optional',
  turningOn: {
    title: 'Require a second factor for everybody?',
    text: 'It takes effect immediately: members without one have to set one up before they can do anything else here. API keys and connected apps keep working. People who sign in through your sign-in provider are not asked: set the requirement there.',
    submit: 'Require second factor',
  },
  turningOff: {
    title: 'Make the second factor optional?',
    text: 'Members who have one keep it, and may remove it.',
    submit: 'Make optional',
  },
}

export const signInProviders = {
  title: 'Sign-in',
  providers: 'Sign-in providers',
  text: 'How people sign in to your organization.',
  providersText:
    'People may sign in through an OpenID Connect provider of your organization (Entra ID, Google Workspace, Okta, Keycloak…). Their passwords and passkeys here keep working.',
  empty:
    'No providers yet. Register a confidential client with the authorization code flow at your provider, with this redirect address, then add the provider here.',
  add: 'Add provider',
  on: 'On',
  off: 'Off',
  change: 'Change',
  turnOff: 'Turn off',
  turnOn: 'Turn on',
  delete: 'Delete',
  labelOf: (verb: string, provider: string) => `${verb} ${provider}`,
  facts: { issuer: 'Issuer', clientId: 'Client id', redirect: 'Redirect address' },
  turningOff: {
    title: (name: string) => `Turn off ${name}?`,
    text: 'Everybody who signed in through it is signed out immediately, and nobody can sign in through it until it is on again. Passwords and passkeys keep working.',
    submit: 'Turn off provider',
  },
  deletion: {
    title: (name: string) => `Delete ${name}?`,
    text: 'Everybody who signed in through it is signed out immediately, other organizations can verify its domains, and the accounts that people have there are no longer linked. Passwords and passkeys keep working.',
    submit: 'Delete provider',
  },
}

export const domains = {
  title: (provider: string) => `Domains of ${provider}`,
  none: 'No domain yet. Until one is verified, only people who linked their account themselves can sign in.',
  hint: 'Add the TXT record to the DNS of the domain, then verify it. Keep the record: without it, another organization that proves the domain takes it over.',
  columns: { domain: 'Domain', state: 'State', record: 'TXT record, its name and value' },
  verified: 'Verified',
  unverified: 'Not verified',
  verify: 'Verify',
  remove: 'Remove',
  name: 'Another domain',
  placeholder: 'example.com',
  add: 'Add domain',
  removal: {
    title: (domain: string) => `Remove ${domain}?`,
    text: (domain: string, provider: string) =>
      `The sign-in page no longer offers ${provider} to e-mails of ${domain}, and nobody new can sign in with them. To use the domain again, verify it with a new record.`,
    submit: 'Remove domain',
  },
}

export const providerForm = {
  addTitle: 'Add a sign-in provider',
  changeTitle: (name: string) => `Change ${name}`,
  redirect: 'Redirect address',
  redirectHint: 'Register it at the provider, for a confidential client with the authorization code flow.',
  name: 'Name',
  nameHint: 'Shown on the sign-in page.',
  issuer: 'Issuer',
  issuerHint:
    'The address under which the provider has /.well-known/openid-configuration, for your own tenant. It is checked when you save.',
  issuerPlaceholder: 'https://id.example.com',
  clientId: 'Client id',
  clientSecret: 'Client secret',
  secretHint: 'Stored encrypted, and never shown again.',
  secretChangeHint: 'Leave it empty to keep the current one.',
  domains: 'Domains',
  domainsHint:
    'Of the e-mails that the provider signs in, separated by spaces. Each takes effect once it is verified.',
  domainsPlaceholder: 'example.com example.org',
  add: 'Add provider',
  save: 'Save',
}
