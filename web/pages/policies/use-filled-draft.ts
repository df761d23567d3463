import { useQueries } from '@tanstack/react-query'
import { fillPlaceholders, namesInText, placeholdersIn } from '../../../model/policy-text.ts'
import { call } from '../../client/calls.ts'
import type { AnyRecord, Principal } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import type { Version } from './version.ts'
import { withoutApproval } from './without-approval.ts'

/**
 * Drafts as they would be read if they were submitted now; what the policy does not say yet stays as it is written.
 * @param contents what may name all approvers, so that it is known what these are called
 */
export function useFilledDraft(
  policy: AnyRecord,
  contents: readonly (string | null | undefined)[],
): (version: Pick<Version, 'content' | 'label'>) => string {
  const { organization } = useSignedIn()
  const isNamed = contents.some((content) => placeholdersIn(content ?? '').includes('policy.approver'))
  const further = isNamed ? ((policy.extraApproverIds ?? []) as readonly string[]) : []
  const read = useQueries({
    queries: further.map((id) => ({ queryKey: ['getUser', { id }], queryFn: () => call('getUser', { id }) })),
  })
  const approver = policy.approver as Principal | null
  const names = [approver?.displayName, ...read.map(({ data }) => data?.name)].filter(
    (name) => name !== undefined,
  )
  return ({ content, label }) =>
    fillPlaceholders(withoutApproval(content ?? ''), {
      'organization.name': organization.name,
      'policy.owner': (policy.owner as Principal | null)?.displayName ?? null,
      'policy.approver': namesInText(names),
      'policy.effectiveDate': policy.effectiveDate as string | null,
      'policy.versionLabel': label,
    })
}
