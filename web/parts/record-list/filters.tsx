import {
  Button,
  Checkbox,
  CloseButton,
  Group,
  Menu,
  Popover,
  Radio,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Kind } from '../../../kinds/kind.ts'
import { NONE } from '../../../kinds/listing.ts'
import { call } from '../../client/calls.ts'
import { type AnyRecord, type Principal, type RecordSummary, recordQuery } from '../../client/records.ts'
import { countWord } from '../../words/counts.ts'
import { records, registerWords, valueWord } from '../../words/records.ts'
import { register } from '../../words/register.ts'
import { LevelMark } from '../level-mark.tsx'
import { Picker, principals, sourceOf } from '../picker.tsx'
import { StateMark } from '../state-mark.tsx'
import styles from './filters.module.css'
import {
  type Filter,
  filtersOf,
  inputOf,
  isEnd,
  namesOf,
  type View,
  withFilter,
  withoutFilter,
} from './view.ts'

/** The filters that are set, as chips to change or take away, and the way to set another. */
export function Filters({
  kind,
  view,
  rows,
  show,
}: {
  kind: Kind
  view: View
  rows: readonly AnyRecord[]
  show: (view: View) => void
}) {
  const filters = filtersOf(kind)
  const [adding, setAdding] = useState<string | null>(null)
  const shown = filters.filter(
    (one) => one.name === adding || namesOf(one).some((name) => name in view.filters),
  )
  const others = filters.filter((one) => !shown.includes(one))
  return (
    <Group gap={6} className={styles.filters}>
      {shown.map((filter) => (
        <Chip
          key={filter.name}
          kind={kind}
          filter={filter}
          view={view}
          rows={rows}
          isNew={filter.name === adding}
          set={(values, name = filter.name) => show(withFilter(view, name, values))}
          remove={() => show(withoutFilter(view, filter))}
          closed={() => setAdding(null)}
        />
      ))}
      {others.length > 0 && (
        <Menu position="bottom-start" shadow="sm" returnFocus={false}>
          <Menu.Target>
            <Button
              variant="subtle"
              color="gray"
              c="var(--mantine-color-text)"
              size="compact-sm"
              leftSection={<IconFilter size={14} aria-hidden />}
            >
              {records.filter}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
            {others.map(({ name, title }) => (
              <Menu.Item key={name} onClick={() => setAdding(name)}>
                {title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {Object.keys(view.filters).length > 0 && (
        <Button
          variant="subtle"
          color="gray"
          c="dimmed"
          size="compact-sm"
          onClick={() => show({ ...view, filters: {} })}
        >
          {records.clearFilters}
        </Button>
      )}
    </Group>
  )
}

interface ChipProps {
  kind: Kind
  filter: Filter
  view: View
  rows: readonly AnyRecord[]
  isNew: boolean
  /** @param name of the end of a filter that has two */
  set: (values: readonly string[], name?: string) => void
  remove: () => void
  closed: () => void
}

function Chip({ kind, filter, view, rows, isNew, set, remove, closed }: ChipProps) {
  const [isOpen, setIsOpen] = useState(isNew)
  const { name, title, form, linked } = filter
  const values = view.filters[name] ?? []
  const owners = useOwnerNames(form === 'principal' ? values : [], rows)
  const references = useReferences(linked, values)
  const isNamed = form === 'principal' || linked !== undefined
  const words = [
    ...rangeWords(filter, view),
    ...values.map((value) =>
      isNamed && value !== NONE
        ? (owners.get(value) ?? references.get(value) ?? value)
        : optionWord(name, value, form),
    ),
  ]
  const close = () => {
    setIsOpen(false)
    closed()
  }
  const button = (
    <button type="button" className={styles.chip} onClick={() => setIsOpen(!isOpen)}>
      {words.length > 0 ? records.chosen(title, words.join(', ')) : title}
    </button>
  )
  const add = (id: string | undefined) => id && set([...new Set([...values, id])])
  return (
    <span className={styles.around}>
      {isNamed && !isOpen ? (
        button
      ) : linked ? (
        <Picker
          source={sourceOf(linked.idPrefix)}
          placeholder={records.search(registerWords(linked).many)}
          choose={(found) => add(found?.id)}
          close={close}
        >
          {button}
        </Picker>
      ) : form === 'principal' ? (
        <Picker
          source={principals}
          placeholder={records.owner.search}
          nothing={records.owner.nobody}
          choose={(found) => add(found?.refId ?? NONE)}
          close={close}
        >
          {button}
        </Picker>
      ) : (
        <Popover
          opened={isOpen}
          onChange={(opened) => (opened ? setIsOpen(true) : close())}
          position="bottom-start"
          shadow="sm"
          trapFocus
          returnFocus
        >
          <Popover.Target>{button}</Popover.Target>
          <Popover.Dropdown
            p="xs"
            mah={360}
            style={{ overflowY: 'auto' }}
            aria-label={records.filterBy(title)}
          >
            {form === 'dates' || form === 'numbers' ? (
              <RangeFilter filter={filter} view={view} set={set} />
            ) : form === 'words' ? (
              <WordsFilter title={title} values={values} set={set} close={close} />
            ) : form === 'line' ? (
              <LineFilter title={title} value={values[0] ?? ''} set={set} close={close} />
            ) : (
              <Options kind={kind} filter={filter} view={view} values={values} set={set} />
            )}
          </Popover.Dropdown>
        </Popover>
      )}
      {words.length > 0 && (
        <CloseButton size="xs" aria-label={records.removeFilter(title)} onClick={remove} />
      )}
    </span>
  )
}

/** Each choice with how many there are of it, among what the other filters let through. */
function Options({
  kind,
  filter: { name, form, options, title, field },
  view,
  values,
  set,
}: Pick<ChipProps, 'kind' | 'filter' | 'view' | 'set'> & { values: readonly string[] }) {
  const others = inputOf(kind, withFilter(view, name, [])).filters
  const { data } = useQuery({
    ...recordQuery(kind, 'summarize', { ...others, counted: [name] }),
    enabled: name === 'due' || (field?.form === 'choice' && kind.filters.includes(name)),
  })
  if (form === 'one')
    return (
      <Radio.Group value={values[0] ?? ''} onChange={(value) => set([value])} aria-label={title}>
        <Stack gap={8}>
          {options.map((option) => (
            <Radio key={option} size="xs" value={option} label={optionWord(name, option)} />
          ))}
        </Stack>
      </Radio.Group>
    )
  return (
    <Stack gap={8} miw={180}>
      {options.map((option) => (
        <Group key={option} gap="lg" justify="space-between" wrap="nowrap">
          <Checkbox
            checked={values.includes(option)}
            label={<Option kind={kind} name={name} option={option} />}
            onChange={({ currentTarget }) =>
              set(currentTarget.checked ? [...values, option] : values.filter((one) => one !== option))
            }
          />
          <Text span size="xs" c="dimmed">
            {countOf(data, name, option)}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}

function Option({ kind, name, option }: { kind: Kind; name: string; option: string }) {
  if (option === NONE) return optionWord(name, option)
  if (name === kind.states?.field) return <StateMark kind={kind} state={option} />
  const filter = filtersOf(kind).find((one) => one.name === name)
  return filter?.field?.isLevel ? <LevelMark level={option} /> : optionWord(name, option)
}

function countOf(summary: RecordSummary | undefined, name: string, option: string): string {
  if (!summary) return ''
  if (name === 'due') {
    const due = summary.due as Record<string, number> | undefined
    return due && option in due ? countWord(due[option]!) : ''
  }
  const counted = summary.counts[name]
  return counted ? countWord(counted.find(({ value }) => (value ?? NONE) === option)?.count ?? 0) : ''
}

function optionWord(name: string, option: string, form?: Filter['form']): string {
  if (name === 'due') return records.due[option] ?? option
  if (option === NONE) return form === 'principal' ? records.owner.nobody : wordOfNone(name)
  if (form === 'words' || form === 'line') return option
  if (name === 'owned') return option === 'true' ? records.owned.true : records.owned.false
  if (option === 'true') return records.yes
  return option === 'false' ? records.no : valueWord(option)
}

const wordOfNone = (name: string): string => register.notSet[name] ?? records.noValue

/** What is between two ends in words; a day as it stands in the address. */
function rangeWords({ ends: [low = '', high = ''] }: Filter, { filters }: View): string[] {
  return [
    ...(filters[low] ? [register.range.from(filters[low][0]!)] : []),
    ...(filters[high] ? [register.range.to(filters[high][0]!)] : []),
  ]
}

/** Two ends, and what has no value. An end counts as soon as it is one; until then what is typed stands here. */
function RangeFilter({ filter, view, set }: Pick<ChipProps, 'filter' | 'view' | 'set'>) {
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
function WordsFilter({
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

function LineFilter({
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

/** The address has the ids of linked records; people know them by their references. */
function useReferences(linked: Kind | undefined, ids: readonly string[]): ReadonlyMap<string, string> {
  const read = useQueries({
    queries: linked ? ids.map((id) => recordQuery(linked, 'get', { id })) : [],
  })
  return new Map(read.flatMap(({ data }) => (data ? [[data.id, data.reference] as const] : [])))
}

/** The address has the ids of owners; their names come from the rows, or else are asked for. */
function useOwnerNames(ids: readonly string[], rows: readonly AnyRecord[]): ReadonlyMap<string, string> {
  const known = new Map<string, string>()
  for (const id of ids) {
    const owner = rows.find((row) => (row.owner as Principal | null)?.refId === id)?.owner as Principal
    if (owner) known.set(id, owner.displayName)
  }
  const { data } = useQuery({
    queryKey: ['listOwnershipPrincipals', { limit: 200 }],
    queryFn: () => call('listOwnershipPrincipals', { limit: 200 }),
    enabled: ids.some((id) => !known.has(id)),
  })
  for (const { refId, displayName } of data?.data ?? []) known.set(refId, displayName)
  return known
}
