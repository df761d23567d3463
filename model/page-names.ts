/** What the pages of the app are called, in its navigation and wherever a document sends somebody there. */
export const PAGE_NAMES = {
  overview: 'Overview',
  inbox: 'Inbox',
  myWork: 'My work',
  calendar: 'Calendar',
  riskMatrix: 'Risk matrix',
  discoveredVendors: 'Discovered',
  evidenceHub: 'Evidence status',
  frameworkLibrary: 'Framework library',
  policyTemplates: 'Policy templates',
  profile: 'Profile',
  security: 'Security',
  connectedApps: 'Connected apps',
  jobs: 'Jobs and imports',
  notifications: 'Notifications',
  ownOrganization: 'Organization',
  members: 'Members',
  signInProviders: 'Sign-in',
  customFields: 'Custom fields',
  riskMatrixSettings: 'Levels of risk',
  apiKeys: 'API keys',
  auditLog: 'Audit log',
  mailLog: 'Mail log',
  allConnectedApps: 'All connected apps',
  webhooks: 'Webhooks',
  deliveries: 'Delivery log',
  signatureBench: 'Signature checker',
  help: 'Help',
} as const

/** What stands on the buttons that a document sends somebody to. */
export const BUTTONS = {
  addEndpoint: 'Add endpoint',
  newWebhookKey: 'New webhook-management key',
  testEndpoint: 'Send test',
} as const

/** The parts of the navigation they stand under. */
export const PAGE_GROUPS = { account: 'Your account', settings: 'Settings', developer: 'Developer' } as const
