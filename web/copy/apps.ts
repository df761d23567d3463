export const connectedApps = {
  mine: {
    title: 'Connected apps',
    text: 'Programs that act for you, within the scopes you approved. Revoke those you do not use.',
    empty:
      'No app is connected. Add this service to an agent or tool by its MCP address, and it will ask for your approval:',
  },
  all: {
    title: 'All connected apps',
    text: 'Programs that members of this organization approved. Each has at most the rights of the member who approved it.',
    empty: 'No app is connected. Members add this service to their agent or tool by its MCP address:',
  },
  columns: {
    app: 'App',
    person: 'Person',
    scopes: 'Scopes',
    used: 'Last used',
    approved: 'Approved',
    state: 'State',
  },
  never: 'Never',
  states: { active: 'Active', revoked: 'Revoked', expired: 'Expired' },
  inactivePerson: 'not active',
  revoke: 'Revoke',
  revocation: {
    title: (name: string) => `Revoke ${name}?`,
    mine: 'It loses access immediately: its next call is refused, and it has to ask for your approval again. Your sessions and API keys keep working.',
    theirs: (person: string) =>
      `It loses access immediately: its next call is refused, and it has to ask ${person} for approval again. Sessions and API keys of ${person} keep working.`,
    submit: 'Revoke app',
  },
}

export const scopeCount = {
  scopes: (count: number) => (count === 1 ? '1 scope' : `${count} scopes`),
  reduced: (left: number, count: number) => `${left} of ${count} scopes`,
  reducedHint: 'The person’s current role allows no more.',
}

export const consent = {
  signedInAs: (email: string) => `Signed in as ${email}`,
  title: (name: string) => `Authorize ${name}?`,
  loadingTitle: 'An app asks for access',
  signIn: 'Sign in to see what it asks for.',
  wants: 'It will act for you, with the scopes you leave selected. You can revoke its access at any time.',
  returnsTo: 'You will return to',
  local: {
    title: 'It runs on this computer',
    text: 'Any program on this computer can use this name. Continue only if you have just started it yourself.',
  },
  unverified: 'The name is not verified. Access is given to the address above.',
  site: 'Website',
  organization: 'Organization',
  fixed: 'It has access to this organization already and asks for more.',
  as: (person: string, role: string) => `You are ${person}, ${role} there.`,
  groups: { read: 'Read', write: 'Change', webhooks: 'Webhooks' },
  had: 'already granted',
  roleLacks: (roles: string) => `Your role does not allow this: ${roles} only.`,
  more: (count: number) => `Show ${count} more`,
  moreHint: 'Some apps never ask again. What you select now, they can use later.',
  nothingLeft: 'Select at least one scope.',
  approve: 'Approve',
  deny: 'Deny',
  notYou: 'Not you?',
  other: 'Use another account',
}
