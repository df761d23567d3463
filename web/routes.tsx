import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PAGES, RECORD, REGISTER } from '../server/doors/web-app/pages.ts'
import { fetchCode } from './client/fetch-code.ts'
import { isLocalPath } from './client/local-path.ts'
import { queries } from './client/queries.ts'
import { stringifySearch } from './client/search.ts'
import { sessionQuery } from './client/session.ts'
import type { InnerPage } from './inner-pages.ts'
import type { View as DeliveryView } from './pages/settings/deliveries/view.ts'
import { IdentityGuard } from './parts/identity-guard.tsx'
import { PageFault, PageMissing } from './parts/page-fault.tsx'

/*
 * Which page is drawn where; the paths are the service's (server/doors/web-app/pages.ts). Every page is loaded
 * when it is first gone to. Where those behind sign-in come from is itself loaded with the first of them, so
 * that the pages before it do not carry the names of all.
 */

/** Loaded when it is first gone to. */
const page: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => fetchCode(load), name)

const inner = (name: InnerPage) =>
  page<Record<InnerPage, () => ReactNode>, InnerPage>(
    () => import('./inner-pages.ts').then(({ innerPages }) => innerPages[name]() as Promise<never>),
    name,
  )

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
  component: inner('Frame'),
})

/** The settings are for who may change them. */
const settings = createRoute({
  getParentRoute: () => inside,
  id: 'settings',
  component: inner('SettingsGate'),
})

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

const behindSignIn = [
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.overview,
    component: inner('OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.organizations,
    component: inner('OrganizationsPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.accountProfile,
    component: inner('ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.accountSecurity,
    component: inner('SecurityPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.accountConnectedApps,
    component: inner('ConnectedAppsPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.help,
    component: inner('HelpPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: PAGES.riskMatrix,
    component: inner('RiskMatrixPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: REGISTER,
    component: inner('RegisterPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: RECORD,
    component: inner('RecordPage'),
  }),
] as const

const inSettings = [
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsSignIn,
    component: inner('SignInSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsAuditLog,
    component: inner('AuditLogPage'),
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
    component: inner('OrganizationPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsMembers,
    component: inner('MembersPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsApiKeys,
    component: inner('ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsWebhooks,
    component: inner('WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsWebhook,
    component: inner('WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsDeliveries,
    validateSearch: (search: Record<string, unknown>) => search as DeliveryView,
    component: inner('DeliveriesPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsDelivery,
    component: inner('DeliveryPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsSignatureBench,
    validateSearch: (search: Record<string, unknown>) => search as { delivery?: string },
    component: inner('SignatureBenchPage'),
  }),
  createRoute({
    getParentRoute: () => settings,
    path: PAGES.settingsConnectedApps,
    component: inner('AllConnectedAppsPage'),
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren([
    ...open,
    inside.addChildren([...behindSignIn, settings.addChildren([...inSettings])]),
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultErrorComponent: PageFault,
  stringifySearch,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** What was typed on the page before, kept out of the address: addresses are logged. */
    email?: string
  }
}
