import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { allowsRole, scope } from '../../../model/needs.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { kindIndex } from '../../client/kinds.ts'
import { type AnyRecord, type Principal, recordQuery } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { useKind } from '../../client/use-kind.ts'
import { Moment } from '../../components/moment.tsx'
import { PrincipalMark } from '../../components/principal-mark.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { policies } from '../../copy/policies.ts'
import { RecordOperations } from '../record/operations.tsx'
import styles from './policies.module.css'
import { isInTheMaking, type Version } from './version.ts'

const words = policies.approval

const NameApprover = lazy(() =>
  fetchCode(() => import('./name-approver.tsx')).then((code) => ({ default: code.NameApprover })),
)

interface Decision extends AnyRecord {
  readonly approver: Principal
  readonly status: 'pending' | 'approved' | 'rejected' | 'voided'
  readonly comment: string | null
  readonly decidedAt: string | null
  readonly round: number
}

/** Only whom the version asks decides, and each once. */
const OF_APPROVERS = ['approvePolicyVersion', 'rejectPolicyVersion']
const DISCARD = 'discardPolicyVersion'
const OF_WRITERS = ['submitPolicyVersion', 'publishPolicyVersion', 'withdrawPolicyVersion', DISCARD]

/** What leads on from where a version is. */
const MAIN = ['submitPolicyVersion', 'approvePolicyVersion', 'publishPolicyVersion']

/** Who is asked about a version, what they said, and what can be done with it now. */
export function Approval({
  kind,
  policy,
  version,
}: {
  kind: DescribedKind
  policy: AnyRecord
  version: Version
}) {
  const decisionKind = useKind(kindIndex.policy_decision)
  const { person, role } = useSignedIn()
  const { data } = useQuery(recordQuery(decisionKind, 'list', { versionId: [version.id], limit: 200 }))
  const all = (data?.data ?? []) as readonly AnyRecord[] as readonly Decision[]
  const decisions = all.filter(({ round }) => round === version.round).toReversed()
  const isAsked =
    version.status === 'pending_approval' &&
    decisions.some(({ approver, status }) => status === 'pending' && approver.refId === person.id)
  const isOpen = isInTheMaking(version)
  if (!isOpen && decisions.length === 0) return null
  // Nobody could decide: it is not submitted before somebody is named.
  const further = (policy.extraApproverIds ?? []) as readonly string[]
  const isUnnamed = version.status === 'draft' && !policy.approver && further.length === 0
  const mayName = isUnnamed && allowsRole(scope('write:policies'), role)
  return (
    <Stack component="section" gap="xs" className={styles.approval} aria-label={words.title}>
      {isOpen && (
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <StateMark kind={kind} field="status" state={version.status} />
            <Text size="sm">{isAsked ? words.yours : neededOf(policy)}</Text>
          </Group>
          <Group gap="xs">
            <RecordOperations
              kind={kind}
              record={version}
              main={MAIN}
              only={isAsked ? [...OF_APPROVERS, ...OF_WRITERS] : isUnnamed ? [DISCARD] : OF_WRITERS}
            />
          </Group>
        </Group>
      )}
      {mayName && (
        <Suspense>
          <NameApprover policy={policy} />
        </Suspense>
      )}
      {version.status !== 'draft' && decisions.length > 0 && (
        <ul className={styles.decisions}>
          {decisions.map(({ id, approver, status, comment, decidedAt }) => (
            <li key={id}>
              <PrincipalMark principal={approver} />
              <StateMark kind={decisionKind} field="status" state={status} />
              {decidedAt && (
                <Text span size="sm" c="dimmed">
                  <Moment at={decidedAt} />
                </Text>
              )}
              {comment && (
                <Text span size="sm">
                  <bdi>{comment}</bdi>
                </Text>
              )}
            </li>
          ))}
        </ul>
      )}
    </Stack>
  )
}

function neededOf({ approver, quorum, quorumCount }: AnyRecord): string {
  if (!approver) return words.nobody
  return quorum === 'any' ? words.any : quorum === 'all' ? words.all : words.n(Number(quorumCount))
}
