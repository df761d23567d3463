import { Button } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useAnswer } from '../../client/use-answer.ts'
import { inbox as words } from '../../copy/inbox.ts'
import frame from '../frame.module.css'
import { MENU_BUTTON } from './later-menu.tsx'

/** Asked again as often; a change that others make is told sooner (follow-changes.ts). */
const EVERY = 30_000

/** The way to the inbox, and how much of it is new. */
export function InboxBell() {
  const { data } = useAnswer('countUnreadNotices', {}, { refetchInterval: EVERY })
  const unread = data?.unread ?? 0
  return (
    <Button
      {...MENU_BUTTON}
      component={Link}
      to="/inbox"
      flex="none"
      px={6}
      aria-label={words.bell(unread)}
      title={words.bell(unread)}
    >
      <IconBell size={18} stroke={1.6} aria-hidden />
      {unread > 0 && (
        <span className={frame.unread} aria-hidden>
          {words.count(unread)}
        </span>
      )}
    </Button>
  )
}
