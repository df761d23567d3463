import { Button, Menu, Text } from '@mantine/core'
import { IconChevronDown, IconLogout, IconShieldLock, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSignedIn } from '../../client/session.ts'
import { frame, signOut } from '../../words/frame.ts'
import { roleWords } from '../../words/roles.ts'
import styles from '../frame.module.css'
import type { Passage } from './passage.tsx'
import { SchemeChoice } from './scheme-choice.tsx'

/** The person: their account, how the app looks to them, and the way out. */
export function PersonMenu({ leaving: { go, isPending } }: { leaving: Passage<void> }) {
  const { person, role } = useSignedIn()
  return (
    <Menu position="bottom-end" width={240} shadow="none" closeOnItemClick={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          size="compact-md"
          rightSection={<IconChevronDown size={14} aria-hidden />}
          flex="none"
          className={styles.pictured}
          loading={isPending}
          aria-label={frame.account(person.name)}
        >
          <Text span truncate size="sm" className={`${styles.wide} ${styles.person}`}>
            {person.name}
          </Text>
          <IconUser className={styles.narrow} size={18} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Text size="xs" c="dimmed" px="sm" py={6} truncate>
          {person.email}
          <br />
          {roleWords[role]}
        </Text>
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
        <Menu.Item closeMenuOnClick leftSection={<IconLogout size={16} aria-hidden />} onClick={() => go()}>
          {signOut.action}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
