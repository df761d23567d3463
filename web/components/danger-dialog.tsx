import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { buttons } from '../copy/buttons.ts'
import { ProblemAlert } from './problem-alert.tsx'

/** Names the thing and says what happens to whom; its button carries the verb. */
export function DangerDialog({
  title,
  text,
  verb,
  isKeptBack = false,
  isUndoable = false,
  act,
  close,
  children,
}: {
  title: string
  text: string
  verb: string
  /** Whether something stands in the way, which is then said beneath the text. */
  isKeptBack?: boolean
  /** Whether what it does can be undone by the same person. */
  isUndoable?: boolean
  act: () => Promise<unknown>
  close: () => void
  children?: ReactNode
}) {
  const acting = useMutation({ mutationFn: act, onSuccess: close })
  return (
    <Modal opened onClose={close} title={title} withCloseButton={false}>
      <Stack>
        <Text size="sm">{text}</Text>
        {children}
        <ProblemAlert error={acting.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {buttons.cancel}
          </Button>
          <Button
            {...(isUndoable ? {} : { color: 'red' })}
            disabled={isKeptBack}
            loading={acting.isPending}
            onClick={() => acting.mutate()}
          >
            {verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
