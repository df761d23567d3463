import { NavLink, ScrollArea, Stack, Text } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useSignedIn } from '../../client/session.ts'
import { frame } from '../../words/frame.ts'
import { type Place, placesFor } from './places.ts'

/** The pages of the app in their groups. */
export function Navigation() {
  const groups = placesFor(useSignedIn())
  const { pathname } = useLocation()
  const here = hereOf(
    pathname,
    groups.flatMap(({ places }) => places),
  )
  return (
    <ScrollArea type="auto" scrollbarSize={6}>
      <Stack gap={0} component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={frame.navigation}>
        {groups.map(({ label, places }) => (
          <Fragment key={label}>
            {label && (
              <Text component="li" size="xs" fw={500} c="dimmed" px="xs" pt="sm" pb={4}>
                {label}
              </Text>
            )}
            {places.map((place) => (
              <Page key={place.to} {...place} isHere={place.to === here} />
            ))}
          </Fragment>
        ))}
      </Stack>
    </ScrollArea>
  )
}

/** The place with the longest address that the page is at or beneath. */
const hereOf = (pathname: string, places: readonly Place[]): string | undefined =>
  places
    .map(({ to }) => to)
    .filter((to) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`)))
    .sort((a, b) => b.length - a.length)[0]

function Page({ to, label, isHere }: Place & { isHere: boolean }) {
  return (
    <li>
      <NavLink
        component={Link}
        to={to as '/'}
        label={label}
        active={isHere}
        aria-current={isHere ? 'page' : undefined}
        px="xs"
        py={5}
        style={{ borderRadius: 6 }}
      />
    </li>
  )
}
