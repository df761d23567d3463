import { Badge, Button, Stack, Text, Tooltip } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Output } from '../client/calls.ts'
import { readAgain } from '../client/use-answer.ts'
import { connectedApps as words } from '../words/apps.ts'
import { CopyableText } from './copyable-text.tsx'
import { DangerDialog } from './danger-dialog.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { useGuardedCall } from './identity-guard.tsx'
import { Loaded } from './loaded.tsx'
import { Moment } from './moment.tsx'

export type ConnectedApp = Output<'listConnectedApps'>['data'][number]

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
  const apps = useInfiniteQuery({
    queryKey: [list],
    queryFn: ({ pageParam }) => call(list, pageParam === null ? {} : { cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const end = async () => {
    await guarded(revoke, { id: revoking!.id })
    await readAgain('listMyConnectedApps', 'listConnectedApps')
  }
  return (
    <Stack>
      <Loaded query={apps}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data)
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
      {apps.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          mx="auto"
          loading={apps.isFetchingNextPage}
          onClick={() => void apps.fetchNextPage()}
        >
          {words.more}
        </Button>
      )}
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
    { label: words.columns.scopes, cell: (app) => <Scopes {...app} /> },
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
          <Badge variant="light" color="gray" tt="none">
            {words.states[app.state]}
          </Badge>
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

function Scopes({ scopes, effectiveScopes, state }: ConnectedApp) {
  const isReduced = state === 'active' && effectiveScopes.length < scopes.length
  return (
    <Tooltip
      multiline
      maw={320}
      label={
        <>
          {isReduced && <div>{words.reducedHint}</div>}
          {scopes.join(', ')}
        </>
      }
      events={{ hover: true, focus: true, touch: true }}
    >
      <Text component="span" size="sm" tabIndex={0} style={{ cursor: 'help' }}>
        {isReduced ? words.reduced(effectiveScopes.length, scopes.length) : words.scopes(scopes.length)}
      </Text>
    </Tooltip>
  )
}
