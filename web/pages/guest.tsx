import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call, type Output } from '../client/calls.ts'
import { callAsGuest } from '../client/guest-calls.ts'
import { useOneTimeToken } from '../client/one-time-token.ts'
import { queries } from '../client/queries.ts'
import { Entrance } from '../components/entrance.tsx'
import { Loaded } from '../components/loaded.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { ProblemAlert } from '../components/problem-alert.tsx'
import { ReadAndSay } from '../components/read-and-say.tsx'
import { guestPage as words } from '../copy/to-read.ts'
import { ProveMailbox } from './guest/prove-mailbox.tsx'

const PASS = ['getGuestPass']
const TEXT = ['readPolicyAsGuest']

/**
 * For who is no member and came by a link. It is opened by a button, so that whatever only looks at the page, a preview
 * or a scanner of mails, reads nothing for them.
 */
export function GuestPage() {
  const token = useOneTimeToken()
  const pass = useQuery({
    queryKey: PASS,
    queryFn: () => callAsGuest('getGuestPass', {}),
    enabled: token === null,
    retry: false,
  })
  if (token !== null) return <Closed token={token} />
  if (pass.error) return <Entrance title={words.noToken.title} text={words.noToken.text} />
  if (!pass.data) return null
  return <Opened pass={pass.data} />
}

function Closed({ token }: { token: string }) {
  const navigate = useNavigate()
  const opening = useMutation({
    mutationFn: () => call('openGuestPass', { token }),
    onSuccess: async (pass) => {
      queries.removeQueries({ queryKey: TEXT })
      queries.setQueryData(PASS, pass)
      await navigate({ to: '/guest', hash: '', replace: true })
    },
  })
  if (opening.error) return <Entrance title={words.gone.title} text={words.gone.text} />
  return (
    <Entrance title={words.title} text={words.text}>
      <Button onClick={() => opening.mutate()} loading={opening.isPending} data-autofocus>
        {words.open}
      </Button>
    </Entrance>
  )
}

function Opened({ pass }: { pass: Output<'getGuestPass'> }) {
  const text = useQuery({ queryKey: TEXT, queryFn: () => callAsGuest('readPolicyAsGuest', {}), retry: false })
  const leaving = useMutation({
    mutationFn: () => callAsGuest('closeGuestPass', {}),
    onSettled: () => queries.resetQueries({ queryKey: PASS }),
  })
  return (
    <Box component="main" px="md" py="lg">
      <PageTitle>{pass.title}</PageTitle>
      <Stack gap="md" maw={760} mx="auto">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {words.from(pass.organization)}
          </Text>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => leaving.mutate()}>
            {words.leave}
          </Button>
        </Group>
        <ProblemAlert error={leaving.error} />
        <Loaded query={text} lines={12}>
          {(read) => (
            <ReadAndSay
              read={read}
              acknowledge={async (consent) =>
                queries.setQueryData(TEXT, await callAsGuest('acknowledgePolicyAsGuest', consent))
              }
              before={
                pass.isConfirmed ? null : (
                  <ProveMailbox proved={() => queries.setQueryData(PASS, { ...pass, isConfirmed: true })} />
                )
              }
            />
          )}
        </Loaded>
      </Stack>
    </Box>
  )
}
