import { Input, InputBase, type InputWrapperProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { CodeList } from '../../model/fields.ts'
import { fetchCode } from '../client/fetch-code.ts'
import { placeName } from '../client/place-name.ts'
import type { FoundPlace } from '../client/places.ts'
import { records } from '../copy/records.ts'
import { Picker, type Source } from './picker.tsx'

/** A country, currency, language or time zone, chosen from the list that the browser has, by its name or code. */
export function PlaceInput({
  place,
  label,
  description,
  error,
  required = false,
  fixed = false,
  value,
  change,
}: Pick<InputWrapperProps, 'description' | 'error' | 'required'> & {
  place: CodeList
  label: string
  /** Cannot be without a value. */
  fixed?: boolean
  value: string | null
  change: (code: string | null) => void
}) {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const shown = value && placeName(place, value)
  const input = (
    <InputBase
      ref={button}
      component="button"
      type="button"
      pointer
      label={label}
      description={description}
      error={error}
      required={required}
      aria-label={`${label}: ${shown || records.noValue}`}
      onClick={() => setIsOpen(true)}
    >
      {shown || <Input.Placeholder>{records.noValue}</Input.Placeholder>}
    </InputBase>
  )
  if (!isOpen) return input
  return (
    <Picker
      source={SOURCES[place]}
      nothing={fixed ? undefined : records.noValue}
      choose={(found) => change(found?.code ?? null)}
      close={() => setIsOpen(false)}
    >
      {input}
    </Picker>
  )
}

const sourceOf = (place: CodeList): Source<FoundPlace> => ({
  key: ['places', place],
  find: async (q) => (await fetchCode(() => import('../client/places.ts'))).findPlaces(place, q),
  choice: ({ code, name }) => ({ id: code, shown: name, hint: place === 'timeZone' ? undefined : code }),
})

const SOURCES: Record<CodeList, Source<FoundPlace>> = {
  country: sourceOf('country'),
  currency: sourceOf('currency'),
  language: sourceOf('language'),
  timeZone: sourceOf('timeZone'),
}
