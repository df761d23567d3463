import { NavLink, Stack, Text } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactElement, useEffect, useRef } from 'react'
import { useSignedIn } from '../../client/session.ts'
import { usePreloaded } from '../../client/use-preloaded.ts'
import { frame } from '../../copy/frame.ts'
import styles from './navigation.module.css'
import { type Place, placesFor } from './places.ts'

/**
 * The pages of the app in their groups.
 * @param isNarrow with pictures alone, and the words when one points at them
 */
export function Navigation({ isNarrow, toggle }: { isNarrow: boolean; toggle: () => void }) {
  const groups = placesFor(useSignedIn())
  const { pathname } = useLocation()
  const here = hereOf(
    // What is brought into a list belongs to it.
    pathname.replace('/import/', '/'),
    groups.flatMap(({ places }) => places),
  )
  const list = useRef<HTMLDivElement>(null)
  // A low window shows some of the pages: always the one that is open. It may only come with the drawer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another place
  useEffect(() => {
    const open = list.current?.querySelector('[aria-current=page]')
    if (open) reveal(list.current!, open)
  }, [here])
  const Toggle = isNarrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  const toggleWord = isNarrow ? frame.widenNavigation : frame.narrowNavigation
  return (
    <>
      <div className={styles.groups} ref={list}>
        <Stack gap={0} component="ul" className={styles.list} aria-label={frame.navigation}>
          {groups.map(({ label, places }) => (
            <Stack key={label} component="li" gap={0} className={styles.group}>
              {label && !isNarrow && (
                <Text component="div" size="xs" fw={500} c="dimmed" px="xs" pb={4}>
                  {label}
                </Text>
              )}
              <Stack gap={0} component="ul" className={styles.list} aria-label={label ?? frame.overview}>
                {places.map((place) => (
                  <li key={place.to}>
                    <Page {...place} isHere={place.to === here} isNarrow={isNarrow} />
                  </li>
                ))}
              </Stack>
            </Stack>
          ))}
        </Stack>
      </div>
      <div className={styles.toggle}>
        <NavLink
          component="button"
          className={styles.page}
          c="dimmed"
          leftSection={<Toggle size={16} stroke={1.6} aria-hidden />}
          label={isNarrow ? null : toggleWord}
          aria-label={toggleWord}
          // Not as the pages beside it: it would be drawn anew under the focus each time it is pressed.
          title={isNarrow ? toggleWord : undefined}
          onClick={toggle}
        />
      </div>
    </>
  )
}

/** The place with the longest address that the page is at or beneath. */
const hereOf = (pathname: string, places: readonly Place[]): string | undefined =>
  places
    .map(({ to }) => to)
    .filter((to) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`)))
    .sort((a, b) => b.length - a.length)[0]

function Page({ to, label, icon: Icon, isHere, isNarrow }: Place & { isHere: boolean; isNarrow: boolean }) {
  const link = (
    <NavLink
      component={Link}
      to={to as '/'}
      className={styles.page}
      leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
      label={isNarrow ? null : label}
      aria-label={isNarrow ? label : undefined}
      active={isHere}
      // Its own idea of being there is any address that begins alike.
      activeOptions={{ exact: true }}
      aria-current={isHere ? 'page' : undefined}
    />
  )
  // Each costs as much as the link it names: none stands by where the words do.
  return isNarrow ? <Named label={label}>{link}</Named> : link
}

function Named({ label, children }: { label: string; children: ReactElement }) {
  const later = usePreloaded('named', () => import('./navigation/named.tsx'))
  return later ? <later.Named label={label}>{children}</later.Named> : children
}

/**
 * Scrolls no further than needed. Not `scrollIntoView`: from there the keyboard would go on, past what comes before.
 */
function reveal(box: Element, one: Element): void {
  const [room, place] = [box.getBoundingClientRect(), one.getBoundingClientRect()]
  box.scrollTop += Math.min(0, place.top - room.top) + Math.max(0, place.bottom - room.bottom)
}
