import { Navigate } from '@tanstack/react-router'
import { kindIndex } from '../../client/kinds.ts'
import type { AnyRecord } from '../../client/records.ts'

/** A version, and what is decided on one, are looked at where the policy is. */
export const AtPolicy = ({ record: { id, policyId, versionId = id } }: { record: AnyRecord }) => (
  <Navigate
    to={`/${kindIndex.policy.page}/${policyId}` as never}
    search={{ version: versionId } as never}
    replace
  />
)
