import { type ComponentType, lazy } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import type { Edits } from './use-record-edits.ts'

/** What draws it: what stands above the facts of a record. */
type Told = ComponentType<{ kind: DescribedKind; edits: Edits; editable: boolean }>

interface Above {
  readonly Told?: Told
  /** The fields that it tells, which are shown nowhere else. */
  readonly fields: readonly string[]
}

const NOTHING: Above = { fields: [] }

/** Of a kind of which one thing is to be known before all facts. */
const ABOVE: Readonly<Record<string, Above & { readonly when?: (record: Values) => boolean }>> = {
  requirement: {
    Told: lazy(() =>
      fetchCode(() => import('../frameworks/coverage.tsx')).then((code) => ({
        default: code.RequirementCoverage,
      })),
    ),
    fields: ['result', 'resultReason', 'resultPinned'],
  },
  control: {
    Told: lazy(() =>
      fetchCode(() => import('./control-proof.tsx')).then((code) => ({ default: code.ControlProof })),
    ),
    fields: ['provenUntil'],
    when: ({ implementationStatus, unproven }) =>
      implementationStatus === 'implemented' && unproven === false,
  },
  policy: {
    Told: lazy(() =>
      fetchCode(() => import('../policies/audience.tsx')).then((code) => ({ default: code.PolicyAudience })),
    ),
    fields: ['audience', 'audienceIds', 'requiresAttestation', 'attestationDueDays'],
  },
  compliance_plan: {
    Told: lazy(() =>
      fetchCode(() => import('../plans/phases.tsx')).then((code) => ({ default: code.PlanPhases })),
    ),
    fields: ['phases', 'byPhase', 'progress'],
    when: ({ phases, byPhase }) =>
      [phases, byPhase].some((one) => ((one as unknown[] | null) ?? []).length > 0),
  },
}

/** What stands above the facts of a record, with the fields that it tells; nothing of most kinds. */
export function aboveOf({ name }: DescribedKind, record: Values): Above {
  const above = ABOVE[name]
  return above && (above.when?.(record) ?? true) ? above : NOTHING
}
