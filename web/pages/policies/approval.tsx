import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { allowsRole, scope } from '../../../model/needs.ts'
import { placeholdersIn } from '../../../model/policy-text.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { kindIndex } from '../../client/kinds.ts'
import { type AnyRecord, archivedWith, type Principal, recordQuery } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { useKind } from '../../client/use-kind.ts'
import { DatedMoment } from '../../components/moment.tsx'
import { PrincipalMark } from '../../components/principal-mark.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { policies } from '../../copy/policies.ts'
import { RecordOperations } from '../record/operations.tsx'
import { ByPrograms } from './by-programs.tsx'
import styles from './policies.module.css'
import { isInTheMaking, type Lacked, type Version } from './version.ts'

const words = policies.approval

const NamePeople = lazy(() =>
  fetchCode(() => import('./name-people.tsx')).then((code) => ({ default: code.NamePeople })),
)

interface Decision extends AnyRecord {
  readonly approver: Principal
  readonly status: 'pending' | 'approved' | 'rejected' | 'voided'
  readonly comment: string | null
  readonly decidedAt: string | null
  /** As the approver was called then. */
  readonly approverName: string | null
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
  const decisions = useDecisions(version)
    .filter(({ round }) => round === version.round)
    .toReversed()
  const isAsked =
    version.status === 'pending_approval' &&
    decisions.some(({ approver, status }) => status === 'pending' && approver.refId === person.id)
  const isOpen = isInTheMaking(version)
  if (!isOpen && decisions.length === 0) return null
  const missing = missingIn(policy, version)
  const isUnnamed = missing.length > 0
  const mayName = isUnnamed && allowsRole(scope('write:policies'), role)
  return (
    <Stack component="section" gap="xs" className={styles.approval} aria-label={words.title}>
      {isOpen && (
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <StateMark kind={kind} field="status" state={version.status} />
            <Text size="sm">
              {isAsked
                ? words.yours
                : isUnnamed
                  ? words.nobody(missing)
                  : version.status === 'approved'
                    ? words.ready
                    : neededOf(policy)}
            </Text>
          </Group>
          <Group gap="xs">
            <RecordOperations
              kind={kind}
              record={version}
              main={MAIN}
              only={
                isAsked
                  ? [...OF_APPROVERS, ...OF_WRITERS]
                  : isUnnamed || (version.status === 'draft' && tooFew(policy) !== null)
                    ? [DISCARD]
                    : OF_WRITERS
              }
            />
          </Group>
        </Group>
      )}
      {isOpen && <ByPrograms version={version} />}
      {mayName && (
        <Suspense>
          <NamePeople policy={policy} missing={missing} />
        </Suspense>
      )}
      {version.status !== 'draft' && decisions.length > 0 && (
        <ul className={styles.decisions}>
          {decisions.map(({ id, approver, status, comment, decidedAt }) => (
            <li key={id}>
              <PrincipalMark principal={approver} />
              {status === 'voided' && decidedAt === null ? (
                <Text span size="sm" c="dimmed">
                  {words.notNeeded}
                </Text>
              ) : (
                <StateMark kind={decisionKind} field="status" state={status} />
              )}
              {decidedAt && (
                <Text span size="sm" c="dimmed">
                  <DatedMoment at={decidedAt} />
                </Text>
              )}
              {comment && (
                <Text span size="sm">
                  <bdi className={styles.lines}>{comment}</bdi>
                </Text>
              )}
            </li>
          ))}
        </ul>
      )}
    </Stack>
  )
}

/** What approvers said of a version, or are yet to say, in all its rounds: the latest first. */
export function useDecisions(version: Version): readonly Decision[] {
  const { data } = useQuery(
    recordQuery(kindIndex.policy_decision, 'list', {
      versionId: [version.id],
      ...archivedWith(version),
      limit: 200,
    }),
  )
  return (data?.data ?? []) as readonly AnyRecord[] as readonly Decision[]
}

/** What a draft lacks to be submitted: somebody who decides on it, and whatever its text names of the policy. */
function missingIn(policy: AnyRecord, { status, content }: Version): Lacked[] {
  if (status !== 'draft') return []
  const named = placeholdersIn(content ?? '')
  const further = (policy.extraApproverIds ?? []) as readonly string[]
  const hasApprover = policy.approver || further.length > 0
  return [
    ...(policy.owner || !named.includes('policy.owner') ? [] : (['owner'] as const)),
    ...(hasApprover ? [] : (['approver'] as const)),
    ...(policy.effectiveDate || !named.includes('policy.effectiveDate') ? [] : (['effectiveDate'] as const)),
  ]
}

/** How many approvers it has, where more of them than that are to approve it: then nothing is submitted. */
function tooFew({ quorum, quorumCount, approver, extraApproverIds }: AnyRecord): number | null {
  const ids = new Set([(approver as Principal | null)?.refId, ...((extraApproverIds ?? []) as string[])])
  ids.delete(undefined)
  return quorum === 'n' && Number(quorumCount) > ids.size ? ids.size : null
}

function neededOf(policy: AnyRecord): string {
  const { quorum, quorumCount } = policy
  const few = tooFew(policy)
  if (few !== null) return words.tooMany(Number(quorumCount), few)
  return quorum === 'any' ? words.any : quorum === 'all' ? words.all : words.n(Number(quorumCount))
}
