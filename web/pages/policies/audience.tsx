import { Alert, Button, Group, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { ATTESTATION_DUE_DAYS } from '../../../model/attestation.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { kindIndex } from '../../client/kinds.ts'
import { type AnyRecord, mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { acknowledgement } from '../../copy/acknowledgement.ts'
import type { Edits } from '../record/use-record-edits.ts'
import { type By, isNamed, namesIn } from './named-audience.ts'

const words = acknowledgement.audience

const AudienceDialog = lazy(() =>
  fetchCode(() => import('./audience-dialog.tsx')).then((code) => ({ default: code.AudienceDialog })),
)

/** Whom a policy asks, among its details: its four fields are one thing, and are changed at once. */
export function PolicyAudience({
  edits,
  editable,
}: {
  kind: DescribedKind
  edits: Edits
  editable: boolean
}) {
  return (
    <section aria-label={words.title}>
      <h2>{words.title}</h2>
      <Audience policy={edits.shown} mayChange={editable} />
    </section>
  )
}

/** Whom a policy asks to acknowledge it, and the form by which that is changed. */
export function Audience({ policy, mayChange }: { policy: AnyRecord; mayChange: boolean }) {
  const [isChanging, setIsChanging] = useState(false)
  const isAsked = policy.requiresAttestation === true
  return (
    <>
      <AudienceOfNobody policy={policy} />
      <Group gap="sm">
        <Text size="sm">
          {words.told({
            isAsked,
            isRetired: policy.status === 'retired',
            audience: policy.audience as string | null,
            names: namesIn(policy),
            days: Number(policy.attestationDueDays ?? ATTESTATION_DUE_DAYS),
          })}
        </Text>
        {mayChange && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={isAsked ? `${words.change}: ${words.form.title}` : words.setUp}
            onClick={() => setIsChanging(true)}
          >
            {isAsked ? words.change : words.setUp}
          </Button>
        )}
      </Group>
      {isChanging && (
        <Suspense>
          <AudienceDialog policy={policy} close={() => setIsChanging(false)} />
        </Suspense>
      )}
    </>
  )
}

/** That a name in the audience of a policy is nobody's, wherever it is told who is asked. */
function AudienceOfNobody({ policy }: { policy: AnyRecord }) {
  // Who may not know who they are is not told who there is either.
  const mayRead = mayDo(kindIndex.personnel, 'read', useSignedIn())
  return isNamed(policy.audience) && mayRead ? (
    <Nobodys by={policy.audience} chosen={namesIn(policy)} />
  ) : null
}

function Nobodys({ by, chosen }: { by: By; chosen: readonly string[] }) {
  const { data } = useAnswer('listAudienceNames', { by })
  const nobodys =
    !data || data.hasMore ? [] : chosen.filter((one) => !data.data.some(({ name }) => name === one))
  if (nobodys.length === 0) return null
  return (
    <Alert color="yellow" mb="xs" title={words.nobody[by](nobodys)}>
      <Text size="sm">{words.mistyped}</Text>
    </Alert>
  )
}
