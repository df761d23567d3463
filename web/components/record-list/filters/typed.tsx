import { Checkbox, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { NONE } from '../../../../model/listing.ts'
import { records } from '../../../copy/records.ts'
import { register } from '../../../copy/register.ts'
import { isEnd } from '../view.ts'
import type { FilterProps } from './filter-props.ts'
import { wordOfNone } from './filter-words.ts'

/** Two ends, and what has no value. An end counts as soon as it is one; until then what is typed stands here. */
export function RangeFilter({ filter, view, set }: Pick<FilterProps, 'filter' | 'view' | 'set'>) {
  const { name, form, ends } = filter
  const { low, high } = form === 'dates' ? register.range.dates : register.range.numbers
  return (
    <Stack gap={8} miw={200}>
      {ends.map((end, index) => (
        <TextInput
          key={end}
          type={form === 'dates' ? 'date' : 'number'}
          size="xs"
          label={index === 0 ? low : high}
          defaultValue={view.filters[end]?.[0] ?? ''}
          onChange={({ currentTarget: { value } }) => {
            if (value === '' || isEnd(filter, end, value)) set(value ? [value] : [], end)
          }}
          {...(index === 0 ? { 'data-autofocus': true } : {})}
        />
      ))}
      {filter.takesNone && (
        <Checkbox
          size="xs"
          label={wordOfNone(name)}
          checked={view.filters[name] !== undefined}
          onChange={({ currentTarget }) => set(currentTarget.checked ? [NONE] : [])}
        />
      )}
    </Stack>
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
