import type { ReactNode } from 'react'
import styles from './drawer-foot.module.css'

/** What ends a form in a drawer, in sight however long the form is. */
export function DrawerFoot({ children }: { children: ReactNode }) {
  return <div className={styles.foot}>{children}</div>
}
