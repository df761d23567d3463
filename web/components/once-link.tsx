import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { members } from '../copy/members.ts'
import { Moment } from './moment.tsx'

const words = members.invited

/** A link that is shown this once, to be handed over. */
export function OnceLink({
  link,
  expiresAt,
  text = words.link,
}: {
  link: string
  expiresAt: string
  /** What is said above it. */
  text?: string | undefined
}) {
  const [isCopied, setIsCopied] = useState(false)
  return (
    <Stack gap="xs">
      <Text size="sm">{text}</Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {link}
      </Code>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {members.expires} <Moment at={expiresAt} />
        </Text>
        <Button
          size="xs"
          variant="default"
          onClick={() => navigator.clipboard.writeText(link).then(() => setIsCopied(true))}
        >
          {isCopied ? words.copied : words.copy}
        </Button>
      </Group>
    </Stack>
  )
}
