import { Group, Input, type InputWrapperProps } from '@mantine/core'
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react'
import { timeZone, wallClock } from '../client/formats.ts'
import { endOfDay, momentAt } from '../client/typed-times.ts'
import { unreadable } from '../copy/problems.ts'
import { times } from '../copy/times.ts'
import { DAYS, FIELD, whyUnreadable } from './unreadable-input.ts'

/**
 * A moment: a day, and where it matters a time, both in the organization's zone. A day alone is its start, or of
 * one until which something holds, its end.
 *
 * While what is typed is no value, nothing is told, and what stood before stays.
 * @param change is given the moment in UTC; null where both were cleared
 */
export function InstantInput({
  label,
  description,
  error,
  required = false,
  autoFocus = false,
  size = 'sm',
  name,
  isUntil = false,
  value,
  change,
}: Pick<InputWrapperProps, 'description' | 'error' | 'required' | 'size'> & {
  label: string
  autoFocus?: boolean
  name?: string
  isUntil?: boolean
  value: string | null
  change: (value: string | null) => void
}) {
  const id = useId()
  const [local, setLocal] = useState(() => localOf(value, isUntil))
  const [wrong, setWrong] = useState('')
  const told = useRef(value)
  const day = useRef<HTMLInputElement>(null)
  const time = useRef<HTMLInputElement>(null)
  // It was changed elsewhere: a filter that was cleared, or what somebody else saved.
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setLocal(localOf(value, isUntil))
    setWrong('')
  }, [value, isUntil])

  const why = () =>
    [day.current, time.current].map((input) => input && whyUnreadable(input)).find(Boolean) ?? ''
  const type = (part: 'day' | 'time') => (event: ChangeEvent<HTMLInputElement>) => {
    const next = { ...local, [part]: event.currentTarget.value }
    setLocal(next)
    setWrong('')
    const isDayMissing = next.day === '' && next.time !== ''
    day.current!.setCustomValidity(isDayMissing && !day.current!.validity.badInput ? unreadable.day : '')
    if (why()) return
    const moment = next.day ? momentOf(next, isUntil).toISOString() : null
    told.current = moment
    change(moment)
  }
  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={
        <>
          {description && <>{description}. </>}
          {times.dayAlone(timeZone(), isUntil)}
        </>
      }
      error={error || wrong}
      required={required}
      size={size}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      {...(name ? { [FIELD]: name } : {})}
      onBlur={({ currentTarget, relatedTarget }) => {
        // A form tells it when it is sent: told earlier, it would move the button away beneath the click.
        if (!currentTarget.contains(relatedTarget) && !currentTarget.closest('form')) setWrong(why())
      }}
    >
      <Group gap={6}>
        <Input
          ref={day}
          id={id}
          type="date"
          {...DAYS}
          size={size}
          flex="3 1 8.5rem"
          value={local.day}
          onChange={type('day')}
          required={required}
          error={Boolean(error || wrong)}
          autoFocus={autoFocus}
          {...(autoFocus ? { 'data-autofocus': true } : {})}
        />
        <Input
          ref={time}
          type="time"
          size={size}
          flex="2 1 6.5rem"
          aria-label={times.timeOf(label)}
          value={local.time}
          onChange={type('time')}
          error={Boolean(error || wrong)}
        />
      </Group>
    </Input.Wrapper>
  )
}

/** As the browser's fields take them. */
interface Local {
  readonly day: string
  readonly time: string
}

function localOf(value: string | null, isUntil: boolean): Local {
  const moment = new Date(value ?? '')
  if (Number.isNaN(moment.getTime())) return { day: '', time: '' }
  const local = wallClock(moment)
  const day = local.slice(0, 10)
  const isWholeDay = isUntil && endOfDay(day).getTime() === moment.getTime()
  return { day, time: isWholeDay ? '' : local.slice(11, 16) }
}

function momentOf({ day, time }: Local, isUntil: boolean): Date {
  return time === '' && isUntil ? endOfDay(day) : momentAt(day, time || undefined)
}
