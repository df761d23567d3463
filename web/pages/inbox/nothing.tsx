import { Paper, Text } from '@mantine/core'

/** Where a view of the inbox is empty. */
export function Nothing({ title, text }: { title: string; text: string }) {
  return (
    <Paper withBorder p="xl" ta="center">
      <Text component="h2" fz="1rem" fw={600} m={0}>
        {title}
      </Text>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </Paper>
  )
}
