import { Alert, Stack } from '@mantine/core'
import { useSignedIn } from '../../client/session.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { StoppedAlert } from '../../components/stopped-alert.tsx'
import { security } from '../../copy/account.ts'
import { stopped } from '../../copy/stopped.ts'
import { Identities } from './security/identities.tsx'
import { Passkeys } from './security/passkeys.tsx'
import { Password } from './security/password.tsx'
import { Recovery } from './security/recovery.tsx'
import { Sessions } from './security/sessions.tsx'
import { Totp } from './security/totp.tsx'

export function SecurityPage() {
  const { session } = useSignedIn()
  return (
    <Stack gap={36}>
      <PageHead title={security.title} text={security.text} />
      <StoppedAlert title={stopped.linkTitle} />
      {session.provider ? (
        <Alert color="gray" title={security.vouched.title}>
          {security.vouched.text}
        </Alert>
      ) : (
        <Methods />
      )}
      <Sessions />
    </Stack>
  )
}

function Methods() {
  const methods = useAnswer('getSignInMethods', {})
  return (
    <Loaded query={methods} lines={6}>
      {({ password, totp, recoveryCodesLeft, passkeys }) => (
        <>
          <Password has={password} />
          <Passkeys passkeys={passkeys} />
          <Totp confirmedAt={totp?.confirmedAt ?? null} />
          <Recovery left={recoveryCodesLeft} isOffered={totp !== null || passkeys.length > 0} />
          <Identities />
        </>
      )}
    </Loaded>
  )
}
