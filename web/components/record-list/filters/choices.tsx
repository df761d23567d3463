import { Checkbox, Group, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DescribedKind } from '../../../../model/described-kind.ts'
import { machineOf } from '../../../../model/roles.ts'
import { type RecordSummary, recordQuery } from '../../../client/records.ts'
import { scaleOf } from '../../../client/risk-matrix.ts'
import { countWord } from '../../../copy/counts.ts'
import { LevelMark } from '../../level-mark.tsx'
import { StateMark } from '../../state-mark.tsx'
import { type Filter, inputOf, withFilter } from '../view.ts'
import type { FilterProps } from './filter-props.ts'
import { optionWord } from './filter-words.ts'

/** Each choice with how many there are of it, among what the other filters let through. */
export function Choices({
  kind,
  filter,
  view,
  values,
  set,
}: Pick<FilterProps, 'kind' | 'filter' | 'view' | 'set'> & { values: readonly string[] }) {
  const { name, form, options, title, field } = filter
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
            <Radio key={option} size="xs" value={option} label={optionWord(filter, option)} />
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
            label={<Choice kind={kind} filter={filter} option={option} />}
            onChange={({ currentTarget }) =>
              set(currentTarget.checked ? [...values, option] : values.filter((one) => one !== option))
            }
          />
          <Text span size="xs" c="dimmed">
            {countOf(data, filter, option)}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}

function Choice({ kind, filter, option }: { kind: DescribedKind; filter: Filter; option: string }) {
  const { name, field, unset } = filter
  if (option === unset) return optionWord(filter, option)
  if (machineOf(kind, name)) return <StateMark kind={kind} field={name} state={option} />
  return field?.isLevel ? <LevelMark level={option} levels={scaleOf(field)} /> : optionWord(filter, option)
}

function countOf(summary: RecordSummary | undefined, { name, unset }: Filter, option: string): string {
  if (!summary) return ''
  if (name === 'due') {
    const due = summary.due as Record<string, number> | undefined
    return due && option in due ? countWord(due[option]!) : ''
  }
  const counted = summary.counts[name]
  return counted ? countWord(counted.find(({ value }) => (value ?? unset) === option)?.count ?? 0) : ''
}
