import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { readAgain } from '../client/use-answer.ts'
import { type Row, rowsOf, usePages } from '../client/use-pages.ts'
import { connectedApps as words } from '../copy/apps.ts'
import { Chip } from './chip.tsx'
import { CopyableText } from './copyable-text.tsx'
import { DangerDialog } from './danger-dialog.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { useGuardedCall } from './identity-guard.tsx'
import { Loaded } from './loaded.tsx'
import { Moment } from './moment.tsx'
import { MorePages } from './more-pages.tsx'
import { ScopeCount } from './scope-count.tsx'

export type ConnectedApp = Row<'listConnectedApps'>

/**
 * What people let in. One's own, or everybody's with who it was.
 */
export function ConnectedApps({ whose, empty }: { whose: 'mine' | 'all'; empty: string }) {
  const [list, revoke] =
    whose === 'mine'
      ? (['listMyConnectedApps', 'revokeMyConnectedApp'] as const)
      : (['listConnectedApps', 'revokeConnectedApp'] as const)
  const guarded = useGuardedCall()
  const [revoking, setRevoking] = useState<ConnectedApp | null>(null)
  const apps = usePages(list, {})
  const end = async () => {
    await guarded(revoke, { id: revoking!.id })
    await readAgain('listMyConnectedApps', 'listConnectedApps')
  }
  return (
    <Stack>
      <Loaded query={apps}>
        {(pages) => {
          const rows = rowsOf(pages)
          if (rows.length === 0) return <Empty text={empty} />
          return (
            <DataTable
              label={words[whose].title}
              rows={rows}
              columns={columnsOf(whose, (app) => setRevoking(app))}
            />
          )
        }}
      </Loaded>
      <MorePages of={apps} />
      {revoking && (
        <DangerDialog
          title={words.revocation.title(revoking.name)}
          text={
            whose === 'mine'
              ? words.revocation.mine
              : words.revocation.theirs(revoking.approvedBy.displayName)
          }
          verb={words.revocation.submit}
          act={end}
          close={() => setRevoking(null)}
        />
      )}
    </Stack>
  )
}

function Empty({ text }: { text: string }) {
  return (
    <Stack gap="xs">
      <Text size="sm" maw="72ch">
        {text}
      </Text>
      <div>
        <CopyableText>{`${location.origin}/v1/mcp`}</CopyableText>
      </div>
    </Stack>
  )
}

function columnsOf(whose: 'mine' | 'all', revoke: (app: ConnectedApp) => void): Column<ConnectedApp>[] {
  const person: Column<ConnectedApp> = {
    label: words.columns.person,
    cell: ({ approvedBy: { displayName, active } }) =>
      active ? displayName : `${displayName} (${words.inactivePerson})`,
  }
  return [
    { label: words.columns.app, cell: (app) => <App {...app} /> },
    ...(whose === 'all' ? [person] : []),
    {
      label: words.columns.scopes,
      cell: (app) => (
        <ScopeCount
          {...app}
          isReduced={app.state === 'active' && app.effectiveScopes.length < app.scopes.length}
        />
      ),
    },
    { label: words.columns.approved, cell: ({ approvedAt }) => <Moment at={approvedAt} /> },
    {
      label: words.columns.used,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : words.never),
    },
    {
      label: words.revoke,
      hidden: true,
      cell: (app) =>
        app.state === 'active' ? (
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            aria-label={`${words.revoke} ${app.name}`}
            onClick={() => revoke(app)}
          >
            {words.revoke}
          </Button>
        ) : (
          <Chip look="quiet">{words.states[app.state]}</Chip>
        ),
    },
  ]
}

/** The name is the program's own word, so the host that the access went to stands beneath it. */
function App({ name, redirectHost, clientId }: ConnectedApp) {
  return (
    <div title={clientId}>
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {redirectHost}
      </Text>
    </div>
  )
}
