export const connectedApps = {
  mine: {
    title: 'Connected apps',
    text: 'Programs that act for you with your rights, as far as you allowed. Revoke what you do not use.',
    empty:
      'Nothing is connected. Add this service to an agent or tool by its MCP address, and it asks for you here:',
  },
  all: {
    title: 'All connected apps',
    text: 'Programs that people of this organization let in. Each has at most the rights of its person.',
    empty:
      'Nobody has connected a program. People add this service to their agent or tool by its MCP address:',
  },
  columns: {
    app: 'App',
    person: 'Person',
    scopes: 'May',
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
    mine: 'It loses access at once: its next call is refused, and to come back it has to ask you again. Your sessions and API keys go on.',
    theirs: (person: string) =>
      `It loses access at once: its next call is refused, and to come back it has to ask ${person} again. Sessions and API keys of ${person} go on.`,
    submit: 'Revoke App',
  },
}

export const scopeCount = {
  scopes: (count: number) => (count === 1 ? '1 scope' : `${count} scopes`),
  reduced: (left: number, count: number) => `${left} of ${count} scopes`,
  reducedHint: 'The role allows no more just now.',
}

export const consent = {
  signedInAs: (email: string) => `Signed in as ${email}`,
  title: (name: string) => `Let ${name} in?`,
  loadingTitle: 'A program asks to be let in',
  signIn: 'Sign in to see what it asks for.',
  wants: 'It would act for you, with what you leave ticked. You can end that at any time.',
  returnsTo: 'You go back to',
  local: {
    title: 'It runs on this computer',
    text: 'Any program here can call itself so. Go on only if you have just started this yourself.',
  },
  unverified: 'Its name is its own word; the address above is where the access goes.',
  site: 'Website',
  organization: 'Organization',
  fixed: 'It has access to this organization already and asks for more.',
  as: (person: string, role: string) => `You are ${person}, ${role} there.`,
  groups: { read: 'Read', write: 'Change', webhooks: 'Webhooks' },
  had: 'has it already',
  roleLacks: (roles: string) => `Your role does not have this: ${roles} only.`,
  more: (count: number) => `Offer ${count} more`,
  moreHint: 'Some programs never ask again. What you tick now they can use later.',
  nothingLeft: 'Leave at least one ticked.',
  approve: 'Approve',
  deny: 'Deny',
  notYou: 'Not you?',
  other: 'Use another account',
}
