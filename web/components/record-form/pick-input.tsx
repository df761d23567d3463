import { Input, InputBase } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Field } from '../../client/fields.ts'
import { Picker, type Source } from '../picker.tsx'

/** A field whose value is chosen from a searched list: a button that shows what is chosen, and opens the list. */
export function PickInput<Found>({
  field,
  error,
  required = false,
  chosen,
  empty,
  picker,
}: {
  field: Field
  error?: string | undefined
  required?: boolean | undefined
  chosen: ReactNode
  /** What stands there while nothing is chosen. */
  empty: string
  picker: {
    source: Source<Found>
    /** The word for choosing none, where that can be done. */
    nothing?: string | undefined
    placeholder?: string
    choose: (found: Found | null) => void
  }
}) {
  const [isOpen, setIsOpen] = useState(false)
  const button = (
    <InputBase
      component="button"
      type="button"
      pointer
      label={field.title}
      description={field.description}
      error={error}
      required={required}
      withAsterisk={required}
      onClick={() => setIsOpen(true)}
    >
      {chosen || <Input.Placeholder>{empty}</Input.Placeholder>}
    </InputBase>
  )
  if (!isOpen) return button
  return (
    <Picker {...picker} close={() => setIsOpen(false)}>
      {button}
    </Picker>
  )
}
