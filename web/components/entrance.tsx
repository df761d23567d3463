import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { everyPage } from '../copy/every-page.ts'
import { Mark } from './mark.tsx'
import { PageTitle } from './page-title.tsx'

/** The frame of the pages before the app: one narrow column, one thing to do. */
export function Entrance({
  title,
  text,
  wide,
  children,
}: {
  title: string
  text?: ReactNode
  wide?: boolean
  children?: ReactNode
}) {
  return (
    <Box component="main" px="md" py={{ base: 'lg', xs: '12vh' }}>
      <PageTitle>{title}</PageTitle>
      <Stack gap="md" mx="auto" maw={wide ? 560 : 384}>
        <Group gap={8} c="var(--mantine-color-anchor)">
          <Mark size={22} />
          <Text fw={600} c="var(--mantine-color-text)">
            {everyPage.name}
          </Text>
        </Group>
        <Paper withBorder p={{ base: 'md', xs: 'xl' }}>
          <Stack gap="md">
            <Stack gap={4}>
              <Title order={1}>{title}</Title>
              {text && (
                <Text size="sm" c="dimmed">
                  {text}
                </Text>
              )}
            </Stack>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Box>
  )
}
