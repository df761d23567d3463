import type { ReactNode } from 'react'
import type { LevelColour } from '../../model/risk-matrix.ts'
import styles from './colour-mark.module.css'

/** A word in its colour; an empty mark before one that has none. */
export function ColourMark({ colour, children }: { colour: LevelColour | undefined; children: ReactNode }) {
  return (
    <span className={styles.mark} data-colour={colour}>
      {children}
    </span>
  )
}
