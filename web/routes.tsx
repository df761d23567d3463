import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useMatches,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PAGES, RECORD, REGISTER } from '../model/pages.ts'
import { fetchCode } from './client/fetch-code.ts'
import { isLocalPath } from './client/local-path.ts'
import { queries } from './client/queries.ts'
import { stringifySearch } from './client/search.ts'
import { sessionQuery } from './client/session.ts'
import { IdentityGuard } from './components/identity-guard.tsx'
import { PageFault, PageMissing } from './components/page-fault.tsx'
import { PagePending, type PageShape, PageShapeContext } from './components/page-skeleton.tsx'
import type { InnerPage } from './inner-pages.ts'
import type { View as DeliveryView } from './pages/settings/deliveries/view.ts'

/*
 * Which page is drawn where; the paths are the service's (model/pages.ts). Every page is loaded
 * when it is first gone to. Where those behind sign-in come from is itself loaded with the first of them, so
 * that the pages before it do not carry the names of all.
 */

/** Loaded when it is first gone to. */
const page: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => fetchCode(load), name)

const innerPage = (name: InnerPage) =>
  page<Record<InnerPage, () => ReactNode>, InnerPage>(
    () => import('./inner-pages.ts').then(({ innerPages }) => innerPages[name]() as Promise<never>),
    name,
  )

/** A page behind sign-in, and its shape until it is there. */
const inner = (name: InnerPage, shape: PageShape) => ({ component: innerPage(name), staticData: { shape } })

/** Fetches beside the code of a page the kinds it draws, by their paths; what goes wrong is told by the page. */
const withKinds = (...paths: string[]): void =>
  void import('./inner-pages.ts').then(({ fetchKinds }) => fetchKinds(paths)).catch(() => {})

const root = createRootRoute({ component: Root, notFoundComponent: PageMissing })

/** Pages for who is signed in; others sign in first, and come back. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    const session = await queries.ensureQueryData(sessionQuery)
    if (session.state === 'signed_in') return
    const here = location.pathname + location.searchStr
    throw redirect({ to: PAGES.signIn, search: here === '/' ? {} : { returnTo: here } })
  },
  component: innerPage('Frame'),
  // The document shows a skeleton already, which ends as the app begins.
  pendingMs: 0,
})

/** The settings are for people who may change them, and the audit log for auditors too. Others get to the overview. */
const settings = createRoute({
  getParentRoute: () => inside,
  id: 'settings',
  beforeLoad: async ({ location: { pathname } }) => {
    const session = await queries.ensureQueryData(sessionQuery)
    if (session.state !== 'signed_in' || session.capabilities.includes('settings.manage')) return
    if (session.limitedView === 'auditor' && pathname === PAGES.settingsAuditLog) return
    throw redirect({ to: PAGES.overview, replace: true })
  },
})

function Root() {
  const shape = useMatches({ select: (matches) => matches.at(-1)?.staticData.shape ?? 'table' })
  return (
    <IdentityGuard>
      <PageShapeContext value={shape}>
        <Outlet />
      </PageShapeContext>
    </IdentityGuard>
  )
}

interface ReturnTo {
  returnTo?: string | undefined
}

const entrance = { pendingMs: 0, staticData: { shape: 'entrance' } } as const

const open = [
  createRoute({
    getParentRoute: () => root,
    path: PAGES.signIn,
    // Named even where it is none: the router lets what was not named stand as it came.
    validateSearch: ({ returnTo }: Record<string, unknown>): ReturnTo => ({
      returnTo: isLocalPath(returnTo) ? returnTo : undefined,
    }),
    component: page(() => import('./pages/sign-in.tsx'), 'SignInPage'),
    ...entrance,
  }),
  createRoute({
    getParentRoute: () => root,
    path: PAGES.setUp,
    component: page(() => import('./pages/set-up.tsx'), 'SetUpPage'),
    ...entrance,
  }),
  createRoute({
    getParentRoute: () => root,
    path: PAGES.invitation,
    component: page(() => import('./pages/invitation.tsx'), 'InvitationPage'),
    ...entrance,
  }),
  createRoute({
    getParentRoute: () => root,
    path: PAGES.reset,
    component: page(() => import('./pages/reset.tsx'), 'ResetPage'),
    ...entrance,
  }),
  createRoute({
    getParentRoute: () => root,
    path: PAGES.consent,
    component: page(() => import('./pages/consent.tsx'), 'ConsentPage'),
    ...entrance,
  }),
] as const

interface Rated {
  rating?: 'inherent' | 'residual' | undefined
}

interface Compared {
  with?: string | undefined
  tab?: string | undefined
}

/** Which statement of applicability is shown: that of a day, or an approved one; else as it is now. */
interface Stated {
  asOf?: string | undefined
  version?: number | undefined
}

const behindSignIn = [
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.overview,
    // The first steps are shown again to whoever asks for them.
    validateSearch: ({ steps }: Record<string, unknown>): { steps?: true | undefined } => ({
      steps: steps === true || steps === 'true' ? true : undefined,
    }),
    loader: () => withKinds('risks', 'controls'),
    ...inner('OverviewPage', 'cards'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.organizations,
    ...inner('OrganizationsPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.inbox,
    ...inner('InboxPage', 'list'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.myWork,
    ...inner('MyWorkPage', 'list'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.toRead,
    ...inner('ToReadPage', 'form'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.calendar,
    ...inner('CalendarPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.accountProfile,
    ...inner('ProfilePage', 'form'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.accountSecurity,
    ...inner('SecurityPage', 'form'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.accountConnectedApps,
    ...inner('ConnectedAppsPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.accountJobs,
    ...inner('JobsPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.accountNotifications,
    ...inner('NotificationsPage', 'form'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.help,
    ...inner('HelpPage', 'form'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.riskMatrix,
    validateSearch: ({ rating }: Record<string, unknown>): Rated => ({
      rating: rating === 'inherent' || rating === 'residual' ? rating : undefined,
    }),
    loader: () => withKinds('risks'),
    ...inner('RiskMatrixPage', 'matrix'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.discoveredVendors,
    loader: () => withKinds('vendors'),
    ...inner('DiscoveredVendorsPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.evidenceHub,
    loader: () => withKinds('evidence', 'controls'),
    ...inner('EvidenceHubPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.frameworkLibrary,
    loader: () => withKinds('frameworks'),
    ...inner('FrameworkLibraryPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.frameworkComparison,
    validateSearch: ({ with: other, tab }: Record<string, unknown>): Compared => ({
      with: typeof other === 'string' ? other : undefined,
      tab: tab === 'mappings' ? tab : undefined,
    }),
    loader: () => withKinds('frameworks'),
    ...inner('FrameworkComparisonPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.frameworkStatement,
    validateSearch: ({ asOf, version }: Record<string, unknown>): Stated => ({
      asOf: typeof asOf === 'string' ? asOf : undefined,
      version: Number.isInteger(Number(version)) && Number(version) > 0 ? Number(version) : undefined,
    }),
    loader: () => withKinds('frameworks'),
    ...inner('FrameworkStatementPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.policyTemplates,
    loader: () => withKinds('policies'),
    ...inner('PolicyTemplatesPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.policyUpload,
    loader: () => withKinds('policies'),
    ...inner('PolicyUploadPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.frameworkMigration,
    loader: () => withKinds('frameworks', 'requirements'),
    ...inner('FrameworkMigrationPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.importFile,
    validateSearch: ({ id }: Record<string, unknown>): { id?: string | undefined } => ({
      id: typeof id === 'string' ? id : undefined,
    }),
    ...inner('ImportPage', 'form'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: REGISTER,
    loader: ({ params }) => withKinds(params.register),
    ...inner('RegisterPage', 'list'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: RECORD,
    loader: ({ params }) => withKinds(params.register),
    ...inner('RecordPage', 'record'),
  }),
] as const

const inSettings = [
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsSignIn,
    ...inner('SignInSettingsPage', 'form'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsRiskMatrix,
    loader: () => withKinds('risks', 'risk-treatments'),
    ...inner('RiskMatrixSettingsPage', 'form'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsAuditLog,
    ...inner('AuditLogPage', 'list'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsMail,
    ...inner('MailLogPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsCustomFields,
    ...inner('CustomFieldsPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => settings,
    // What follows may also be nothing: then the first of the pages is meant.
    path: PAGES.settingsElsewhere,
    beforeLoad: ({ params }) => {
      if (!params._splat) throw redirect({ to: PAGES.settingsOrganization, replace: true })
    },
    component: PageMissing,
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsOrganization,
    ...inner('OrganizationPage', 'form'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsMembers,
    ...inner('MembersPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsApiKeys,
    ...inner('ApiKeysPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsWebhooks,
    ...inner('WebhooksPage', 'table'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsWebhook,
    ...inner('WebhookPage', 'record'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsDeliveries,
    validateSearch: (search: Record<string, unknown>) => search as DeliveryView,
    ...inner('DeliveriesPage', 'list'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsDelivery,
    ...inner('DeliveryPage', 'record'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsSignatureBench,
    validateSearch: (search: Record<string, unknown>) => search as { delivery?: string },
    ...inner('SignatureBenchPage', 'form'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsConnectedApps,
    ...inner('AllConnectedAppsPage', 'table'),
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren([
    ...open,
    inside.addChildren([...behindSignIn, settings.addChildren([...inSettings])]),
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageFault,
  stringifySearch,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    shape?: PageShape
  }
  interface HistoryState {
    /** What was typed on the page before, kept out of the address: addresses are logged. */
    email?: string
  }
}
