import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSignedIn } from '../../client/session.ts'
import { readAgain } from '../../client/use-answer.ts'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { useForm } from '../../components/use-form.ts'
import { profile as words } from '../../copy/account.ts'
import { roleWords } from '../../copy/roles.ts'
import { CalendarFeed } from './calendar-feed.tsx'

/** Who one is in this organization; the name can be changed. */
export function ProfilePage() {
  const { person, role, organization, limitedView } = useSignedIn()
  const call = useGuardedCall()
  const [isSaved, setIsSaved] = useState(false)
  const { form, field, problem, isSending } = useForm({
    initial: { name: person.name },
    send: async ({ name }) => {
      await call('updateProfile', { name: name.trim() })
      await readAgain('getSession', 'listUsers', 'listOwnershipPrincipals')
      setIsSaved(true)
    },
  })
  return (
    <Stack gap="lg">
      <PageHead title={words.title} text={words.text} />
      <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
        <form {...form} onChange={() => setIsSaved(false)}>
          <Stack maw={480}>
            <ProblemAlert error={problem} />
            <TextInput
              {...field('name')}
              label={words.name}
              description={words.nameHint}
              autoComplete="name"
            />
            <Fact label={words.email} hint={words.emailHint}>
              {person.email}
            </Fact>
            <Fact label={words.organization}>{organization.name}</Fact>
            <Fact label={words.role} hint={words.roleHint}>
              {roleWords[role]}
            </Fact>
            <Group gap="sm">
              <Button type="submit" loading={isSending}>
                {words.submit}
              </Button>
              <Text size="sm" c="dimmed" role="status">
                {isSaved && words.saved}
              </Text>
            </Group>
          </Stack>
        </form>
      </Paper>
      {limitedView !== 'self_service' && <CalendarFeed />}
    </Stack>
  )
}

/** What is told, and changed elsewhere if at all. */
function Fact({ label, hint, children }: { label: string; hint?: string; children: string }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  )
}
