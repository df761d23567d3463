import type { Principal } from '../client/records.ts'
import { records } from '../copy/records.ts'
import styles from './principal-mark.module.css'

/** Who is answerable: initials and name. */
export function PrincipalMark({ principal }: { principal: Pick<Principal, 'displayName' | 'active'> }) {
  const { displayName, active } = principal
  return (
    <span className={styles.principal} data-active={active}>
      <span className={styles.initials} aria-hidden="true">
        {initialsOf(displayName)}
      </span>
      <span className={styles.name}>
        {displayName}
        {!active && ` (${records.inactive})`}
      </span>
    </span>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/[\s.@_-]+/).filter(Boolean)
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  return ([...first][0] ?? '').concat([...last][0] ?? '').toUpperCase()
}
