import { Stack, Text } from '@mantine/core'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useSignedIn } from '../client/session.ts'
import { useAnswer } from '../client/use-answer.ts'
import { adminsOnly as words } from '../copy/admins-only.ts'
import { roleWords } from '../copy/roles.ts'
import { SETTINGS_PLACES } from './frame/places.ts'
import { TextLink } from './links.tsx'
import { PageHead } from './page-head.tsx'

/** The pages of the settings, for who may change them; whoever else comes by a link is told what is there. */
export function SettingsGate() {
  const { capabilities, limitedView } = useSignedIn()
  const { pathname } = useLocation()
  const isAudit = limitedView === 'auditor' && pathname === '/settings/audit-log'
  return isAudit || capabilities.includes('settings.manage') ? <Outlet /> : <AdminsOnly />
}

const NAMED = 5

function AdminsOnly() {
  const { organization, organizations, role } = useSignedIn()
  const path = useLocation({ select: ({ pathname }) => pathname.toLowerCase() })
  const page = SETTINGS_PLACES.find(({ to }) => path === to || path.startsWith(`${to}/`))
  const { data: admins } = useAnswer('listUsers', { role: ['admin'], status: ['active'], limit: NAMED })
  return (
    <Stack gap="md" maw={720}>
      <PageHead
        title={words.title}
        text={words.text(page?.label ?? words.settings, organization.name, roleWords[role].toLowerCase())}
      />
      {admins && admins.data.length > 0 && (
        <div>
          <Text size="sm">{words.ask}</Text>
          <ul>
            {admins.data.map(({ id, name, email }) => (
              <li key={id}>
                <Text size="sm">
                  <bdi>{name}</bdi>, <bdi>{email}</bdi>
                </Text>
              </li>
            ))}
          </ul>
        </div>
      )}
      <TextLink to="/">{words.back}</TextLink>
      {organizations.length > 1 && <TextLink to="/organizations">{words.elsewhere}</TextLink>}
    </Stack>
  )
}
