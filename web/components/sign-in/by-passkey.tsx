import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { PasskeyUnused, signInWithPasskey } from '../../client/passkeys.ts'
import { signIn } from '../../copy/sign-in.ts'
import { ProblemAlert } from '../problem-alert.tsx'

/** @param ticket of a password given before, where the passkey is the second factor */
export function ByPasskey({
  label,
  ticket,
  primary = false,
  done,
}: {
  label: string
  ticket?: string
  primary?: boolean
  done: () => Promise<unknown>
}) {
  const using = useMutation({
    mutationFn: () => signInWithPasskey(ticket === undefined ? {} : { ticket }).then(done),
  })
  return (
    <Stack gap="xs">
      <Button
        variant={primary ? 'filled' : 'default'}
        fullWidth
        loading={using.isPending}
        onClick={() => using.mutate()}
      >
        {label}
      </Button>
      {using.error instanceof PasskeyUnused ? (
        <Text size="sm" c="dimmed" role="status">
          {signIn.passkeyFailed}
        </Text>
      ) : (
        <ProblemAlert error={using.error} />
      )}
    </Stack>
  )
}
