import { relation } from '../relation.ts'

/** Which requirements a risk puts in question, or is the reason for. */
export const riskRequirement = relation({
  name: 'risk_requirement',
  from: 'risk',
  to: 'requirement',
  table: 'risk_requirements',
})
