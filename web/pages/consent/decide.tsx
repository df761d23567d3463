import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../client/calls.ts'
import { approveConsent, type ConsentRequest, denyConsent } from '../../client/consent.ts'
import { useIdentityGuard } from '../../components/identity-guard.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { consent as words } from '../../copy/apps.ts'
import { OrganizationChoice } from './organization-choice.tsx'
import { ScopeChoice } from './scope-choice.tsx'
import { WhoAsks } from './who-asks.tsx'

/** Everything that is decided on, and the two buttons. */
export function Decide({
  uid,
  asked,
  person,
  current,
}: {
  uid: string
  asked: ConsentRequest
  person: { name: string; email: string } | null
  current: string | null
}) {
  const { client, organizations, scopes } = asked
  const [organizationId, setOrganizationId] = useState(
    asked.organizationId ?? organizations.find(({ id }) => id === current)?.id ?? organizations[0]?.id ?? '',
  )
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    new Set(scopes.filter((one) => one.requested || one.alreadyGranted).map(({ scope }) => scope)),
  )
  const role = organizations.find(({ id }) => id === organizationId)?.role ?? 'viewer'
  const given = scopes.filter(({ scope, roles }) => ticked.has(scope) && roles.includes(role))
  const guard = useIdentityGuard()
  const deciding = useMutation({
    mutationFn: (decision: 'approve' | 'deny') =>
      decision === 'deny'
        ? denyConsent(uid)
        : guard(() => approveConsent(uid, { organizationId, scopes: given.map(({ scope }) => scope) })),
  })
  const leaving = useMutation({ mutationFn: () => call('signOut', {}).then(() => location.reload()) })

  return (
    <Stack gap="lg">
      <WhoAsks client={client} />
      <OrganizationChoice
        organizations={organizations}
        isFixed={asked.organizationId !== null}
        chosen={organizationId}
        choose={setOrganizationId}
        person={person?.name ?? ''}
      />
      <ScopeChoice scopes={scopes} role={role} ticked={ticked} tick={setTicked} />
      <ProblemAlert error={deciding.error ?? leaving.error} />
      <Group gap="xs">
        <Button
          disabled={given.length === 0}
          loading={deciding.isPending && deciding.variables === 'approve'}
          onClick={() => deciding.mutate('approve')}
        >
          {words.approve}
        </Button>
        <Button
          variant="default"
          loading={deciding.isPending && deciding.variables === 'deny'}
          onClick={() => deciding.mutate('deny')}
        >
          {words.deny}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {given.length === 0 && words.nothingLeft}
        </Text>
      </Group>
      {person && (
        <Group gap="xs">
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {words.signedInAs(person.email)}
          </Text>
          <Button
            variant="subtle"
            size="compact-xs"
            loading={leaving.isPending}
            onClick={() => leaving.mutate()}
          >
            {words.other}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
