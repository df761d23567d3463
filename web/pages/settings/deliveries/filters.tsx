import { Button, Group, Menu, Popover, Radio, Stack } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import type { Output } from '../../../client/calls.ts'
import { InstantInput } from '../../../components/instant-input.tsx'
import { momentWord } from '../../../components/moment.tsx'
import { deliveries } from '../../../copy/deliveries.ts'
import { instantOf, LISTS, type ListFilter, TIMES, type View, valuesOf } from './view.ts'

const words = deliveries.filters

interface Choice {
  value: string
  label: string
}

/** What can be narrowed down, and beneath it what is, each part with its way out. */
export function Filters({
  view,
  change,
  clear,
  endpoints,
}: {
  view: View
  change: (change: View) => void
  clear: () => void
  endpoints: Output<'listWebhookEndpoints'> | undefined
}) {
  const choices = choicesOf(endpoints)
  const labelOf = (name: ListFilter, value: string) =>
    choices[name].find((one) => one.value === value)?.label ??
    (name === 'endpoint' && endpoints ? words.deletedEndpoint : value)
  const chips = LISTS.flatMap((name) =>
    valuesOf(view, name).map((value) => ({
      key: `${name} ${value}`,
      text: `${words[name]}: ${labelOf(name, value)}`,
      remove: () => change({ [name]: without(valuesOf(view, name), value) }),
    })),
  )
  if (view.time && view.time in deliveries.times)
    chips.push({
      key: 'time',
      text: deliveries.times[view.time as keyof typeof deliveries.times],
      remove: () => change({ time: '' }),
    })
  for (const name of ['after', 'before'] as const)
    if (view[name])
      chips.push({
        key: name,
        text: `${words[name]}: ${momentWord(view[name])}`,
        remove: () => change({ [name]: '' }),
      })
  return (
    <>
      <Group gap="xs">
        {LISTS.map((name) => (
          <ChoiceMenu
            key={name}
            label={words[name]}
            choices={choices[name]}
            chosen={valuesOf(view, name)}
            choose={(values) => change({ [name]: values.join(',') })}
          />
        ))}
        <TimeMenu view={view} change={change} />
        {chips.length > 1 && (
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            {words.clear}
          </Button>
        )}
      </Group>
      {chips.length > 0 && (
        <Group gap={6} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {chips.map(({ key, text, remove }) => (
            <li key={key}>
              <Button
                variant="light"
                size="compact-xs"
                rightSection={<IconX size={12} aria-hidden />}
                aria-label={words.without(text)}
                onClick={remove}
                maw="100%"
              >
                {text}
              </Button>
            </li>
          ))}
        </Group>
      )}
    </>
  )
}

function ChoiceMenu({
  label,
  choices,
  chosen,
  choose,
}: {
  label: string
  choices: Choice[]
  chosen: string[]
  choose: (values: string[]) => void
}) {
  const toggle = (value: string) =>
    choose(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  return (
    <Menu position="bottom-start" shadow="sm" closeOnItemClick={false}>
      <Menu.Target>
        <Opener label={label} />
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {choices.map(({ value, label }) => (
          <Menu.CheckboxItem key={value} checked={chosen.includes(value)} onChange={() => toggle(value)}>
            {label}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function TimeMenu({ view, change }: { view: View; change: (change: View) => void }) {
  return (
    <Popover position="bottom-start" shadow="sm" trapFocus returnFocus>
      <Popover.Target>
        <Opener label={words.time} />
      </Popover.Target>
      <Popover.Dropdown p="sm" aria-label={words.time}>
        <Radio.Group
          value={view.time ?? ''}
          onChange={(time) => change({ time, after: '', before: '' })}
          aria-label={words.time}
        >
          <Stack gap="xs">
            {TIMES.map((time) => (
              <Radio key={time} size="xs" value={time} label={deliveries.times[time]} />
            ))}
          </Stack>
        </Radio.Group>
        <Group gap="xs" mt="sm" maw="calc(100vw - 4rem)">
          {(['after', 'before'] as const).map((name) => (
            <InstantInput
              key={name}
              size="xs"
              label={words[name]}
              value={instantOf(view[name]) ?? null}
              change={(value) => change({ [name]: value ?? '', time: '' })}
            />
          ))}
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

const Opener = ({ label, ...rest }: { label: string } & ComponentProps<typeof Button>) => (
  <Button
    variant="default"
    size="compact-sm"
    rightSection={<IconChevronDown size={14} aria-hidden />}
    {...rest}
  >
    {label}
  </Button>
)

const without = (values: string[], value: string) => values.filter((one) => one !== value).join(',')

function choicesOf(endpoints: Output<'listWebhookEndpoints'> | undefined): Record<ListFilter, Choice[]> {
  const { data = [], signalTypes = [] } = endpoints ?? {}
  const known = signalTypes.map(({ type }) => type)
  const others = data.flatMap((one) => one.signalTypes).filter((type) => !known.includes(type))
  return {
    endpoint: data.map(({ id, address }) => ({ value: id, label: address })),
    status: Object.entries(deliveries.statuses).map(([value, label]) => ({ value, label })),
    type: [...new Set(['webhook.test', ...known, ...others])].map((type) => ({ value: type, label: type })),
  }
}
