import { Box, Button, Checkbox, Fieldset, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Scope } from '../../../model/scopes.ts'
import { newKey as words } from '../../copy/api-keys.ts'

export type Offered = Readonly<Partial<Record<Scope, string>>>

/** Scopes with what they allow, those that read beside those that change. */
export function ScopeChoice({
  offered,
  chosen,
  choose,
  error,
}: {
  offered: Offered
  chosen: readonly string[]
  choose: (scopes: readonly string[]) => void
  error?: string | undefined
}) {
  const groups = Object.entries(Object.groupBy(Object.keys(offered), groupOf))
  const without = (names: readonly string[]) => chosen.filter((one) => !names.includes(one))
  return (
    <Box tabIndex={-1} aria-invalid={error ? true : undefined}>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mb="xs">
          {error}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: groups.length }} spacing="xl">
        {groups.map(([group, names]) => (
          <ScopeGroup
            key={group}
            label={words.scopes[group as keyof typeof words.scopes]}
            count={`${names.filter((one) => chosen.includes(one)).length}/${names.length}`}
            chooseAll={() => choose([...without(names), ...names])}
            chooseNone={() => choose(without(names))}
          >
            {names.map((name) => (
              <Checkbox
                key={name}
                checked={chosen.includes(name)}
                onChange={({ currentTarget: { checked } }) =>
                  choose(checked ? [...chosen, name] : without([name]))
                }
                label={<code>{name}</code>}
                description={offered[name as Scope]}
              />
            ))}
          </ScopeGroup>
        ))}
      </SimpleGrid>
    </Box>
  )
}

function ScopeGroup({
  label,
  count,
  chooseAll,
  chooseNone,
  children,
}: {
  label: string
  count: string
  chooseAll: () => void
  chooseNone: () => void
  children: ReactNode
}) {
  return (
    <Fieldset legend={`${label} ${count}`} variant="unstyled">
      <Stack gap={10}>
        <Group gap={4} ml={-8} mt={-8}>
          <Button variant="subtle" size="compact-xs" aria-label={words.chooseAll(label)} onClick={chooseAll}>
            {words.all}
          </Button>
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={words.chooseNone(label)}
            onClick={chooseNone}
          >
            {words.none}
          </Button>
        </Group>
        {children}
      </Stack>
    </Fieldset>
  )
}

const groupOf = (scope: string): keyof typeof words.scopes => {
  if (scope.endsWith(':webhooks')) return 'webhooks'
  return scope.startsWith('read:') ? 'read' : 'write'
}
