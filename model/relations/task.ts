import { relation } from '../relation.ts'

/** What a task is about: by kind, so that each of those lists its tasks. */
const about = (to: string, table: string, ids: string) =>
  relation({ name: `task_${to}`, from: 'task', to, table, ids })

export const taskRelations = [
  about('control', 'task_controls', 'controlIds'),
  about('requirement', 'task_requirements', 'requirementIds'),
  about('risk', 'task_risks', 'riskIds'),
  about('vendor', 'task_vendors', 'vendorIds'),
  about('asset', 'task_assets', 'assetIds'),
  about('security_finding', 'task_security_findings', 'findingIds'),
] as const
