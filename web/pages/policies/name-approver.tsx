import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldsOf } from '../../client/fields.ts'
import { kindIndex } from '../../client/kinds.ts'
import { type AnyRecord, keepRecord, type Principal, readRecordsAgain } from '../../client/records.ts'
import { useKind } from '../../client/use-kind.ts'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { FieldInput } from '../../components/record-form/field-input.tsx'
import { policies } from '../../copy/policies.ts'

const words = policies.approval

/** Names the approver of a policy where the lack of one is in the way. */
export function NameApprover({ policy }: { policy: AnyRecord }) {
  const kind = useKind(kindIndex.policy)
  const guarded = useGuardedCall()
  const [chosen, setChosen] = useState<Principal | null>(null)
  const naming = useMutation({
    mutationFn: async ({ type, refId }: Principal) => {
      const given = { id: policy.id, ifMatch: policy.version, approver: { type, refId } }
      keepRecord(kind, (await guarded('updatePolicy' as never, given as never)) as never)
      await readRecordsAgain(kind)
    },
  })
  return (
    <>
      <Group gap="sm" align="flex-end">
        <FieldInput
          field={fieldsOf(kind).get('approver')!}
          value={chosen}
          change={(value) => setChosen(value as Principal | null)}
        />
        <Button disabled={!chosen} loading={naming.isPending} onClick={() => chosen && naming.mutate(chosen)}>
          {words.name}
        </Button>
      </Group>
      <ProblemAlert error={naming.error} />
    </>
  )
}
