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

/** Names the people whom a policy lacks where that is in the way of submitting it. */
export function NamePeople({
  policy,
  missing,
}: {
  policy: AnyRecord
  /** The fields that are to name somebody. */
  missing: readonly ('owner' | 'approver')[]
}) {
  const kind = useKind(kindIndex.policy)
  const guarded = useGuardedCall()
  const [chosen, setChosen] = useState<Readonly<Record<string, Principal | null>>>({})
  const named = missing.flatMap((field) => {
    const { type, refId } = chosen[field] ?? {}
    return type ? [[field, { type, refId }] as const] : []
  })
  const naming = useMutation({
    mutationFn: async () => {
      const given = { id: policy.id, ifMatch: policy.version, ...Object.fromEntries(named) }
      keepRecord(kind, (await guarded('updatePolicy' as never, given as never)) as never)
      await readRecordsAgain(kind)
    },
  })
  return (
    <>
      <Group gap="sm" align="flex-end">
        {missing.map((field) => (
          <FieldInput
            key={field}
            field={fieldsOf(kind).get(field)!}
            value={chosen[field] ?? null}
            change={(value) => setChosen((all) => ({ ...all, [field]: value as Principal | null }))}
          />
        ))}
        <Button disabled={named.length === 0} loading={naming.isPending} onClick={() => naming.mutate()}>
          {words.name}
        </Button>
      </Group>
      <ProblemAlert error={naming.error} />
    </>
  )
}
