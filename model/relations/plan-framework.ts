import { relation } from '../relation.ts'

/** Which frameworks a plan sets out to meet. */
export const planFramework = relation({
  name: 'plan_framework',
  from: 'compliance_plan',
  to: 'framework',
  table: 'compliance_plan_frameworks',
  ids: 'frameworkIds',
})
