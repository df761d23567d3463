import { Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { InstantInput } from '../../../parts/instant-input.tsx'
import { momentWord } from '../../../parts/moment.tsx'
import { auditLog } from '../../../words/audit-log.ts'
import { channelWord, journal } from '../../../words/journal.ts'
import { outcomes } from '../../../words/outcomes.ts'
import { type Filter, type FilterName, NAMES, type SpanName } from './filter.ts'

const words = auditLog.filters

const SEVERAL = { base: 2, sm: 3, lg: 5 }
const FURTHER: readonly FilterName[] = ['actorId', 'subjectType', 'subjectId', 'requestId']

export function FilterBar({
  filter,
  change,
  clear,
  people,
  actions,
}: {
  filter: Filter
  change: (changed: Filter) => void
  clear: () => void
  people: ReadonlyMap<string, string>
  /** To choose from while one types. */
  actions: readonly string[]
}) {
  const [isOpen, setIsOpen] = useState(FURTHER.some((name) => filter[name]))
  const known = useId()
  const text = (name: FilterName, list?: string) => (
    <TextFilter key={name + filter[name]} name={name} value={filter[name]} change={change} list={list} />
  )
  const choice = (name: FilterName, values: Iterable<readonly [string, string]>) => (
    <Choice
      label={words[name]}
      value={filter[name]}
      choose={(value) => change({ [name]: value })}
      values={values}
    />
  )
  return (
    <Stack component="search" gap="xs" aria-label={words.label}>
      <SimpleGrid cols={SEVERAL} spacing="xs" verticalSpacing="xs">
        <Span filter={filter} change={change} />
        {choice('outcome', Object.entries(outcomes))}
        {choice(
          'channel',
          Object.keys(journal.ways).map((name) => [name, channelWord(name)] as const),
        )}
        {choice('actingUserId', people)}
        {text('action', known)}
        {isOpen && FURTHER.map((name) => text(name))}
      </SimpleGrid>
      <datalist id={known}>
        {actions.map((action) => (
          <option key={action} value={action} label={auditLog.action(action)} />
        ))}
      </datalist>
      <Group gap={6}>
        <Chips filter={filter} change={change} people={people} />
        <Button variant="subtle" size="compact-xs" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? words.fewer : words.more}
        </Button>
        {Object.keys(filter).length > 0 && (
          <Button variant="subtle" size="compact-xs" onClick={clear}>
            {words.clear}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function Choice({
  label,
  value,
  choose,
  values,
  none = words.any,
}: {
  label: string
  value: string | undefined
  choose: (value: string) => void
  values: Iterable<readonly [string, string]>
  none?: string
}) {
  const data = [['', none], ...values].map(([value, label]) => ({ value: value!, label: label! }))
  const isKnown = data.some((one) => one.value === (value ?? ''))
  return (
    <NativeSelect
      size="xs"
      label={label}
      value={value ?? ''}
      data={isKnown ? data : [...data, { value: value!, label: value! }]}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  )
}

const BETWEEN = 'between'

function Span({ filter, change }: { filter: Filter; change: (changed: Filter) => void }) {
  const [isChosen, setIsChosen] = useState(false)
  const isBetween = !filter.span && (isChosen || Boolean(filter.from || filter.to))
  const bound = (name: 'from' | 'to') => (
    <InstantInput
      size="xs"
      label={words[name]}
      value={filter[name] || null}
      change={(value) => change({ [name]: value ?? '' })}
    />
  )
  return (
    <>
      <Choice
        label={words.span}
        none={words.allTime}
        value={isBetween ? BETWEEN : filter.span}
        values={[...Object.entries(words.spans), [BETWEEN, words.between] as const]}
        choose={(span) => {
          setIsChosen(span === BETWEEN)
          change(span === BETWEEN ? { span: '' } : { span, from: '', to: '' })
        }}
      />
      {isBetween && bound('from')}
      {isBetween && bound('to')}
    </>
  )
}

/** Counts when it is left or Enter is pressed, not with every letter. */
function TextFilter({
  name,
  value = '',
  change,
  list,
}: {
  name: FilterName
  value: string | undefined
  change: (changed: Filter) => void
  list?: string | undefined
}) {
  const take = (typed: string) => {
    if (typed.trim() !== value) change({ [name]: typed.trim() })
  }
  return (
    <TextInput
      size="xs"
      label={words[name]}
      defaultValue={value}
      list={list}
      autoComplete="off"
      spellCheck={false}
      onBlur={({ currentTarget }) => take(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') take(currentTarget.value)
      }}
    />
  )
}

/** What is filtered by, each to be taken away. */
function Chips({
  filter,
  change,
  people,
}: {
  filter: Filter
  change: (changed: Filter) => void
  people: ReadonlyMap<string, string>
}) {
  const shown: Partial<Record<FilterName | SpanName, (value: string) => string | undefined>> = {
    span: (value) => words.spans[value as keyof typeof words.spans],
    from: momentWord,
    to: momentWord,
    outcome: (value) => outcomes[value as keyof typeof outcomes],
    channel: channelWord,
    actingUserId: (value) => people.get(value),
  }
  return (['span', 'from', 'to', ...NAMES] as const).map((name): ReactNode => {
    const value = filter[name]
    if (!value) return null
    const text = shown[name]?.(value) ?? value
    return (
      <Button
        key={name}
        variant="default"
        size="compact-xs"
        maw="100%"
        rightSection={<IconX size={12} aria-hidden />}
        aria-label={words.remove(words[name], text)}
        onClick={() => change({ [name]: '' })}
      >
        {words[name]}: {text}
      </Button>
    )
  })
}
