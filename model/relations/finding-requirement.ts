import { relation } from '../relation.ts'

/** Which requirements are not met as long as a weakness is there. */
export const findingRequirement = relation({
  name: 'finding_requirement',
  from: 'security_finding',
  to: 'requirement',
  table: 'security_finding_requirements',
  ids: 'requirementIds',
})
