import { relation } from '../relation.ts'

/** What a policy lays down: the controls that carry it out, and the requirements that it answers. */
export const policyRelations = [
  relation({
    name: 'policy_control',
    from: 'policy',
    to: 'control',
    table: 'policy_controls',
    ids: 'controlIds',
  }),
  relation({
    name: 'policy_requirement',
    from: 'policy',
    to: 'requirement',
    table: 'policy_requirements',
    ids: 'requirementIds',
  }),
] as const
