import { Checkbox, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { NONE } from '../../../../model/filter-names.ts'
import { records } from '../../../copy/records.ts'
import { register } from '../../../copy/register.ts'
import { DAYS, whyUnreadable } from '../../unreadable-input.ts'
import { isEnd, isFraction } from '../view.ts'
import type { FilterProps } from './filter-props.ts'
import { wordOfNone } from './filter-words.ts'

/**
 * Two ends, and what has no value. An end counts as soon as it is one; until then what is typed stands here.
 * @param isLeft somebody is about to leave: what is typed and is no end says why
 */
export function RangeFilter({
  filter,
  view,
  set,
  isLeft,
}: Pick<FilterProps, 'filter' | 'view' | 'set'> & { isLeft: boolean }) {
  const { name, form, ends, unset } = filter
  const { low, high } = form === 'dates' ? register.range.dates : register.range.numbers
  const [from, to] = ends.map((end) => view.filters[end]?.[0])
  const isReversed = from && to && (form === 'dates' ? from > to : Number(from) > Number(to))
  return (
    <Stack gap={8} miw={200} maw={240}>
      {ends.map((end, index) => (
        <RangeEnd
          key={end}
          type={form === 'dates' ? 'date' : 'number'}
          label={index === 0 ? low : high}
          value={view.filters[end]?.[0] ?? ''}
          isEnd={(value) => isEnd(filter, end, value)}
          set={(value) => set(value ? [value] : [], end)}
          isLeft={isLeft}
          error={index > 0 && isReversed ? register.range.reversed : undefined}
          isFirst={index === 0}
          step={isFraction(end) ? 'any' : undefined}
        />
      ))}
      {unset && (
        <Checkbox
          size="xs"
          label={wordOfNone(name)}
          checked={view.filters[name] !== undefined}
          onChange={({ currentTarget }) => set(currentTarget.checked ? [unset] : [])}
        />
      )}
    </Stack>
  )
}

function RangeEnd({
  type,
  label,
  value,
  isEnd,
  set,
  isLeft,
  error,
  isFirst,
  step,
}: {
  type: 'date' | 'number'
  label: string
  value: string
  isEnd: (value: string) => boolean
  set: (value: string) => void
  isLeft: boolean
  error: string | undefined
  isFirst: boolean
  step: 'any' | undefined
}) {
  const input = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState('')
  const judge = () => setWrong(input.current ? whyUnreadable(input.current) : '')
  useEffect(() => {
    if (isLeft) setWrong(input.current ? whyUnreadable(input.current) : '')
  }, [isLeft])
  return (
    <TextInput
      ref={input}
      type={type}
      {...(step ? { step } : {})}
      {...(type === 'date' ? DAYS : {})}
      size="xs"
      label={label}
      defaultValue={value}
      error={wrong || error}
      onChange={({ currentTarget: { value, validity } }) => {
        setWrong('')
        if (isEnd(value) || (value === '' && !validity.badInput)) set(value)
      }}
      onBlur={judge}
      onKeyDown={({ key }) => key === 'Enter' && judge()}
      {...(isFirst ? { 'data-autofocus': true } : {})}
    />
  )
}

/** Words that a list has: any one of them, separated by commas. */
export function WordsFilter({
  title,
  values,
  set,
  close,
}: {
  title: string
  values: readonly string[]
  set: (values: readonly string[]) => void
  close: () => void
}) {
  const [typed, setTyped] = useState(values.filter((value) => value !== NONE).join(', '))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const words = typed.split(',').map((word) => word.trim())
    set([...new Set(words.filter((word) => word !== ''))])
    close()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap={8}>
        <TextInput
          size="xs"
          label={title}
          description={register.range.words}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          data-autofocus
        />
        <Checkbox
          size="xs"
          label={records.noValue}
          checked={values.includes(NONE)}
          onChange={({ currentTarget }) => set(currentTarget.checked ? [NONE] : [])}
        />
      </Stack>
    </form>
  )
}

/** Words that a line has. */
export function LineFilter({
  title,
  value,
  set,
  close,
}: {
  title: string
  value: string
  set: (values: readonly string[]) => void
  close: () => void
}) {
  const [typed, setTyped] = useState(value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set(typed.trim() ? [typed.trim()] : [])
    close()
  }
  return (
    <form onSubmit={submit}>
      <TextInput
        label={title}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        data-autofocus
      />
    </form>
  )
}
