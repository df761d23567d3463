import type { Values } from '../../model/complaint.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { KeptRequirement, RequirementValues } from './kept-catalog.ts'

/** A framework that is here, as an import finds it. */
export interface StandingFramework {
  readonly id: string
  readonly kind: 'catalog' | 'custom'
  readonly sourceHash: string | null
  /** That is aimed at. */
  readonly implementationGroup: string | null
  /** What the edition says of itself. */
  readonly values: Values
}

export interface StandingRequirement extends Omit<KeptRequirement, 'readKey' | 'formerKey'> {
  readonly id: string
  readonly sortOrder: number | null
  readonly resultPinned: boolean
}

/** The edition of a framework that is here; null where it is not. */
export async function findEdition(
  tx: Transaction,
  key: string,
  edition: string,
): Promise<StandingFramework | null> {
  const [row = null] = await tx.read<StandingFramework>(find(tx.organizationId, key, edition))
  return row
}

/** Its requirements, in their order, with what an import may have brought of them. */
export async function readStanding(tx: Transaction, frameworkId: string): Promise<StandingRequirement[]> {
  const rows = await tx.read<
    RequirementValues & {
      id: string
      sortOrder: number | null
      resultPinned: boolean
      parentKey: string | null
    }
  >(read(tx.organizationId, frameworkId))
  return rows.map(({ id, sortOrder, resultPinned, parentKey, ...values }) => ({
    ...{ id, sortOrder, resultPinned, parentKey },
    values,
  }))
}

const find = statement(`
  select id, kind, source_hash as "sourceHash", implementation_group as "implementationGroup",
         json_build_object('name', name, 'shortName', short_name, 'publisher', publisher, 'description', description,
           'locale', locale, 'jurisdiction', jurisdiction, 'category', category, 'license', license,
           'levels', levels) as values
    from frameworks where organization_id = $1 and key = $2 and edition = $3`)

const read = statement(`
  select r.id, r.sort_order as "sortOrder", r.result_pinned as "resultPinned", parent.key as "parentKey", r.key,
         r.source_id as "sourceId", r.title, r.text, r.guidance, r.kind,
         r.assessable, coalesce(r.implementation_groups, '{}') as "implementationGroups", r.weight, r.importance,
         r.typical_evidence as "typicalEvidence", r.annotation
    from requirements r
    left join requirements parent on parent.organization_id = r.organization_id and parent.id = r.parent_id
   where r.organization_id = $1 and r.framework_id = $2
   order by r.sort_order, r.id`)
