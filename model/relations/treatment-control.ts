import { relation } from '../relation.ts'

/** By which controls a treatment acts. */
export const treatmentControl = relation({
  name: 'risk_treatment_control',
  from: 'risk_treatment',
  to: 'control',
  table: 'risk_treatment_controls',
  ids: 'controlIds',
})
