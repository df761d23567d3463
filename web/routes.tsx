import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { PAGES, RECORD, REGISTER } from '../server/doors/web-app/pages.ts'
import { fetchCode } from './client/fetch-code.ts'
import { isLocalPath } from './client/local-path.ts'
import { queries } from './client/queries.ts'
import { stringifySearch } from './client/search.ts'
import { type SignedIn, sessionQuery } from './client/session.ts'
import type { View as DeliveryView } from './pages/settings/deliveries/view.ts'
import { IdentityGuard } from './parts/identity-guard.tsx'
import { PageFault, PageMissing } from './parts/page-fault.tsx'

/*
 * Which page is drawn where; the paths are the service's (server/doors/web-app/pages.ts). Every page is loaded
 * when it is first gone to.
 */

/** Loaded when it is first gone to. */
const page: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => fetchCode(load), name)

const root = createRootRoute({ component: Root, notFoundComponent: PageMissing })

/**
 * Pages for who is signed in; others sign in first, and come back. The settings are for who may change them:
 * everybody else lands on the overview, wherever in there they wanted to go.
 */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    const session = await queries.ensureQueryData(sessionQuery)
    if (session.state === 'signed_in') return keepOutOfSettings(location.pathname, session)
    const here = location.pathname + location.searchStr
    throw redirect({ to: PAGES.signIn, search: here === '/' ? {} : { returnTo: here } })
  },
  component: page(() => import('./parts/frame.tsx'), 'Frame'),
})

function keepOutOfSettings(path: string, { capabilities }: SignedIn): void {
  if (/^\/settings(\/|$)/i.test(path) && !capabilities.includes('settings.manage'))
    throw redirect({ to: PAGES.overview, replace: true })
}

function Root() {
  return (
    <IdentityGuard>
      <Outlet />
    </IdentityGuard>
  )
}

interface ReturnTo {
  returnTo?: string | undefined
}

const open = [
  createRoute({
    getParentRoute: () => root,
    path: PAGES.signIn,
    // Named even where it is none: the router lets what was not named stand as it came.
    validateSearch: ({ returnTo }: Record<string, unknown>): ReturnTo => ({
      returnTo: isLocalPath(returnTo) ? returnTo : undefined,
    }),
    component: page(() => import('./pages/sign-in.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: PAGES.setUp,
    component: page(() => import('./pages/set-up.tsx'), 'SetUpPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: PAGES.invitation,
    component: page(() => import('./pages/invitation.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: PAGES.reset,
    component: page(() => import('./pages/reset.tsx'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: PAGES.consent,
    component: page(() => import('./pages/consent.tsx'), 'ConsentPage'),
  }),
] as const

interface Rated {
  rating?: 'inherent' | 'residual' | undefined
}

const behindSignIn = [
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.overview,
    component: page(() => import('./pages/overview.tsx'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.organizations,
    component: page(() => import('./pages/organizations.tsx'), 'OrganizationsPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.accountSecurity,
    component: page(() => import('./pages/account/security.tsx'), 'SecurityPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.accountConnectedApps,
    component: page(() => import('./pages/account/connected-apps.tsx'), 'ConnectedAppsPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.riskMatrix,
    validateSearch: ({ rating }: Record<string, unknown>): Rated => ({
      rating: rating === 'inherent' || rating === 'residual' ? rating : undefined,
    }),
    component: page(() => import('./pages/risks/matrix.tsx'), 'RiskMatrixPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.settingsSignIn,
    component: page(() => import('./pages/settings/sign-in.tsx'), 'SignInSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.settingsAuditLog,
    component: page(() => import('./pages/settings/audit-log.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    // What follows may also be nothing: then the first of the pages is meant.
    path: PAGES.settingsElsewhere,
    beforeLoad: ({ params }) => {
      throw params._splat ? notFound() : redirect({ to: PAGES.settingsOrganization, replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.settingsOrganization,
    component: page(() => import('./pages/settings/organization.tsx'), 'OrganizationPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.settingsMembers,
    component: page(() => import('./pages/settings/members.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.settingsApiKeys,
    component: page(() => import('./pages/settings/api-keys.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.settingsWebhooks,
    component: page(() => import('./pages/settings/webhooks.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.settingsWebhook,
    component: page(() => import('./pages/settings/webhook.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.settingsDeliveries,
    validateSearch: (search: Record<string, unknown>) => search as DeliveryView,
    component: page(() => import('./pages/settings/deliveries.tsx'), 'DeliveriesPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.settingsDelivery,
    component: page(() => import('./pages/settings/delivery.tsx'), 'DeliveryPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.settingsSignatureBench,
    validateSearch: (search: Record<string, unknown>) => search as { delivery?: string },
    component: page(() => import('./pages/settings/signature-bench.tsx'), 'SignatureBenchPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.settingsConnectedApps,
    component: page(() => import('./pages/settings/connected-apps.tsx'), 'AllConnectedAppsPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: REGISTER,
    component: page(() => import('./pages/register.tsx'), 'RegisterPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: RECORD,
    component: page(() => import('./pages/record.tsx'), 'RecordPage'),
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren([...open, inside.addChildren([...behindSignIn])]),
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultErrorComponent: PageFault,
  stringifySearch,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
