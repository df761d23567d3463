import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '../../../client/calls.ts'
import { readAgain, useAnswer } from '../../../client/use-answer.ts'
import { DangerDialog } from '../../../components/danger-dialog.tsx'
import { DataTable } from '../../../components/data-table.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { Moment } from '../../../components/moment.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { Section } from '../../../components/section.tsx'
import { identities as words } from '../../../copy/account.ts'

type Identity = Output<'listMyIdentities'>['data'][number]

/** The person's accounts at the sign-in providers of the organization; nothing, where it has none. */
export function Identities() {
  const call = useGuardedCall()
  const { data: answer } = useAnswer('listMyIdentities', {})
  const [removing, setRemoving] = useState<Identity | null>(null)
  const linking = useMutation({
    mutationFn: async (providerId: string) => {
      const { location: there } = await call('beginProviderSignIn', { providerId, intent: 'link' })
      location.assign(there)
      return new Promise(() => {})
    },
  })
  const remove = async () => {
    await call('removeMyIdentity', { id: removing!.id })
    await readAgain('listMyIdentities', 'listSessions')
  }
  if (!answer || answer.data.length + answer.linkable.length === 0) return null
  return (
    <Section
      title={words.title}
      text={words.text}
      action={
        <Group gap="xs">
          {answer.linkable.map(({ id, name }) => (
            <Button
              key={id}
              variant="default"
              size="xs"
              loading={linking.isPending && linking.variables === id}
              onClick={() => linking.mutate(id)}
            >
              {words.link(name)}
            </Button>
          ))}
        </Group>
      }
    >
      <ProblemAlert error={linking.error} />
      {answer.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.none}
        </Text>
      ) : (
        <DataTable
          label={words.title}
          rows={answer.data}
          columns={[
            { label: words.columns.account, cell: (identity) => <Account {...identity} /> },
            { label: words.columns.linked, cell: ({ createdAt }) => <Moment at={createdAt} /> },
            {
              label: words.columns.used,
              cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : words.never),
            },
            {
              label: words.remove,
              hidden: true,
              cell: (identity) => (
                <Button
                  variant="subtle"
                  color="red"
                  size="compact-sm"
                  aria-label={`${words.remove} ${identity.provider.name}`}
                  onClick={() => setRemoving(identity)}
                >
                  {words.remove}
                </Button>
              ),
            },
          ]}
        />
      )}
      {removing && (
        <DangerDialog
          title={words.removal.title(removing.provider.name)}
          text={words.removal.text}
          verb={words.removal.submit}
          act={remove}
          close={() => setRemoving(null)}
        />
      )}
    </Section>
  )
}

function Account({ provider, email }: Identity) {
  return (
    <Stack gap={0}>
      <Text size="sm" fw={500}>
        {provider.name}
      </Text>
      {email && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Text>
      )}
    </Stack>
  )
}
