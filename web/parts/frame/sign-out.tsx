import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../client/calls.ts'
import { Problem } from '../../client/problem.ts'
import { startAfresh } from '../../client/session.ts'
import { signOut as words } from '../../words/frame.ts'
import { ProblemAlert } from '../problem-alert.tsx'

export interface Leaving {
  leave: () => void
  isPending: boolean
  /** Why it did not go through; kept while it is tried again. */
  failure: Error | null
  stay: () => void
}

/** The way out, wherever it is taken from. */
export function useSignOut(): Leaving {
  const [failure, setFailure] = useState<Error | null>(null)
  const leaving = useMutation({
    mutationFn: () =>
      call('signOut', {})
        .catch(unlessOver)
        .then(() => startAfresh('/sign-in')),
    onError: setFailure,
  })
  return {
    leave: () => leaving.mutate(),
    isPending: leaving.isPending,
    failure,
    stay: () => setFailure(null),
  }
}

/** A session that is over already cannot be ended, and need not be. */
function unlessOver(error: unknown): void {
  if (!(error instanceof Problem && error.status === 401)) throw error
}

/** Who wanted to leave and could not has to know: whoever comes to this browser next would be them. */
export function StillSignedIn({ leave, isPending, failure, stay }: Leaving) {
  return (
    <Modal opened={failure !== null} onClose={stay} title={words.failed.title} withCloseButton={false}>
      <Stack>
        <Text size="sm">{words.failed.text}</Text>
        <ProblemAlert error={failure} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={stay}>
            {words.failed.stay}
          </Button>
          <Button loading={isPending} onClick={leave} data-autofocus>
            {words.failed.again}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
