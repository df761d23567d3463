import type { Kind } from '../../model/kind.ts'
import { provesToday } from '../../model/kinds/evidence-proof.ts'
import { kinds } from '../../model/kinds/index.ts'
import { resultsFrom, supportOf } from '../../model/kinds/requirement-result.ts'
import { hasAnnex, isClauseKey } from '../../model/management-clause.ts'
import { statement } from '../database/connect.ts'
import { NATURALLY } from '../database/natural-order.ts'
import type { Transaction } from '../database/transaction.ts'
import { referenceIn } from '../records/reference.ts'
import { notFound } from '../refusal.ts'
import { shortNameIn } from './framework-name.ts'
import { rewind } from './rewind.ts'
import { implementedOf, type ReadRow, type StatedFramework, type StatementRow } from './statement-row.ts'

/*
 * A statement of applicability: for each requirement in scope whether it applies and why, whether it is implemented, by
 * which controls, and with which evidence. Clauses of a management system always apply and are not part of it. What follows from these is worked out as it is read, so that no statement is approved that contradicts itself
 * because something has just moved. As of a day in the past it is today's, with everything taken back that entries say has happened since.
 */

/**
 * What a framework's statement says.
 * @param asOf a day of the organization's zone, at whose end it is meant; now, where there is none
 * @throws {Refusal} `not_found`
 */
export async function readStatement(
  tx: Transaction,
  frameworkId: string,
  asOf?: string,
): Promise<{ framework: StatedFramework; rows: StatementRow[] }> {
  const [[framework], rows] = await Promise.all([
    tx.read<StatedFramework>(findFramework(tx.organizationId, frameworkId)),
    tx.read<ReadRow>(readRows(tx.organizationId, frameworkId)),
  ])
  if (!framework) throw notFound()
  const then = asOf ? await rewind(tx, framework, rows.map(asKept), asOf) : rows
  const level = framework.implementationGroup
  const isOfControls = hasAnnex(then.map(({ key }) => key))
  return {
    framework,
    rows: then
      .filter(({ key }) => !isOfControls || !isClauseKey(key))
      .filter((row) => level === null || !row.assessable || row.implementationGroups?.includes(level))
      .map(stated),
  }
}

/** What is kept of mappings says nothing of what another framework had come to on a day. */
const asKept = ({ through: _, evidence: __, ...row }: ReadRow): ReadRow => ({
  ...row,
  result: row.keptResult,
})

const stated = ({
  implementationGroups: _,
  ownerId: __,
  createdAt: ___,
  keptResult: ____,
  sortOrder: _____,
  through,
  ...row
}: ReadRow): StatementRow => {
  const answer = through && through.length > 0 ? { ...row, through } : row
  return { ...answer, implemented: implementedOf(answer) }
}

const evidence = kinds.evidence as unknown as Kind

const findFramework = statement(`
  select id, key, edition, name, implementation_group as "implementationGroup", scope_statement as "scopeStatement"
    from frameworks where organization_id = $1 and id = $2`)

/** Of mapped requirements, what their results follow from here: a control of theirs, or a result that was given there. */
const THROUGH = `
  select s.requirement_id, json_agg(json_build_object('id', q.id, 'key', q.key, 'framework', ${shortNameIn('f.')},
           'coversWhole', s.is_whole, 'resultPinned', s.is_pinned, 'controls', s.controls)
           order by ${shortNameIn('f.')} ${NATURALLY}, q.sort_order, q.key ${NATURALLY}, q.id) as through
    from (select s.requirement_id, s.source_id, bool_or(s.is_whole) as is_whole, bool_or(s.control_id is null) as is_pinned,
                 coalesce(json_agg(json_build_object('id', c.id, 'code', c.code, 'title', c.title,
                   'implementationStatus', c.implementation_status) order by c.code ${NATURALLY}, c.id) filter (where c.id is not null), '[]')
                   as controls
            from (select requirement_id, source_id, control_id, bool_or(is_whole) as is_whole from support
                   where relationship is not null group by requirement_id, source_id, control_id) s
            left join controls c on c.organization_id = $1 and c.id = s.control_id
           group by s.requirement_id, s.source_id) s
    join requirements q on q.organization_id = $1 and q.id = s.source_id
    join frameworks f on f.organization_id = $1 and f.id = q.framework_id
   group by s.requirement_id`

const readRows = statement(`
  with support as materialized (
    ${supportOf('$1', 'select id from requirements where organization_id = $1 and framework_id = $2')}),
  through as (${THROUGH})
  select q.id, q.key, q.title, coalesce(q.depth, 0) as depth, q.assessable, q.applicability, q.justification,
         q.inclusion_reasons as "inclusionReasons", q.result as "keptResult", q.sort_order as "sortOrder",
         case when not q.assessable or q.result_pinned then q.result
              when q.applicability = 'not_applicable' then 'not_applicable'
              else coalesce(s.result, 'not_assessed') end as result, q.result_pinned as "resultPinned",
         coalesce(m.name, p.full_name) as owner, coalesce(q.owner_user_id, q.owner_personnel_id) as "ownerId", q.implementation_groups as "implementationGroups",
         q.created_at as "createdAt",
         coalesce((select json_agg(json_build_object('id', c.id, 'code', c.code, 'title', c.title,
             'implementationStatus', c.implementation_status) order by c.code ${NATURALLY}, c.id)
           from control_requirements l
           join controls c on c.organization_id = l.organization_id and c.id = l.control_id
          where l.organization_id = q.organization_id and l.requirement_id = q.id and c.archived_at is null), '[]') as controls,
         case when q.result_pinned or q.applicability = 'not_applicable' then '[]' else coalesce(t.through, '[]') end as through,
         coalesce((select json_agg(${referenceIn(evidence, 'e.')} order by e.reference_number)
           from (select l.evidence_id from evidence_requirements l
                  where l.organization_id = q.organization_id and l.requirement_id = q.id
                 union
                 select l.evidence_id from evidence_controls l
                   join control_requirements c on c.organization_id = l.organization_id and c.control_id = l.control_id
                  where c.organization_id = q.organization_id and c.requirement_id = q.id) l
           join evidence e on e.organization_id = q.organization_id and e.id = l.evidence_id
          where ${provesToday('q.organization_id')}), '[]') as evidence
    from requirements q
    left join (${resultsFrom('support')}) s on s.requirement_id = q.id
    left join through t on t.requirement_id = q.id
    left join members m on m.organization_id = q.organization_id and m.user_id = q.owner_user_id
    left join personnel p on p.organization_id = q.organization_id and p.id = q.owner_personnel_id
   where q.organization_id = $1 and q.framework_id = $2 and q.archived_at is null
   order by q.sort_order nulls last, q.key ${NATURALLY}, q.id`)
