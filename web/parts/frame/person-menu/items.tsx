import { Menu, Text } from '@mantine/core'
import { IconLogout, IconShieldLock, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSignedIn } from '../../../client/session.ts'
import { frame, signOut } from '../../../words/frame.ts'
import { roleWords } from '../../../words/roles.ts'
import type { OpenedMenu } from '../later-menu.tsx'
import { SchemeChoice } from './scheme-choice.tsx'

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
        <Menu.Item
          component={Link}
          to="/account/profile"
          closeMenuOnClick
          leftSection={<IconUser size={16} aria-hidden />}
        >
          {frame.profile}
        </Menu.Item>
        <Menu.Item
          component={Link}
          to="/account/security"
          closeMenuOnClick
          leftSection={<IconShieldLock size={16} aria-hidden />}
        >
          {frame.security}
        </Menu.Item>
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
