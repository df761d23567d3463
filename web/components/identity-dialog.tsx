import { Modal, Stack, Text } from '@mantine/core'
import { sessionBegan, startAfresh } from '../client/session.ts'
import { again } from '../copy/sign-in.ts'
import { ConfirmIdentity } from './confirm-identity.tsx'
import { SignIn } from './sign-in.tsx'

/** Asks once more who is there; or, where the session is over or a provider vouched for it, to sign in again. */
export function IdentityDialog({
  about,
  answer,
}: {
  about: 'identity' | 'provider' | 'session'
  answer: (confirmed: boolean) => void
}) {
  // What was begun here is finished only by whoever began it.
  const resume = async () => ((await sessionBegan()) ? answer(true) : startAfresh(location.pathname))
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      closeOnClickOutside={false}
      title={about === 'session' ? again.signedOut : again.title}
      zIndex={250}
    >
      {about === 'identity' ? (
        <ConfirmIdentity answer={answer} />
      ) : (
        <Stack>
          <Text size="sm" c="dimmed">
            {about === 'session' ? again.signedOutText : again.provider}
          </Text>
          <SignIn done={resume} returnTo={location.pathname} />
        </Stack>
      )}
    </Modal>
  )
}
