import { Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { AUDIT_ACTIONS, RECORD_ACTIONS, recordAction } from '../../../../model/audit-actions.ts'
import { everyKind } from '../../../client/kinds.ts'
import { InstantInput } from '../../../components/instant-input.tsx'
import { momentWord } from '../../../components/moment.tsx'
import { auditLog } from '../../../copy/audit-log.ts'
import { channelWord, journal } from '../../../copy/journal.ts'
import { outcomes } from '../../../copy/outcomes.ts'
import { type Filter, type FilterName, NAMES, type PageFilterName } from './filter.ts'
import { useActors } from './use-actors.ts'

const words = auditLog.filters

/** To choose from while one types. */
const ACTIONS = [
  ...everyKind.flatMap((kind) => RECORD_ACTIONS.map((verb) => recordAction(kind, verb))),
  ...AUDIT_ACTIONS,
]

const SEVERAL = { base: 2, sm: 3, lg: 5 }
const FURTHER: readonly FilterName[] = [
  'channel',
  'action',
  'actorId',
  'subjectType',
  'subjectId',
  'requestId',
]

export function FilterBar({
  filter,
  change,
  clear,
}: {
  filter: Filter
  change: (changed: Filter) => void
  clear: () => void
}) {
  const [isOpen, setIsOpen] = useState(false)
  const known = useId()
  const groups = useActors()
  const everybody = groups.flatMap(({ actors }) => actors)
  const text = (name: FilterName, given: { list?: string; placeholder?: string } = {}) => (
    <TextFilter key={name + filter[name]} name={name} value={filter[name]} change={change} {...given} />
  )
  const choice = (name: FilterName | PageFilterName, values: Iterable<readonly [string, string]>) => (
    <Choice
      key={name}
      label={words[name]}
      value={filter[name]}
      choose={(value) => change({ [name]: value })}
      values={values}
    />
  )
  const chosenActor = everybody.find(({ filter: name, id }) => filter[name] === id)
  return (
    <Stack component="search" gap="xs" aria-label={words.label}>
      <SimpleGrid cols={SEVERAL} spacing="xs" verticalSpacing="xs">
        <Span filter={filter} change={change} />
        <NativeSelect
          size="xs"
          label={words.actor}
          value={chosenActor ? `${chosenActor.filter} ${chosenActor.id}` : ''}
          data={[
            { value: '', label: words.any },
            ...groups
              .filter(({ actors }) => actors.length > 0)
              .map(({ group, actors }) => ({
                group,
                items: actors.map(({ filter: name, id, name: label }) => ({ value: `${name} ${id}`, label })),
              })),
          ]}
          onChange={({ currentTarget }) => {
            const [name, id] = currentTarget.value.split(' ')
            change({ actingUserId: '', actorId: '', ...(id ? { [name!]: id } : {}) })
          }}
        />
        {choice('group', Object.entries(auditLog.groups))}
        {choice('outcome', Object.entries(outcomes))}
        {text('reference', { placeholder: words.referenceExample })}
        {isOpen &&
          FURTHER.map((name) =>
            name === 'channel'
              ? choice(
                  name,
                  Object.keys(journal.ways).map((way) => [way, channelWord(way)] as const),
                )
              : text(name, name === 'action' ? { list: known } : {}),
          )}
      </SimpleGrid>
      <datalist id={known}>
        {ACTIONS.map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
      <Group gap={6}>
        <Chips
          filter={filter}
          change={change}
          nameOf={(id) => everybody.find((actor) => actor.id === id)?.name}
        />
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
  ...given
}: {
  name: FilterName
  value: string | undefined
  change: (changed: Filter) => void
  list?: string
  placeholder?: string
}) {
  const take = (typed: string) => {
    const wanted = name === 'reference' ? typed.trim().toUpperCase() : typed.trim()
    if (wanted !== value) change({ [name]: wanted })
  }
  return (
    <TextInput
      size="xs"
      label={words[name]}
      defaultValue={value}
      autoComplete="off"
      spellCheck={false}
      onBlur={({ currentTarget }) => take(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') take(currentTarget.value)
      }}
      {...given}
    />
  )
}

const SHOWN = ['span', 'from', 'to', 'group', ...NAMES] as const

/** What is filtered by, each to be taken away. */
function Chips({
  filter,
  change,
  nameOf,
}: {
  filter: Filter
  change: (changed: Filter) => void
  nameOf: (id: string) => string | undefined
}) {
  const shown: Partial<Record<FilterName | PageFilterName, (value: string) => string | undefined>> = {
    span: (value) => words.spans[value as keyof typeof words.spans],
    from: momentWord,
    to: momentWord,
    group: (value) => auditLog.groups[value as keyof typeof auditLog.groups],
    outcome: (value) => outcomes[value as keyof typeof outcomes],
    channel: channelWord,
    actingUserId: nameOf,
    actorId: nameOf,
  }
  return SHOWN.map((name): ReactNode => {
    const value = filter[name]
    if (!value) return null
    const text = value
      .split(',')
      .map((one) => shown[name]?.(one) ?? one)
      .join(', ')
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
