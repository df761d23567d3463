import { Burger, Group, Text } from '@mantine/core'
import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useExports } from '../client/exports.ts'
import { fetchCode } from '../client/fetch-code.ts'
import { useSameEverywhere } from '../client/same-everywhere.ts'
import { identityOf, SignedInContext, sessionQuery } from '../client/session.ts'
import { useDrawn } from '../client/use-drawn.ts'
import { usePreloaded } from '../client/use-preloaded.ts'
import { everyPage } from '../copy/every-page.ts'
import { frame, signOut } from '../copy/frame.ts'
import { HelpLink } from './frame/help-link.tsx'
import { Navigation } from './frame/navigation.tsx'
import { OrganizationMenu } from './frame/organization-menu.tsx'
import { PaletteButton } from './frame/palette-button.tsx'
import { PersonMenu } from './frame/person-menu.tsx'
import { isOfOneself } from './frame/places.ts'
import { ReachBanner } from './frame/reach-banner.tsx'
import { NotDone } from './frame/session-change.tsx'
import { useSignOut } from './frame/sign-out.ts'
import styles from './frame.module.css'
import { Mark } from './mark.tsx'
import { PagePending } from './page-skeleton.tsx'

const SecondFactorNeeded = lazy(() =>
  fetchCode(() => import('../pages/account/second-factor-needed.tsx')).then((all) => ({
    default: all.SecondFactorNeeded,
  })),
)

const ShutOffNotice = lazy(() =>
  fetchCode(() => import('./frame/shut-off-notice.tsx')).then((all) => ({ default: all.ShutOffNotice })),
)

const ExportNotices = lazy(() =>
  fetchCode(() => import('./frame/export-notices.tsx')).then((all) => ({ default: all.ExportNotices })),
)

const InboxBell = lazy(() =>
  fetchCode(() => import('./frame/inbox-bell.tsx')).then((all) => ({ default: all.InboxBell })),
)

const YoursPage = lazy(() =>
  fetchCode(() => import('../pages/yours.tsx')).then((all) => ({ default: all.YoursPage })),
)

const NAVIGATION = 'navigation'
/** Below it the navigation is a drawer. */
const BREAKPOINT = 900
const CONTENT = 'content'
/**
 * While a dialog stops the page from scrolling, what is fixed keeps as far from its edge as it was
 * (react-remove-scroll).
 */
const BESIDE_SCROLLBAR = 'right-scroll-bar-position'

/** What stands around every page of the app: where one is, who one is, and where to go. */
export function Frame() {
  const { data: session } = useQuery(sessionQuery)
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const isBeside = useMediaQuery(`(width >= ${BREAKPOINT}px)`, true, { getInitialValueInEffect: false })
  const [wanted, setWanted] = useLocalStorage<'wide' | 'narrow'>({
    key: 'plumbline navigation',
    defaultValue: 'wide',
    getInitialValueInEffect: false,
  })
  const isNarrow = isBeside && wanted === 'narrow'
  // First what stands around a page; the page is drawn in pieces then, so that the browser answers meanwhile.
  const isPageDue = useDrawn()
  const leaving = useSignOut()
  const { pathname } = useLocation()
  const left = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the page changes
  useEffect(close, [pathname])

  useSameEverywhere(session && identityOf(session))

  const following = usePreloaded('follow-changes', () => import('../client/follow-changes.ts'))
  // Whose view is limited to their own may not ask what changed.
  const isOpenHere =
    session?.state === 'signed_in' && !session.lacksSecondFactor && session.limitedView !== 'self_service'
  useEffect(() => (isOpenHere ? following?.followChanges() : undefined), [following, isOpenHere])

  const [exports] = useExports()

  if (session?.state === 'signed_out') return <Navigate to="/sign-in" search={{ returnTo: pathname }} />
  if (!session) return null
  const isLimited = session.limitedView === 'self_service'
  if (isLimited && !isOfOneself(pathname)) return <Navigate to="/" />
  // Then nothing else is open here: what leads there is not drawn.
  const isShut = session.lacksSecondFactor
  return (
    <SignedInContext value={session}>
      <a className={styles.skip} href={`#${CONTENT}`}>
        {frame.skip}
      </a>
      <div className={styles.frame} data-navigation={isShut ? 'none' : isNarrow ? 'narrow' : 'wide'}>
        <header className={`${styles.header} ${BESIDE_SCROLLBAR}`}>
          <Group h="100%" wrap="nowrap" className={styles.top}>
            {!isShut && (
              <Burger
                className={styles.burger}
                size="xs"
                opened={isOpen}
                onClick={toggle}
                aria-controls={NAVIGATION}
                aria-expanded={isOpen}
                aria-label={isOpen ? frame.closeNavigation : frame.openNavigation}
              />
            )}
            <Group gap={8} c="var(--mantine-color-anchor)" wrap="nowrap" className={styles.name}>
              <Mark size={20} />
              <Text fw={600} size="sm" c="var(--mantine-color-text)" className={styles.wide}>
                {everyPage.name}
              </Text>
            </Group>
            <OrganizationMenu />
            <Group ml="auto" wrap="nowrap" gap={4}>
              {!isShut && !isLimited && <PaletteButton leave={leaving.go} />}
              {!isShut && (
                <Suspense fallback={<span className={styles.bell} />}>
                  <InboxBell />
                </Suspense>
              )}
              <HelpLink />
              <PersonMenu leaving={leaving} />
            </Group>
          </Group>
        </header>
        {!isShut && (
          <nav id={NAVIGATION} className={styles.navigation} data-open={isOpen}>
            <Navigation isNarrow={isNarrow} toggle={() => setWanted(isNarrow ? 'wide' : 'narrow')} />
          </nav>
        )}
        <main id={CONTENT} tabIndex={-1} className={styles.main}>
          {isShut ? (
            <Suspense fallback={<PagePending />}>
              <SecondFactorNeeded />
            </Suspense>
          ) : isPageDue ? (
            <>
              {session.capabilities.includes('settings.manage') && (
                <Suspense>
                  <ShutOffNotice />
                </Suspense>
              )}
              {/* Until the next page is there the router still draws the one at that path, which is not for them. */}
              {isLimited && (pathname === '/' || left === '/') ? (
                <Suspense fallback={<PagePending />}>
                  <YoursPage />
                </Suspense>
              ) : (
                <Outlet />
              )}
            </>
          ) : (
            <PagePending />
          )}
        </main>
        <ReachBanner />
        {isOpenHere && exports.length > 0 && (
          <Suspense>
            <ExportNotices />
          </Suspense>
        )}
        <NotDone change={leaving} words={signOut.failed} />
      </div>
    </SignedInContext>
  )
}
