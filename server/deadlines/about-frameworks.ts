import { type RawBuilder, sql } from 'kysely'
import type { Kind } from '../../model/kind.ts'
import { everyKind, kinds } from '../../model/kinds/index.ts'
import { sidesOf } from '../../model/relations.ts'
import { linkColumns } from '../../model/sides.ts'

const framework = kinds.framework as unknown as Kind
const requirement = kinds.requirement as unknown as Kind
const control = kinds.control as unknown as Kind

const DATED = everyKind.filter(({ deadlines }) => Object.keys(deadlines).length > 0)

/** What of a kind is linked with those of another, whose ids a query gives. */
const linkedWith = (kind: Kind, organization: string, other: Kind, ids: RawBuilder<unknown>) =>
  sidesOf(kind)
    .filter((side) => side.other.name === other.name)
    .map((side) => {
      const { here, there } = linkColumns(side)
      return sql`select ${sql.ref(`l.${here}`)} from ${sql.table(side.relation.table)} l
        where l.organization_id = ${organization} and ${sql.ref(`l.${there}`)} in (${ids})`
    })

/**
 * Whether a row `d` of `deadlines` is about some frameworks: of one of them, or linked with one, with one of their
 * requirements, or with a control that meets one of these.
 */
export function isAboutFrameworks(
  organization: string,
  frameworkIds: readonly string[],
): RawBuilder<unknown> {
  const frameworks = sql`select unnest(${frameworkIds}::text[]) collate "C"`
  const requirements = sql`select q.id from requirements q
    where q.organization_id = ${organization} and q.framework_id = any(${frameworkIds})`
  const controls = sql.join(linkedWith(control, organization, requirement, requirements), sql` union all `)
  const about = DATED.flatMap((kind) => [
    ...linkedWith(kind, organization, framework, frameworks),
    ...linkedWith(kind, organization, requirement, requirements),
    ...linkedWith(kind, organization, control, controls),
  ])
  return sql`(d.record_id = any(${frameworkIds}) or d.record_id in (${sql.join(about, sql` union all `)}))`
}
