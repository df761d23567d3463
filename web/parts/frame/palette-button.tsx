import { Button, Kbd } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { palette } from '../../words/records.ts'
import styles from '../frame.module.css'
import { Palette } from './palette.tsx'

/** Ctrl-K, from anywhere: to every page, record and action. */
export function PaletteButton({ leave }: { leave: () => void }) {
  const [isOpen, { open, close, toggle }] = useDisclosure(false)
  useHotkeys([['mod+K', toggle]], [])
  return (
    <>
      <Button
        variant="default"
        size="xs"
        c="dimmed"
        onClick={open}
        aria-keyshortcuts="Control+K"
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={
          <Kbd size="xs" className={styles.wide} aria-hidden>
            {palette.hint}
          </Kbd>
        }
      >
        <span className={styles.unseenWhenNarrow}>{palette.open}</span>
      </Button>
      {isOpen && <Palette leave={leave} close={close} />}
    </>
  )
}
