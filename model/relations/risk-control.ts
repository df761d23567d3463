import { explained } from '../fields.ts'
import { relation } from '../relation.ts'

/** Which controls stand against a risk. */
export const riskControl = relation({
  name: 'risk_control',
  from: 'risk',
  to: 'control',
  table: 'risk_controls',
  fields: {
    role: explained('Role', {
      existing: 'Works already: the current rating counts on it',
      planned: 'Still to come: only the residual rating counts on it',
    }).describe('What it is to the record'),
  },
  defaults: { role: 'existing' },
})
