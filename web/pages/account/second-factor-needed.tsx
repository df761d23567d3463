import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useSignedIn } from '../../client/session.ts'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { secondFactorNeeded as words } from '../../copy/account.ts'
import { Passkeys } from './security/passkeys.tsx'
import { Totp } from './security/totp.tsx'

/**
 * In place of every page, for who lacks the second factor that the organization asks for. They go on themselves once
 * they have one, so that the recovery codes are not taken from under their eyes.
 */
export function SecondFactorNeeded() {
  const { organization } = useSignedIn()
  const methods = useAnswer('getSignInMethods', {})
  return (
    <Stack gap={36}>
      <PageHead title={words.title} text={words.text(organization.name)} />
      <Loaded query={methods} lines={6}>
        {({ totp, passkeys }) => (
          <>
            {(totp !== null || passkeys.length > 0) && (
              <Alert color="teal" title={words.done} role="status">
                <Group justify="space-between">
                  <Text size="sm">{words.doneText}</Text>
                  <Button size="xs" onClick={() => void readAgain('getSession')}>
                    {words.go}
                  </Button>
                </Group>
              </Alert>
            )}
            <Totp confirmedAt={totp?.confirmedAt ?? null} />
            <Passkeys passkeys={passkeys} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}
