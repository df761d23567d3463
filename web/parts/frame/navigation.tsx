import { NavLink, Stack, Text } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useSignedIn } from '../../client/session.ts'
import { frame } from '../../words/frame.ts'

/** The pages of the app in their groups; of those that the person may open. */
export function Navigation() {
  const { capabilities } = useSignedIn()
  return (
    <Stack gap={0} component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={frame.navigation}>
      <Page to="/" label={frame.overview} />
      <Group label={frame.groups.account} />
      <Page to="/account/security" label={frame.security} />
      <Page to="/account/connected-apps" label={frame.connectedApps} />
      {capabilities.includes('settings.manage') && (
        <>
          <Group label={frame.groups.settings} />
          <Page to="/settings/connected-apps" label={frame.allConnectedApps} />
        </>
      )}
    </Stack>
  )
}

function Group({ label }: { label: string }) {
  return (
    <Text component="li" size="xs" fw={500} c="dimmed" px="xs" pt="md" pb={4}>
      {label}
    </Text>
  )
}

type Path = '/' | '/account/security' | '/account/connected-apps' | '/settings/connected-apps'

function Page({ to, label }: { to: Path; label: string }) {
  const { pathname } = useLocation()
  const isHere = pathname === to
  return (
    <li>
      <NavLink
        component={Link}
        to={to}
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
