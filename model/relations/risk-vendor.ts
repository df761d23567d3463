import { relation } from '../relation.ts'

/** Which vendors a risk comes from, or would hit. */
export const riskVendor = relation({
  name: 'risk_vendor',
  from: 'risk',
  to: 'vendor',
  table: 'risk_vendors',
})
