import { Anchor } from '@mantine/core'
import { useState } from 'react'
import type { Deadline } from '../../client/deadlines.ts'
import { kindOfId } from '../../client/kinds.ts'
import { AppLink } from '../../components/app-link.tsx'
import { iconOf } from '../../components/frame/icons.ts'
import { calendar as words } from '../../copy/calendar.ts'
import styles from './calendar.module.css'
import type { useHolding } from './use-holding.ts'

/** In a cell of a month there is room for so many. */
const SHOWN = 4

/** By what an entry is taken to another day; none of one that stays. */
type Takes = ReturnType<ReturnType<typeof useHolding>['takes']>

export function DayEntries({
  entries,
  held,
  takes,
}: {
  entries: readonly Deadline[]
  held: Deadline | null
  takes: (one: Deadline) => Takes | null
}) {
  const [isWhole, setIsWhole] = useState(false)
  if (entries.length === 0) return null
  const shown = isWhole || entries.length <= SHOWN ? entries : entries.slice(0, SHOWN - 1)
  const left = entries.length - shown.length
  return (
    <>
      <ul className={styles.entries}>
        {shown.map((one) => (
          <Entry
            key={`${one.id} ${one.deadline}`}
            one={one}
            isHeld={held?.id === one.id && held.deadline === one.deadline}
            takes={takes(one)}
          />
        ))}
      </ul>
      {entries.length > SHOWN && (
        <Anchor component="button" type="button" size="xs" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? words.fewer : words.more(left)}
        </Anchor>
      )}
    </>
  )
}

function Entry({ one, isHeld, takes }: { one: Deadline; isHeld: boolean; takes: Takes | null }) {
  const kind = kindOfId(one.id)!
  const Icon = iconOf(kind)
  const said = [one.reference, one.title].filter(Boolean).join(' ')
  // Most of it is just due; what else comes on its day is said.
  const what = one.deadline === 'due' ? null : one.called
  const whose = one.owner ? `, ${one.owner.displayName}` : ''
  const before = one.bucket === 'late' ? words.late(what) : what === null ? '' : words.what(what)
  return (
    <li>
      <AppLink
        href={`/${kind.page}/${one.id}`}
        className={styles.entry}
        data-late={one.bucket === 'late' || undefined}
        // The browser would drag the address of the link.
        draggable={false}
        data-entry={`${one.id} ${one.deadline}`}
        data-movable={takes !== null || undefined}
        data-held={isHeld || undefined}
        title={`${what ?? words.due}: ${said}${whose}`}
        {...takes}
      >
        <Icon size={13} stroke={1.7} aria-hidden className={styles.icon} />
        {before && <span className={styles.what}>{before}</span>}
        <bdi className={styles.title}>{one.title}</bdi>
      </AppLink>
    </li>
  )
}
