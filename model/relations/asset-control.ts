import { relation } from '../relation.ts'

/** Which controls protect an asset. */
export const assetControl = relation({
  name: 'asset_control',
  from: 'asset',
  to: 'control',
  table: 'asset_controls',
})
