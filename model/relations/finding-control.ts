import { relation } from '../relation.ts'

/** Which controls a weakness is a gap in. */
export const findingControl = relation({
  name: 'finding_control',
  from: 'security_finding',
  to: 'control',
  table: 'security_finding_controls',
  ids: 'controlIds',
})
