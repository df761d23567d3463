import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { secrets } from '../copy/secrets.ts'
import { CodeSample } from './code-sample.tsx'

/** A secret that is shown this once: nothing but its own button closes it. */
export function SecretBox({
  title,
  label,
  secret,
  close,
  children,
}: {
  title: string
  /** What the secret is called. */
  label: string
  secret: string
  close: () => void
  /** How it is used. */
  children?: ReactNode
}) {
  return (
    <Modal
      opened
      onClose={() => {}}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{secrets.once}</Text>
        <CodeSample label={label} autoFocus>
          {secret}
        </CodeSample>
        {children}
        <Group justify="flex-end">
          <Button onClick={close}>{secrets.kept}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
