import { kindAt } from './client/kinds.ts'
import { describeAhead } from './client/use-kind.ts'

/** Where each page behind sign-in comes from, and the frame around them, by what it is called. */
export const innerPages = {
  Frame: () => import('./components/frame.tsx'),
  OverviewPage: () => import('./pages/overview.tsx'),
  MyWorkPage: () => import('./pages/my-work.tsx'),
  ToReadPage: () => import('./pages/to-read.tsx'),
  CalendarPage: () => import('./pages/calendar.tsx'),
  InboxPage: () => import('./pages/inbox.tsx'),
  OrganizationsPage: () => import('./pages/organizations.tsx'),
  ProfilePage: () => import('./pages/account/profile.tsx'),
  SecurityPage: () => import('./pages/account/security.tsx'),
  ConnectedAppsPage: () => import('./pages/account/connected-apps.tsx'),
  JobsPage: () => import('./pages/account/jobs.tsx'),
  NotificationsPage: () => import('./pages/account/notifications.tsx'),
  HelpPage: () => import('./pages/help.tsx'),
  RiskMatrixPage: () => import('./pages/risks/matrix.tsx'),
  ImportPage: () => import('./pages/import.tsx'),
  DiscoveredVendorsPage: () => import('./pages/vendors/discovered.tsx'),
  FrameworkMigrationPage: () => import('./pages/frameworks/migration.tsx'),
  FrameworkLibraryPage: () => import('./pages/frameworks/library.tsx'),
  FrameworkComparisonPage: () => import('./pages/frameworks/comparison.tsx'),
  FrameworkStatementPage: () => import('./pages/frameworks/statement.tsx'),
  PolicyUploadPage: () => import('./pages/policies/upload.tsx'),
  PolicyTemplatesPage: () => import('./pages/policies/templates.tsx'),
  EvidenceHubPage: () => import('./pages/evidence/hub.tsx'),
  SignInSettingsPage: () => import('./pages/settings/sign-in.tsx'),
  RiskMatrixSettingsPage: () => import('./pages/settings/risk-matrix.tsx'),
  AuditLogPage: () => import('./pages/settings/audit-log.tsx'),
  MailLogPage: () => import('./pages/settings/mail-log.tsx'),
  CustomFieldsPage: () => import('./pages/settings/custom-fields.tsx'),
  OrganizationPage: () => import('./pages/settings/organization.tsx'),
  MembersPage: () => import('./pages/settings/members.tsx'),
  ApiKeysPage: () => import('./pages/settings/api-keys.tsx'),
  WebhooksPage: () => import('./pages/settings/webhooks.tsx'),
  WebhookPage: () => import('./pages/settings/webhook.tsx'),
  DeliveriesPage: () => import('./pages/settings/deliveries.tsx'),
  DeliveryPage: () => import('./pages/settings/delivery.tsx'),
  SignatureBenchPage: () => import('./pages/settings/signature-bench.tsx'),
  AllConnectedAppsPage: () => import('./pages/settings/connected-apps.tsx'),
  RegisterPage: () => import('./pages/register.tsx'),
  RecordPage: () => import('./pages/record.tsx'),
}

export type InnerPage = keyof typeof innerPages

/** Fetches the kinds that a page draws for certain, by their paths: they come beside its code. */
export const fetchKinds = (paths: readonly string[]): void =>
  describeAhead(...paths.flatMap((path) => kindAt(path) ?? []))
