import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../client/calls.ts'
import { signIn } from '../../copy/sign-in.ts'
import { ProblemAlert } from '../problem-alert.tsx'
import type { Challenge } from './second-factor.tsx'

/**
 * Finishes a sign-in by the link that went to the mailbox. It takes a press of the button: mail scanners open links,
 * and some run the page's scripts, but they press nothing.
 */
export function ByLink({
  token,
  done,
  challenged,
}: {
  token: string
  done: () => Promise<unknown>
  challenged: (challenge: Challenge) => void
}) {
  const using = useMutation({
    mutationFn: async () => {
      const outcome = await call('signInByLink', { token })
      return outcome.state === 'signed_in' ? done() : challenged(outcome)
    },
  })
  return (
    <Stack>
      <Text size="sm">{signIn.byLink.text}</Text>
      <ProblemAlert error={using.error} />
      <Button fullWidth loading={using.isPending} onClick={() => using.mutate()}>
        {signIn.byLink.submit}
      </Button>
    </Stack>
  )
}
