import { Anchor, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useSignedIn } from '../client/session.ts'
import { PageHead } from '../parts/page-head.tsx'
import { common } from '../words/common.ts'
import { overview } from '../words/frame.ts'

export function OverviewPage() {
  const { organization, role, person } = useSignedIn()
  const facts = [
    [overview.organization, organization.name],
    [overview.person, `${person.name} · ${person.email}`],
    [overview.role, common.roles[role]],
  ]
  return (
    <Stack gap="lg">
      <PageHead title={overview.title} text={overview.text} />
      <Paper withBorder component="dl" p="md" m={0}>
        <Stack gap={6}>
          {facts.map(([label, value]) => (
            <Group key={label} gap="md" wrap="nowrap" align="baseline">
              <Text component="dt" size="sm" c="dimmed" w={110} flex="none">
                {label}
              </Text>
              <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </Group>
          ))}
        </Stack>
      </Paper>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <Way to="/account/security" title={overview.security} text={overview.securityText} />
        <Way to="/account/connected-apps" title={overview.apps} text={overview.appsText} />
        <Paper withBorder p="md">
          <Anchor href="/docs" fw={500} size="sm">
            {overview.docs}
          </Anchor>
          <Text size="sm" c="dimmed" mt={4}>
            {overview.docsText}
          </Text>
        </Paper>
      </SimpleGrid>
    </Stack>
  )
}

function Way({ to, title, text }: { to: NonNullable<LinkProps['to']>; title: string; text: string }) {
  return (
    <Paper withBorder p="md">
      <Anchor component={Link} to={to} fw={500} size="sm">
        {title}
      </Anchor>
      <Text size="sm" c="dimmed" mt={4}>
        {text}
      </Text>
    </Paper>
  )
}
