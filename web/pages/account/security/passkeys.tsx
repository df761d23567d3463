import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { hasPasskeys } from '../../../client/passkeys.ts'
import { readAgain } from '../../../client/use-answer.ts'
import { DangerDialog } from '../../../components/danger-dialog.tsx'
import { DataTable } from '../../../components/data-table.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { Moment } from '../../../components/moment.tsx'
import { Section } from '../../../components/section.tsx'
import { passkeys as words } from '../../../copy/account.ts'
import { NamePasskey } from './name-passkey.tsx'
import type { Passkey } from './passkey.ts'

export function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  const call = useGuardedCall()
  const [naming, setNaming] = useState<Passkey | 'new' | null>(null)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const remove = async () => {
    await call('deletePasskey', { id: removing!.id })
    await readAgain('getSignInMethods', 'listSessions')
  }
  const add = (
    <Button variant="default" size="xs" onClick={() => setNaming('new')}>
      {words.add}
    </Button>
  )
  return (
    <Section title={words.title} text={words.text} action={hasPasskeys() && add}>
      {passkeys.length === 0 ? (
        <Text size="sm" c="dimmed">
          {hasPasskeys() ? words.none : words.unsupported}
        </Text>
      ) : (
        <DataTable
          label={words.title}
          rows={passkeys}
          columns={[
            { label: words.columns.name, cell: (passkey) => <Name {...passkey} /> },
            { label: words.columns.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
            {
              label: words.columns.used,
              cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : words.never),
            },
            {
              label: words.rename,
              hidden: true,
              cell: (passkey) => (
                <Group gap={4} justify="flex-end" wrap="nowrap" display="inline-flex">
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={`${words.rename} ${passkey.name}`}
                    onClick={() => setNaming(passkey)}
                  >
                    {words.rename}
                  </Button>
                  <Button
                    variant="subtle"
                    color="red"
                    size="compact-sm"
                    aria-label={`${words.remove} ${passkey.name}`}
                    onClick={() => setRemoving(passkey)}
                  >
                    {words.remove}
                  </Button>
                </Group>
              ),
            },
          ]}
        />
      )}
      {naming && <NamePasskey passkey={naming === 'new' ? null : naming} close={() => setNaming(null)} />}
      {removing && (
        <DangerDialog
          title={words.removal.title(removing.name)}
          text={words.removal.text}
          verb={words.removal.submit}
          act={remove}
          close={() => setRemoving(null)}
        />
      )}
    </Section>
  )
}

function Name({ name, backedUp }: Passkey) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      {backedUp && <Badge flex="none">{words.synced}</Badge>}
    </Group>
  )
}
