import { Button, Checkbox, Fieldset, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Role } from '../../../model/scopes.ts'
import type { ConsentScope } from '../../client/consent.ts'
import { consent as words } from '../../copy/apps.ts'
import { roleWords } from '../../copy/roles.ts'

const GROUPS = ['read', 'write', 'webhooks'] as const

/**
 * What the program may do, in words: what it asked for first and ticked; more can be offered at once, since some
 * programs never ask again.
 */
export function ScopeChoice({
  scopes,
  role,
  ticked,
  tick,
}: {
  scopes: readonly ConsentScope[]
  role: Role
  ticked: ReadonlySet<string>
  tick: (scopes: ReadonlySet<string>) => void
}) {
  const [showsAll, setShowsAll] = useState(false)
  const isAsked = ({ requested, alreadyGranted }: ConsentScope) => requested || alreadyGranted
  const others = scopes.filter((one) => !isAsked(one)).length
  const shown = scopes.filter((one) => showsAll || isAsked(one))
  const toggle = (scope: string) => {
    const next = new Set(ticked)
    if (!next.delete(scope)) next.add(scope)
    tick(next)
  }
  return (
    <Stack gap="md">
      {GROUPS.map((group) => {
        const own = shown.filter(({ scope }) => groupOf(scope) === group)
        return (
          own.length > 0 && (
            <Fieldset key={group} legend={words.groups[group]} variant="unstyled">
              <Stack gap={8}>
                {own.map((one) => (
                  <Scope
                    key={one.scope}
                    {...one}
                    role={role}
                    isTicked={ticked.has(one.scope)}
                    toggle={() => toggle(one.scope)}
                  />
                ))}
              </Stack>
            </Fieldset>
          )
        )
      })}
      {!showsAll && others > 0 && (
        <Stack gap={4} align="flex-start">
          <Button variant="subtle" size="compact-sm" ml={-8} onClick={() => setShowsAll(true)}>
            {words.more(others)}
          </Button>
          <Text size="xs" c="dimmed">
            {words.moreHint}
          </Text>
        </Stack>
      )}
    </Stack>
  )
}

function Scope({
  scope,
  description,
  alreadyGranted,
  roles,
  role,
  isTicked,
  toggle,
}: ConsentScope & { role: Role; isTicked: boolean; toggle: () => void }) {
  const isPossible = roles.includes(role)
  const note = isPossible
    ? alreadyGranted && words.had
    : words.roleLacks(roles.map((one) => roleWords[one].toLowerCase()).join(', '))
  return (
    <Checkbox
      checked={isTicked && isPossible}
      disabled={!isPossible}
      onChange={toggle}
      label={description}
      description={
        <>
          <code>{scope}</code>
          {note && ` · ${note}`}
        </>
      }
    />
  )
}

const groupOf = (scope: string): (typeof GROUPS)[number] => {
  if (scope.endsWith(':webhooks')) return 'webhooks'
  return scope.startsWith('read:') ? 'read' : 'write'
}
