import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A part of a page with a heading and what can be done with it. */
export function Section({
  title,
  text,
  action,
  children,
}: {
  title: string
  text?: string
  action?: ReactNode
  children?: ReactNode
}) {
  const heading = useId()
  return (
    <Stack component="section" aria-labelledby={heading} gap="sm">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Stack gap={0} miw={0}>
          <Title order={2} id={heading}>
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
      {children}
    </Stack>
  )
}
