import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { records } from '../../copy/records.ts'
import styles from './search-box.module.css'

/** Finds while it is typed. */
export function SearchBox({
  label,
  input,
  q,
  find,
}: {
  label: string
  input: React.RefObject<HTMLInputElement | null>
  q: string
  find: (q: string) => void
}) {
  const [typed, setTyped] = useState(q)
  const later = useDebouncedCallback(find, 150)
  const told = useRef(q)
  // The address changed by itself: back, or a filter that was cleared.
  useEffect(() => {
    if (q !== told.current) setTyped(q)
    told.current = q
  }, [q])
  const type = (value: string) => {
    setTyped(value)
    told.current = value
    later(value)
  }
  return (
    <TextInput
      ref={input}
      type="search"
      size="xs"
      className={styles.box}
      value={typed}
      aria-label={label}
      aria-keyshortcuts={records.keys.search}
      placeholder={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        if (typed) type('')
        else event.currentTarget.blur()
      }}
    />
  )
}
