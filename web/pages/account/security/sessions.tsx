import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../../client/calls.ts'
import { readAgain, useAnswer } from '../../../client/use-answer.ts'
import { DangerDialog } from '../../../components/danger-dialog.tsx'
import { DataTable } from '../../../components/data-table.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Moment } from '../../../components/moment.tsx'
import { Section } from '../../../components/section.tsx'
import { browserOf } from '../../../components/user-agent.ts'
import { sessions as words } from '../../../copy/account.ts'

type Session = Output<'listSessions'>['data'][number]

export function Sessions() {
  const call = useGuardedCall()
  const sessions = useAnswer('listSessions', {})
  const [ending, setEnding] = useState<Session | null>(null)
  const end = async () => {
    await call('revokeSession', { id: ending!.id })
    await readAgain('listSessions')
  }
  return (
    <Section title={words.title} text={words.text}>
      <Loaded query={sessions}>
        {({ data }) => (
          <DataTable
            label={words.title}
            rows={data}
            columns={[
              { label: words.columns.where, cell: (session) => <Where {...session} /> },
              { label: words.columns.organization, cell: ({ organization }) => organization.name },
              { label: words.columns.how, cell: (session) => <How {...session} /> },
              { label: words.columns.seen, cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
              {
                label: words.end,
                hidden: true,
                cell: (session) =>
                  session.current ? (
                    <Badge>{words.current}</Badge>
                  ) : (
                    <Button
                      variant="subtle"
                      color="red"
                      size="compact-sm"
                      aria-label={`${words.ending.submit}: ${browserOf(session.userAgent)}`}
                      onClick={() => setEnding(session)}
                    >
                      {words.end}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {ending && (
        <DangerDialog
          title={words.ending.title}
          text={words.ending.text(browserOf(ending.userAgent))}
          verb={words.ending.submit}
          act={end}
          close={() => setEnding(null)}
        />
      )}
    </Section>
  )
}

function Where({ userAgent, ip }: Session) {
  return (
    <Group gap="xs" wrap="wrap" title={userAgent ?? undefined}>
      <Text size="sm" fw={500}>
        {browserOf(userAgent)}
      </Text>
      {ip && (
        <Text size="xs" c="dimmed">
          {ip}
        </Text>
      )}
    </Group>
  )
}

function How({ method, secondFactor, createdAt }: Session) {
  const second = secondFactor && method !== 'passkey' ? ` + ${words.second[secondFactor]}` : ''
  return (
    <>
      {words.methods[method]}
      {second}, <Moment at={createdAt} />
    </>
  )
}
