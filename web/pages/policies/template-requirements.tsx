import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { allowsRole, scope } from '../../../model/needs.ts'
import { kindIndex } from '../../client/kinds.ts'
import { type AnyRecord, readRecordsAgain } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { policies } from '../../copy/policies.ts'

const words = policies.answers

/** What the template of a policy answers and the policy is not linked with: of a framework that came later. */
export function TemplateRequirements({ policy }: { policy: AnyRecord }) {
  const mayLink = allowsRole(scope('write:policies'), useSignedIn().role)
  const guarded = useGuardedCall()
  const { data } = useAnswer('getTemplateRequirements', { id: policy.id })
  const linking = useMutation({
    mutationFn: async () => {
      await guarded('linkTemplateRequirements', { id: policy.id })
      await Promise.all([
        readAgain('getTemplateRequirements', 'listPolicyTemplates'),
        readRecordsAgain(kindIndex.policy),
      ])
    },
  })
  const all = data?.data ?? []
  const open = all.reduce((sum, { unlinked }) => sum + unlinked, 0)
  const later = all.reduce((sum, { count, isActive }) => sum + (isActive ? 0 : count), 0)
  const isNothingLinked = all.length > 0 && all.every(({ isActive }) => !isActive)
  if (!mayLink || (open === 0 && !isNothingLinked)) return null
  if (open === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.later(later)}
      </Text>
    )
  return (
    <Alert color="blue" variant="light" title={words.title}>
      <Group gap="sm">
        <Text size="sm">{words.open(open)}</Text>
        <Button
          size="compact-sm"
          variant="default"
          loading={linking.isPending}
          onClick={() => linking.mutate()}
        >
          {words.link(open)}
        </Button>
      </Group>
      <ProblemAlert error={linking.error} />
    </Alert>
  )
}
