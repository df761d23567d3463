import { Input, InputBase } from '@mantine/core'
import { useState } from 'react'
import { Picker, principals } from '../../components/picker.tsx'
import { records } from '../../copy/records.ts'

/** Whom a name in a file stands for: a button with who it is by now, which opens the list of people. */
export function PersonChoice({
  label,
  name,
  none,
  choose,
}: {
  label: string
  /** What somebody is called who was chosen; null while nobody is. */
  name: string | null
  /** The word for choosing nobody. */
  none: string
  choose: (chosen: { id: string; name: string } | null) => void
}) {
  const [isOpen, setIsOpen] = useState(false)
  const button = (
    <InputBase
      component="button"
      type="button"
      size="xs"
      pointer
      aria-label={`${label}: ${name ?? none}`}
      onClick={() => setIsOpen(true)}
    >
      {name === null ? <Input.Placeholder>{none}</Input.Placeholder> : <bdi>{name}</bdi>}
    </InputBase>
  )
  if (!isOpen) return button
  return (
    <Picker
      source={principals}
      nothing={none}
      placeholder={records.owner.search}
      choose={(found) => choose(found && { id: found.refId, name: found.displayName })}
      close={() => setIsOpen(false)}
    >
      {button}
    </Picker>
  )
}
