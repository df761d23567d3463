import { relation } from '../relation.ts'

/** What an asset runs on or belongs to, and what is in turn part of it. */
export const assetParent = relation({
  name: 'asset_parent',
  from: 'asset',
  to: 'asset',
  called: {
    to: { one: 'parent', many: 'parents' },
    from: { one: 'part', many: 'parts' },
  },
  table: 'asset_parents',
  isAcyclic: true,
  ids: 'parentAssetIds',
  holds: true,
})
