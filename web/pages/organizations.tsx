import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../client/calls.ts'
import { startAfresh, useSignedIn } from '../client/session.ts'
import { PageHead } from '../components/page-head.tsx'
import { ProblemAlert } from '../components/problem-alert.tsx'
import { organizations as words } from '../copy/entering.ts'
import { roleWords } from '../copy/roles.ts'

export function OrganizationsPage() {
  const { organization, organizations } = useSignedIn()
  const changing = useMutation({
    mutationFn: (organizationId: string) =>
      call('switchOrganization', { organizationId }).then(() => startAfresh('/')),
  })
  return (
    <Stack gap="lg">
      <PageHead title={words.title} text={organizations.length > 1 ? words.text : words.only} />
      <ProblemAlert error={changing.error} />
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {organizations.map(({ id, name, role }) => (
          <Paper key={id} component="li" withBorder px="md" py="sm">
            <Group justify="space-between" wrap="nowrap">
              <div>
                <Text fw={500} size="sm">
                  {name}
                </Text>
                <Text size="xs" c="dimmed">
                  {roleWords[role]}
                </Text>
              </div>
              {id === organization.id ? (
                <Badge>{words.here}</Badge>
              ) : (
                <Button
                  variant="default"
                  size="xs"
                  loading={changing.isPending && changing.variables === id}
                  onClick={() => changing.mutate(id)}
                  aria-label={words.goTo(name)}
                >
                  {words.go}
                </Button>
              )}
            </Group>
          </Paper>
        ))}
      </Stack>
    </Stack>
  )
}
