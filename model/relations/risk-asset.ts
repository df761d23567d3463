import { relation } from '../relation.ts'

/** What would suffer if a risk came true. */
export const riskAsset = relation({
  name: 'risk_asset',
  from: 'risk',
  to: 'asset',
  table: 'risk_assets',
  holds: true,
})
