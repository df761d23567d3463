import { Button, Text } from '@mantine/core'
import { IconChevronDown, IconUser } from '@tabler/icons-react'
import { useSignedIn } from '../../client/session.ts'
import { usePreloaded } from '../../client/use-preloaded.ts'
import { frame } from '../../copy/frame.ts'
import styles from '../frame.module.css'
import { LaterMenu, MENU_BUTTON } from './later-menu.tsx'
import type { SessionChange } from './session-change.tsx'

/** The person: their account, how the app looks to them, and the way out. */
export function PersonMenu({ leaving: { go, isPending } }: { leaving: SessionChange<void> }) {
  const { person } = useSignedIn()
  const later = usePreloaded('person menu', () => import('./person-menu/items.tsx'))
  return (
    <LaterMenu
      button={
        <Button
          {...MENU_BUTTON}
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
      }
      menu={later && ((opened) => <later.PersonItems {...opened} leave={() => go()} />)}
    />
  )
}
