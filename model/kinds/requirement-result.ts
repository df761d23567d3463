import { provesToday } from './evidence-proof.ts'

/*
 * What the result of a requirement follows from, unless somebody pins it.
 *
 * What counts is each active control that is linked with it. To these come the controls of requirements that are mapped
 * with it, where their framework is active: through one mapping only, never a chain. A mapping that covers the
 * requirement whole brings its controls as if they were linked here; one that covers a part of it can never make it
 * more than partially compliant, and never less than it is without. What somebody pinned at the other end stands for
 * the controls there.
 *
 * One statement says it, for one requirement or for thousands: the answer for one record, its explanation and the
 * results that lists and charts read are all this.
 */

/** How far what stands for a requirement is, from what is missing to what is proven. */
export const GRADES = ['missing', 'begun', 'unproven', 'proven', 'not_applicable'] as const

const BITS = { missing: 1, begun: 2, unproven: 4, proven: 8, not_applicable: 16 } as const satisfies Record<
  (typeof GRADES)[number],
  number
>

/** The grade that a bit stands for, as an expression. */
export const gradeOf = (bit: string): string =>
  `case ${bit} ${GRADES.map((grade) => `when ${BITS[grade]} then '${grade}'`).join(' ')} end`

/**
 * What stands for requirements: a row for each control, or each pinned result, with by which mapping it comes, whether it
 * covers the whole, and its grade as a bit.
 * @param organization an expression for the id of the organization
 * @param asked a query for the ids of requirements, as `id`
 */
export const supportOf = (organization: string, asked: string): string => `
  with wanted as (${asked}),
  sources as (
    select a.id as requirement_id, a.id as source_id, true as is_whole, null::text as relationship, null::boolean as is_back
      from wanted a
    union all
    select a.id, m.mapping_source_id, m.relationship in ('equal', 'equivalent', 'superset_of'), m.relationship, false
      from wanted a
      join requirement_mappings m on m.organization_id = ${organization} and m.mapping_target_id = a.id
     where m.relationship <> 'no_relationship'
    union all
    select a.id, m.mapping_target_id, m.relationship in ('equal', 'equivalent', 'subset_of'), m.relationship, true
      from wanted a
      join requirement_mappings m on m.organization_id = ${organization} and m.mapping_source_id = a.id
     where m.relationship <> 'no_relationship'),
  standing as (
    select s.*, q.result_pinned and s.relationship is not null as is_pinned, q.result as pinned_result
      from sources s
      join requirements q on q.organization_id = ${organization} and q.id = s.source_id
      join frameworks f on f.organization_id = q.organization_id and f.id = q.framework_id
     where s.relationship is null
        or (f.status = 'active' and f.archived_at is null and q.archived_at is null
            and q.applicability <> 'not_applicable')),
  linked as (
    select s.requirement_id, s.source_id, s.relationship, s.is_back, s.is_whole, k.control_id
      from standing s
      join control_requirements k on k.organization_id = ${organization} and k.requirement_id = s.source_id
     where not s.is_pinned),
  -- Each control once, however many requirements it stands for.
  graded as materialized (
    select c.id, case c.implementation_status
             when 'not_applicable' then ${BITS.not_applicable}
             when 'implemented' then case when exists (
                 select from evidence_controls l
                   join evidence e on e.organization_id = l.organization_id and e.id = l.evidence_id
                  where l.organization_id = ${organization} and l.control_id = c.id and l.coverage = 'full'
                    and ${provesToday(organization)})
               then ${BITS.proven} else ${BITS.unproven} end
             when 'not_started' then ${BITS.missing}
             else ${BITS.begun} end as bit
      from controls c
     where c.organization_id = ${organization} and c.id in (select control_id from linked)
       and c.archived_at is null and c.implementation_status <> 'deprecated')
  select l.requirement_id, l.source_id, l.relationship, l.is_back, l.is_whole, l.control_id, c.bit
    from linked l
    join graded c on c.id = l.control_id
  union all
  select s.requirement_id, s.source_id, s.relationship, s.is_back, s.is_whole, null,
         case s.pinned_result when 'compliant' then ${BITS.proven} when 'partially_compliant' then ${BITS.begun} else ${BITS.missing} end
    from standing s
   where s.is_pinned and s.pinned_result in ('compliant', 'partially_compliant', 'non_compliant')`

/**
 * What follows for requirements: a row for each with its result, and whether it lacks nothing but proof.
 * Those for which nothing stands have none.
 */
export const resultsOf = (organization: string, asked: string): string =>
  resultsFrom(`(${supportOf(organization, asked)}) support`)

/** The same from what stands for them, where that is at hand. Grades are told by bits, which are counted at once. */
export const resultsFrom = (support: string): string => `
  select requirement_id,
         case when whole = ${BITS.not_applicable} then 'not_applicable'
              when whole & ${BITS.missing | BITS.begun | BITS.unproven} = 0 then 'compliant'
              when any_of & ${BITS.begun | BITS.unproven | BITS.proven} > 0 then 'partially_compliant'
              when whole is not null or any_of & ${BITS.missing} > 0 then 'non_compliant'
              else 'not_assessed' end as result,
         coalesce(whole & ${BITS.missing | BITS.begun} = 0 and whole & ${BITS.unproven} > 0, false) as unproven
    from (select requirement_id, bit_or(bit) filter (where is_whole) as whole, bit_or(bit) as any_of from ${support}
           group by requirement_id) counted`
