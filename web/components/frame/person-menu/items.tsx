import { Menu, Text } from '@mantine/core'
import { IconLogout, IconShieldLock, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSignedIn } from '../../../client/session.ts'
import { frame, signOut } from '../../../copy/frame.ts'
import { roleWords } from '../../../copy/roles.ts'
import type { OpenedMenu } from '../later-menu.tsx'
import { SchemeChoice } from './scheme-choice.tsx'

const PAGES = [
  { to: '/account/profile', title: frame.profile, Icon: IconUser },
  { to: '/account/security', title: frame.security, Icon: IconShieldLock },
]

export function PersonItems({ target, opened, onChange, leave }: OpenedMenu & { leave: () => void }) {
  const { person, role } = useSignedIn()
  return (
    <Menu
      opened={opened}
      onChange={onChange}
      position="bottom-end"
      width={240}
      shadow="none"
      closeOnItemClick={false}
    >
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Text size="xs" c="dimmed" px="sm" py={6} truncate>
          {person.email}
          <br />
          {roleWords[role]}
        </Text>
        {PAGES.map(({ to, title, Icon }) => (
          <Menu.Item
            key={to}
            component={Link}
            to={to}
            closeMenuOnClick
            leftSection={<Icon size={16} aria-hidden />}
          >
            {title}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <SchemeChoice />
        <Menu.Divider />
        <Menu.Item closeMenuOnClick leftSection={<IconLogout size={16} aria-hidden />} onClick={leave}>
          {signOut.action}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
