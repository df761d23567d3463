import { Group, Text } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { policies } from '../../copy/policies.ts'
import type { Version } from './version.ts'

/** That a program wrote in a text, to whoever decides on it. */
export function ByPrograms({ version: { programs } }: { version: Pick<Version, 'programs'> }) {
  if (!programs || programs.length === 0) return null
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <IconRobot size={16} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Text size="sm">
        <bdi>{policies.approval.programs(programs.map(({ displayName }) => displayName))}</bdi>
      </Text>
    </Group>
  )
}
