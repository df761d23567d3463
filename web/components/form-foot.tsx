import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { buttons } from '../copy/buttons.ts'
import styles from './form-foot.module.css'

/**
 * What ends a form: leave it, or send it.
 *
 * @param isBlocked where something has to be done before it can be sent
 * @param isPinned in a drawer: in sight however long the form is
 * @param children what stands beside the two
 */
export function FormFoot({
  submit,
  isSending,
  isBlocked = false,
  cancel,
  isPinned = false,
  children,
}: {
  submit: string
  isSending: boolean
  isBlocked?: boolean
  cancel: () => void
  isPinned?: boolean
  children?: ReactNode
}) {
  return (
    <div className={styles.foot} data-pinned={isPinned || undefined}>
      {children && <div className={styles.beside}>{children}</div>}
      <Button variant="default" onClick={cancel}>
        {buttons.cancel}
      </Button>
      <Button type="submit" loading={isSending} disabled={isBlocked}>
        {submit}
      </Button>
    </div>
  )
}
