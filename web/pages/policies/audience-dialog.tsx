import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import { fieldsOf } from '../../client/fields.ts'
import { kindIndex } from '../../client/kinds.ts'
import { type AnyRecord, keepRecord, mayDo, readRecordsAgain } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { useKind } from '../../client/use-kind.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { FieldInput } from '../../components/record-form/field-input.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { acknowledgement } from '../../copy/acknowledgement.ts'
import { type By, isNamed, namesIn } from './named-audience.ts'
import styles from './policies.module.css'

const words = acknowledgement.audience

const FIELDS = ['requiresAttestation', 'audience', 'audienceIds', 'attestationDueDays'] as const

/** Whether a policy is to be acknowledged, by whom, and within how many days: saved in one change. */
export function AudienceDialog({ policy, close }: { policy: AnyRecord; close: () => void }) {
  const kind = useKind(kindIndex.policy)
  const fields = fieldsOf(kind)
  const guarded = useGuardedCall()
  const mayChoose = mayDo(kindIndex.personnel, 'read', useSignedIn())
  const [given, setGiven] = useState<Values>(() => ({
    // Who opens this means to ask somebody.
    requiresAttestation: true,
    audience: policy.audience === 'none' ? null : policy.audience,
    audienceIds: policy.audienceIds,
    attestationDueDays: policy.attestationDueDays,
  }))
  const { audience, requiresAttestation } = given
  const { wrong, mend, ...sending } = useSubmission({
    given,
    fields: FIELDS,
    isMissing: (field) =>
      (field === 'audience' && requiresAttestation === true && audience === null) ||
      (field === 'audienceIds' && isNamed(audience) && namesIn(given).length === 0),
    send: async ({ audienceIds, ...more }) => {
      const change = {
        ...{ id: policy.id, ifMatch: policy.version, ...more },
        audienceIds: isNamed(audience) ? audienceIds : null,
      }
      keepRecord(kind, (await guarded('updatePolicy' as never, change as never)) as never)
      close()
      await Promise.all([readRecordsAgain(kind), readAgain('listAttestations')])
    },
  })
  const set = (name: string, value: unknown) => {
    // Departments are no labels.
    setGiven((all) => ({ ...all, ...(name === 'audience' && { audienceIds: null }), [name]: value }))
    mend(name)
  }
  return (
    <FormDialog words={words.form} of={sending} close={close}>
      {FIELDS.map((name) => {
        if (name === 'audienceIds' && !isNamed(audience)) return null
        return name === 'audienceIds' && mayChoose ? (
          <Names
            key={audience as By}
            by={audience as By}
            chosen={namesIn(given)}
            before={policy.audience === audience ? namesIn(policy) : []}
            error={wrong[name]}
            choose={(names) => set(name, names)}
          />
        ) : (
          <FieldInput
            key={name}
            field={fields.get(name)!}
            value={given[name] ?? null}
            change={(value) => set(name, value)}
            error={wrong[name]}
            required={name === 'audience' && requiresAttestation === true}
          />
        )
      })}
    </FormDialog>
  )
}

/** The departments or labels that there are, each with how many people; and what was named before and is nobody's. */
function Names({
  by,
  chosen,
  before,
  error,
  choose,
}: {
  by: By
  chosen: readonly string[]
  before: readonly string[]
  error: string | undefined
  choose: (names: string[]) => void
}) {
  const { data } = useAnswer('listAudienceNames', { by })
  if (!data) return null
  const there = new Map(data.data.map(({ name, people }) => [name, people] as const))
  const offered = [...new Set([...before, ...there.keys()])]
  return (
    <Checkbox.Group label={words.choose[by]} error={error} withAsterisk value={[...chosen]} onChange={choose}>
      {offered.length === 0 ? (
        <Text size="sm">{words.noneThere[by]}</Text>
      ) : (
        <Stack gap="xs" mt={6} className={styles.names!}>
          {offered.map((name) => (
            <Checkbox
              key={name}
              value={name}
              // Of more than are counted it is not known of how many people they are.
              label={
                <bdi>
                  {data.hasMore && !there.has(name) ? name : words.choice(name, there.get(name) ?? 0)}
                </bdi>
              }
            />
          ))}
        </Stack>
      )}
    </Checkbox.Group>
  )
}
