import { Box, Button, Group } from '@mantine/core'
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
import type { Lacked } from './version.ts'

const words = policies.approval

/** Sets what a policy lacks, a person or a day, where that is in the way of submitting its text. */
export function NamePeople({ policy, missing }: { policy: AnyRecord; missing: readonly Lacked[] }) {
  const kind = useKind(kindIndex.policy)
  const guarded = useGuardedCall()
  const [chosen, setChosen] = useState<Readonly<Record<string, Principal | string | null>>>({})
  const named = missing.filter((field) => chosen[field])
  const naming = useMutation({
    mutationFn: async () => {
      const change = {
        id: policy.id,
        ifMatch: policy.version,
        ...Object.fromEntries(named.map((field) => [field, given(chosen[field])])),
      }
      keepRecord(kind, (await guarded('updatePolicy' as never, change as never)) as never)
      await readRecordsAgain(kind)
    },
  })
  return (
    <>
      <Group gap="sm" align="flex-end">
        {missing.map((field) => (
          <Box key={field} w="min(20rem, 100%)">
            <FieldInput
              field={fieldsOf(kind).get(field)!}
              value={chosen[field] ?? null}
              change={(value) =>
                setChosen((all) => ({ ...all, [field]: value as Principal | string | null }))
              }
            />
          </Box>
        ))}
        <Button disabled={named.length === 0} loading={naming.isPending} onClick={() => naming.mutate()}>
          {words.name}
        </Button>
      </Group>
      <ProblemAlert error={naming.error} />
    </>
  )
}

/** As a call takes it: of somebody who they are, and not what they are called. */
function given(value: Principal | string | null | undefined): unknown {
  if (!value || typeof value === 'string') return value
  const { type, refId } = value
  return { type, refId }
}
