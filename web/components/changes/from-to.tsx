import { VisuallyHidden } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { journal as words } from '../../copy/journal.ts'
import styles from '../changes.module.css'

/** What was, and what is; or the one of them there is anything to say of. */
export function FromTo({ from, to }: { from?: ReactNode; to?: ReactNode }) {
  return (
    <>
      {from && (
        <div className={styles.from}>
          <VisuallyHidden>{words.from} </VisuallyHidden>
          {from}
        </div>
      )}
      {from && to && <IconArrowRight size={13} aria-hidden className={styles.arrow} />}
      {to && (
        <div className={styles.to}>
          <VisuallyHidden> {words.to} </VisuallyHidden>
          {to}
        </div>
      )}
    </>
  )
}
