/**
 * The pages of the web app and where they are: the service answers these paths with the app, and the app's router draws
 * a page for each; that of guests has a document of its own (web/guest.html). `$name` is what varies, a last `$` is
 * whatever follows. Every other path stays what it is.
 */
export const PAGES = {
  overview: '/',
  setUp: '/set-up',
  signIn: '/sign-in',
  invitation: '/invitation',
  reset: '/reset',
  organizations: '/organizations',
  consent: '/consent/$uid',
  guest: '/guest',
  toRead: '/to-read/$id',
  inbox: '/inbox',
  myWork: '/my-work',
  calendar: '/calendar',
  accountProfile: '/account/profile',
  accountSecurity: '/account/security',
  accountConnectedApps: '/account/connected-apps',
  accountJobs: '/account/jobs',
  accountNotifications: '/account/notices',
  help: '/help',
  riskMatrix: '/risks/matrix',
  discoveredVendors: '/vendors/discovered',
  evidenceHub: '/evidence/hub',
  frameworkLibrary: '/frameworks/library',
  frameworkComparison: '/frameworks/$id/comparison',
  frameworkStatement: '/frameworks/$id/statement-of-applicability',
  policyTemplates: '/policies/templates',
  policyUpload: '/policies/upload',
  frameworkMigration: '/frameworks/$id/migration',
  importFile: '/import/$register',
  settings: '/settings',
  settingsOrganization: '/settings/organization',
  settingsMembers: '/settings/members',
  settingsSignIn: '/settings/sign-in',
  settingsApiKeys: '/settings/api-keys',
  settingsWebhooks: '/settings/webhooks',
  settingsWebhook: '/settings/webhooks/$id',
  settingsDeliveries: '/settings/deliveries',
  settingsDelivery: '/settings/deliveries/$id',
  settingsSignatureBench: '/settings/signature-bench',
  settingsMail: '/settings/mail',
  settingsCustomFields: '/settings/custom-fields',
  settingsRiskMatrix: '/settings/risk-matrix',
  settingsAuditLog: '/settings/audit-log',
  settingsConnectedApps: '/settings/connected-apps',
  settingsElsewhere: '/settings/$',
} as const

/** The list of a kind and one record of it, for every kind of the list by its path. */
export const REGISTER = '/$register'
export const RECORD = '/$register/$id'
