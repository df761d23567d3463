import { Button, Checkbox, Fieldset, Group, Stack, Text } from '@mantine/core'
import type { Output } from '../../../client/calls.ts'
import { problems } from '../../../copy/problems.ts'
import { endpoints } from '../../../copy/webhooks.ts'

const words = endpoints.form

type SignalTypes = Output<'listWebhookEndpoints'>['signalTypes']

/** What an endpoint hears of: the catalogue, by subject. */
export function SignalTypeChoice({
  signalTypes,
  chosen,
  choose,
  error,
}: {
  signalTypes: SignalTypes
  chosen: readonly string[]
  choose: (types: readonly string[]) => void
  error: string | undefined
}) {
  const known = signalTypes.map(({ type }) => type)
  // What was chosen and is no longer in the catalogue stays to be seen, and to be taken away.
  const lost = chosen
    .filter((type) => !known.includes(type))
    .map((type) => ({ type, label: type, description: words.unavailable, raised: false }))
  const subjects = Map.groupBy([...signalTypes, ...lost], ({ type }) => type.slice(0, type.indexOf('.')))
  const turn = (types: readonly string[], on: boolean) =>
    choose([...chosen.filter((type) => !types.includes(type)), ...(on ? types : [])])
  return (
    <Fieldset legend={words.types} variant="unstyled">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {words.typesHint}
        </Text>
        <Group gap="xs">
          <Button size="compact-xs" variant="default" onClick={() => choose(known)}>
            {words.all}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => choose([])}>
            {words.none}
          </Button>
          <Text size="xs" c="dimmed" role="status">
            {words.chosen(chosen.length, known.length)}
          </Text>
        </Group>
        {error && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert" tabIndex={-1} data-error>
            {error === problems.required ? words.typesMissing : error}
          </Text>
        )}
        {[...subjects].map(([subject, types]) => (
          <Subject key={subject} name={nameOf(subject)} types={types} chosen={chosen} turn={turn} />
        ))}
      </Stack>
    </Fieldset>
  )
}

function Subject({
  name,
  types,
  chosen,
  turn,
}: {
  name: string
  types: SignalTypes
  chosen: readonly string[]
  turn: (types: readonly string[], on: boolean) => void
}) {
  const all = types.map(({ type }) => type)
  const count = all.filter((type) => chosen.includes(type)).length
  return (
    <Stack gap={6}>
      <Checkbox
        label={<b>{name}</b>}
        aria-label={words.allOf(name)}
        checked={count === all.length}
        indeterminate={count > 0 && count < all.length}
        onChange={() => turn(all, count < all.length)}
      />
      <Stack gap={6} pl="lg">
        {types.map(({ type, label, description }) => (
          <Checkbox
            key={type}
            label={label}
            description={
              <>
                {description} <code>{type}</code>
              </>
            }
            checked={chosen.includes(type)}
            onChange={({ currentTarget: { checked } }) => turn([type], checked)}
          />
        ))}
      </Stack>
    </Stack>
  )
}

/** `risk_treatment` reads as Risk treatment. */
const nameOf = (subject: string): string => {
  const words = subject.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
