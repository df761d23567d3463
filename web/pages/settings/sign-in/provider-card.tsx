import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { readAgain } from '../../../client/use-answer.ts'
import { Chip } from '../../../components/chip.tsx'
import { CopyableText } from '../../../components/copyable-text.tsx'
import { DangerDialog } from '../../../components/danger-dialog.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { signInProviders as words } from '../../../copy/sign-in-providers.ts'
import { Domains } from './domains.tsx'
import type { Provider } from './provider.ts'

export function ProviderCard({ provider, edit }: { provider: Provider; edit: () => void }) {
  const call = useGuardedCall()
  const [asking, setAsking] = useState<'turningOff' | 'deletion' | null>(null)
  const heading = useId()
  const { id, name, enabled } = provider
  const turn = async (on: boolean) => {
    await call('updateSignInProvider', { id, enabled: on })
    await readAgain('listSignInProviders')
  }
  const remove = async () => {
    await call('deleteSignInProvider', { id })
    await readAgain('listSignInProviders')
  }
  const turningOn = useMutation({ mutationFn: () => turn(true) })
  const button = (verb: string, act: () => void) => (
    <Button variant="default" size="xs" aria-label={words.labelOf(verb, name)} onClick={act}>
      {verb}
    </Button>
  )
  return (
    <Paper withBorder component="section" aria-labelledby={heading} p="md">
      <Stack>
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <Title order={2} id={heading} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Title>
            <Chip look={enabled ? 'good' : 'quiet'}>{enabled ? words.on : words.off}</Chip>
          </Group>
          <Group gap="xs">
            {button(words.change, edit)}
            {enabled
              ? button(words.turnOff, () => setAsking('turningOff'))
              : button(words.turnOn, () => turningOn.mutate())}
            <Button
              variant="subtle"
              color="red"
              size="xs"
              aria-label={words.labelOf(words.delete, name)}
              onClick={() => setAsking('deletion')}
            >
              {words.delete}
            </Button>
          </Group>
        </Group>
        <ProblemAlert error={turningOn.error} />
        <Stack component="dl" gap={6} m={0}>
          <Fact label={words.facts.issuer}>{provider.issuer}</Fact>
          <Fact label={words.facts.clientId}>{provider.clientId}</Fact>
          <Fact label={words.facts.redirect}>{provider.redirectUri}</Fact>
        </Stack>
        <Domains provider={provider} />
      </Stack>
      {asking && (
        <DangerDialog
          title={words[asking].title(name)}
          text={words[asking].text}
          verb={words[asking].submit}
          act={asking === 'deletion' ? remove : () => turn(false)}
          close={() => setAsking(null)}
        />
      )}
    </Paper>
  )
}

function Fact({ label, children }: { label: string; children: string }): ReactNode {
  return (
    <Group gap="xs" align="baseline">
      <Text component="dt" size="sm" c="dimmed" w={130}>
        {label}
      </Text>
      <Text component="dd" size="sm" m={0} miw={0}>
        <CopyableText>{children}</CopyableText>
      </Text>
    </Group>
  )
}
