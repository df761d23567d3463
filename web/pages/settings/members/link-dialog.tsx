import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { OnceLink } from '../../../components/once-link.tsx'
import { members } from '../../../copy/members.ts'

const words = members.invited

export interface Way {
  title: string
  sentTo?: string | null
  link: string | null
  problem?: string | null
  expiresAt: string
  /** Said above the link, where it is no invitation. */
  linkText?: string
}

/** Where an invitation or a link went. It is shown once, so nothing but its own button closes it. */
export function LinkDialog({ way, close }: { way: Way; close: () => void }) {
  const { title, sentTo, link, problem, expiresAt, linkText } = way
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      withCloseButton={false}
      closeOnClickOutside={link === null}
      closeOnEscape={link === null}
    >
      <Stack>
        {problem && (
          <Alert color="yellow" title={words.problem}>
            {problem}
          </Alert>
        )}
        {sentTo && <Text size="sm">{words.sent(sentTo)}</Text>}
        {link && <OnceLink link={link} expiresAt={expiresAt} text={linkText} />}
        <Group justify="flex-end">
          <Button onClick={close} data-autofocus>
            {words.done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
