import { Modal, Stack, Text } from '@mantine/core'
import { sessionBegan, startAfresh } from '../client/session.ts'
import { again } from '../words/sign-in.ts'
import { ConfirmIdentity } from './confirm-identity.tsx'
import { SignIn } from './sign-in.tsx'

/** Asks once more who is there; or, where the session is over, to sign in again. */
export function IdentityDialog({
  about,
  answer,
}: {
  about: 'identity' | 'session'
  answer: (confirmed: boolean) => void
}) {
  const isOver = about === 'session'
  // What was begun here is finished only by whoever began it.
  const resume = async () => ((await sessionBegan()) ? answer(true) : startAfresh(location.pathname))
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      closeOnClickOutside={false}
      title={isOver ? again.signedOut : again.title}
      zIndex={250}
    >
      {isOver ? (
        <Stack>
          <Text size="sm" c="dimmed">
            {again.signedOutText}
          </Text>
          <SignIn done={resume} />
        </Stack>
      ) : (
        <ConfirmIdentity answer={answer} />
      )}
    </Modal>
  )
}
