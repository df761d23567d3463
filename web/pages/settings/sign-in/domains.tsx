import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { readAgain } from '../../../client/use-answer.ts'
import { Chip } from '../../../components/chip.tsx'
import { CopyableText } from '../../../components/copyable-text.tsx'
import { DangerDialog } from '../../../components/danger-dialog.tsx'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { useForm } from '../../../components/use-form.ts'
import { domains as words } from '../../../copy/sign-in-providers.ts'
import type { Provider } from './provider.ts'

type Domain = Provider['domains'][number]

/** The domains that a provider vouches for, and what the DNS has to hold for each. */
export function Domains({ provider: { id, name, domains } }: { provider: Provider }) {
  const call = useGuardedCall()
  const [removing, setRemoving] = useState<string | null>(null)
  const keep = async (wanted: string[]) => {
    await call('updateSignInProvider', { id, domains: wanted })
    await readAgain('listSignInProviders')
  }
  const named = domains.map(({ domain }) => domain)
  const verifying = useMutation({
    mutationFn: async (domain: string) => {
      await call('verifySignInDomain', { id, domain })
      await readAgain('listSignInProviders')
    },
  })
  const adding = useForm({
    initial: { domains: '' },
    send: async ({ domains: wanted }) => {
      await keep([...named, wanted.trim()])
      adding.set('domains', '')
    },
  })
  const { error, ...field } = adding.field('domains')
  return (
    <Stack gap="sm">
      {domains.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.none}
        </Text>
      ) : (
        <DataTable
          label={words.title(name)}
          rows={domains.map((one) => ({ ...one, id: one.domain }))}
          columns={columnsOf(verifying, setRemoving)}
        />
      )}
      <ProblemAlert error={verifying.error} />
      <form {...adding.form}>
        <Group gap="xs" align="flex-end">
          <TextInput
            {...field}
            error={error}
            size="xs"
            w={260}
            label={words.name}
            placeholder={words.placeholder}
            autoComplete="off"
            spellCheck={false}
          />
          <Button type="submit" variant="default" size="xs" loading={adding.isSending}>
            {words.add}
          </Button>
        </Group>
      </form>
      <ProblemAlert error={adding.problem} />
      {domains.some(({ verifiedAt }) => verifiedAt === null) && (
        <Text size="xs" c="dimmed" maw="72ch">
          {words.hint}
        </Text>
      )}
      {removing && (
        <DangerDialog
          title={words.removal.title(removing)}
          text={words.removal.text(removing, name)}
          verb={words.removal.submit}
          act={() => keep(named.filter((domain) => domain !== removing))}
          close={() => setRemoving(null)}
        />
      )}
    </Stack>
  )
}

function columnsOf(
  verifying: { mutate: (domain: string) => void; isPending: boolean; variables: string | undefined },
  remove: (domain: string) => void,
): Column<Domain & { id: string }>[] {
  return [
    {
      label: words.columns.domain,
      cell: ({ domain }) => (
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {domain}
        </Text>
      ),
    },
    {
      label: words.columns.state,
      cell: ({ verifiedAt }) => (
        <Chip look={verifiedAt ? 'good' : 'waits'}>{verifiedAt ? words.verified : words.unverified}</Chip>
      ),
    },
    {
      label: words.columns.record,
      cell: ({ record }) => (
        <>
          <div>
            <CopyableText>{record.name}</CopyableText>
          </div>
          <CopyableText>{record.value}</CopyableText>
        </>
      ),
    },
    {
      label: words.verify,
      hidden: true,
      cell: ({ domain, verifiedAt }) => (
        <Group gap={4} wrap="nowrap" display="inline-flex">
          {!verifiedAt && (
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={`${words.verify} ${domain}`}
              loading={verifying.isPending && verifying.variables === domain}
              onClick={() => verifying.mutate(domain)}
            >
              {words.verify}
            </Button>
          )}
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            aria-label={`${words.remove} ${domain}`}
            onClick={() => remove(domain)}
          >
            {words.remove}
          </Button>
        </Group>
      ),
    },
  ]
}
