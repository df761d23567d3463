import { relation } from '../relation.ts'

/** Where a weakness was found. */
export const findingAsset = relation({
  name: 'finding_asset',
  from: 'security_finding',
  to: 'asset',
  table: 'security_finding_assets',
  ids: 'assetIds',
})
