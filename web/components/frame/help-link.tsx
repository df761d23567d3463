import { Button } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { frame } from '../../copy/frame.ts'
import styles from '../frame.module.css'

export const HELP = '/help'

/** In a window of its own: what is typed on the page stays there. */
export function HelpLink() {
  return (
    <Button
      component="a"
      href={HELP}
      target="_blank"
      rel="noopener"
      variant="subtle"
      color="gray"
      c="var(--mantine-color-text)"
      size="compact-md"
      flex="none"
      className={styles.pictured}
      aria-label={frame.help}
    >
      <span className={styles.wide}>{frame.help}</span>
      <IconHelp className={styles.narrow} size={18} aria-hidden />
    </Button>
  )
}
