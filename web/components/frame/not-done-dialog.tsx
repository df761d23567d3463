import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { ProblemAlert } from '../problem-alert.tsx'

/** Says that one is still who and where one was, and why, and offers to try again. */
export function NotDoneDialog({
  words,
  error,
  isPending,
  again,
  stay,
}: {
  words: { title: string; text: string; stay: string; again: string }
  error: Error
  isPending: boolean
  again: () => void
  stay: () => void
}) {
  return (
    <Modal opened onClose={stay} title={words.title} withCloseButton={false}>
      <Stack>
        <Text size="sm">{words.text}</Text>
        <ProblemAlert error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={stay}>
            {words.stay}
          </Button>
          <Button loading={isPending} onClick={again} data-autofocus>
            {words.again}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
