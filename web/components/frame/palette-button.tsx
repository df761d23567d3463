import { Button, Kbd } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { usePreloaded } from '../../client/use-preloaded.ts'
import { palette as words } from '../../copy/records.ts'
import styles from '../frame.module.css'

/** Ctrl-K, from anywhere: to every page, record and action. */
export function PaletteButton({ leave }: { leave: () => void }) {
  const [isOpen, { open, close, toggle }] = useDisclosure(false)
  const palette = usePreloaded('palette', () => import('./palette.tsx'))
  useHotkeys([['mod+K', toggle]], [])
  return (
    <>
      <Button
        variant="default"
        size="xs"
        c="dimmed"
        onClick={open}
        flex="none"
        className={styles.pictured}
        aria-keyshortcuts="Control+K"
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={
          <Kbd size="xs" className={styles.wide} aria-hidden>
            {words.hint}
          </Kbd>
        }
      >
        <span className={styles.unseenWhenNarrow}>{words.open}</span>
      </Button>
      {palette && <palette.Shortcuts />}
      {isOpen && palette && <palette.Palette leave={leave} close={close} />}
    </>
  )
}
