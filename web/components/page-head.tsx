import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageTitle } from './page-title.tsx'

/** The head of a page: what it is, and the one main action there. */
export function PageHead({ title, text, action }: { title: string; text?: string; action?: ReactNode }) {
  return (
    <Group justify="space-between" align="flex-start" gap="md">
      <PageTitle>{title}</PageTitle>
      <Stack gap={2} miw={0} flex="1 1 24rem">
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {text && (
          <Text size="sm" c="dimmed" maw="72ch">
            {text}
          </Text>
        )}
      </Stack>
      {action}
    </Group>
  )
}
