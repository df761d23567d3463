import type { Kind } from '../kind.ts'
import { asset } from './asset.ts'
import { compliancePlan } from './compliance-plan.ts'
import { control } from './control.ts'
import { evidence } from './evidence.ts'
import { framework } from './framework.ts'
import { personnel } from './personnel.ts'
import { policy } from './policy.ts'
import { policyDecision } from './policy-decision.ts'
import { policyException } from './policy-exception.ts'
import { policyVersion } from './policy-version.ts'
import { requirement } from './requirement.ts'
import { risk } from './risk.ts'
import { riskAcceptance } from './risk-acceptance.ts'
import { riskTreatment } from './risk-treatment.ts'
import { securityFinding } from './security-finding.ts'
import { task } from './task.ts'
import { vendor } from './vendor.ts'

/** The one list of what an organization keeps. */
export const kinds = {
  risk,
  risk_treatment: riskTreatment,
  risk_acceptance: riskAcceptance,
  security_finding: securityFinding,
  framework,
  requirement,
  control,
  policy,
  policy_version: policyVersion,
  policy_decision: policyDecision,
  policy_exception: policyException,
  evidence,
  compliance_plan: compliancePlan,
  task,
  vendor,
  asset,
  personnel,
} as const

export type KindName = keyof typeof kinds

/** The same, where only what all kinds share is looked at. */
export const everyKind = Object.values(kinds) as unknown as readonly Kind[]
