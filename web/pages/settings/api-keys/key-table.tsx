import { ActionIcon, Text, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { WEBHOOK_SCOPES } from '../../../../model/scopes.ts'
import { readAgain } from '../../../client/use-answer.ts'
import type { Row } from '../../../client/use-pages.ts'
import { Chip } from '../../../components/chip.tsx'
import { CopyableText } from '../../../components/copyable-text.tsx'
import { DangerDialog } from '../../../components/danger-dialog.tsx'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { Moment } from '../../../components/moment.tsx'
import { ScopeCount } from '../../../components/scope-count.tsx'
import { apiKeys as words } from '../../../copy/api-keys.ts'

type Key = Row<'listApiKeys'>

export function KeyTable({ keys }: { keys: readonly Key[] }) {
  const call = useGuardedCall()
  const [revoking, setRevoking] = useState<Key | null>(null)
  const revoke = async () => {
    await call('revokeApiKey', { id: revoking!.id })
    await readAgain('listApiKeys')
  }
  return (
    <>
      <DataTable
        label={words.title}
        rows={keys}
        columns={columnsOf(setRevoking)}
        isOver={({ state }) => state !== 'active'}
      />
      {revoking && (
        <DangerDialog
          title={words.revocation.title(revoking.name)}
          text={words.revocation.text(revoking.prefix)}
          verb={words.revocation.submit}
          act={revoke}
          close={() => setRevoking(null)}
        />
      )}
    </>
  )
}

const columnsOf = (revoke: (key: Key) => void): Column<Key>[] => [
  {
    label: words.columns.name,
    cell: ({ name }) => (
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    ),
  },
  { label: words.columns.prefix, cell: ({ prefix }) => <CopyableText isShort>{prefix}</CopyableText> },
  {
    label: words.columns.scopes,
    cell: (key) => (
      <div>
        <ScopeCount {...key} isReduced={works(key) && key.effectiveScopes.length < key.scopes.length} />
        <Text size="xs" c="dimmed">
          {key.scopes.filter((scope) => scope in WEBHOOK_SCOPES).join(', ')}
        </Text>
      </div>
    ),
  },
  {
    label: words.columns.creator,
    cell: ({ createdBy: { displayName, active } }) =>
      active ? displayName : `${displayName} (${words.inactivePerson})`,
  },
  {
    label: words.columns.used,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : words.never),
  },
  {
    label: words.columns.expires,
    cell: ({ expiresAt }) => (expiresAt ? <Moment at={expiresAt} /> : words.never),
  },
  { label: words.columns.state, cell: (key) => <State {...key} /> },
  {
    label: words.revoke,
    hidden: true,
    cell: (key) =>
      key.state !== 'revoked' && (
        <ActionIcon
          color="red"
          size={24}
          aria-label={`${words.revoke} ${key.name}`}
          title={words.revocation.submit}
          onClick={() => revoke(key)}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      ),
  },
]

const works = ({ state, createdBy }: Key): boolean => state === 'active' && createdBy.active

function State({ state, createdBy }: Key) {
  if (state !== 'active') return <Chip look="quiet">{words.states[state]}</Chip>
  if (createdBy.active) return <Chip look="good">{words.states.active}</Chip>
  return (
    <Tooltip
      multiline
      maw={320}
      label={words.creatorInactiveHint(createdBy.displayName)}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Chip look="bad" tabIndex={0}>
        {words.creatorInactive}
      </Chip>
    </Tooltip>
  )
}
