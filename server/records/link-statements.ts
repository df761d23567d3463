import { columnOf } from '../../model/column-names.ts'
import { storageOf } from '../../model/fields.ts'
import { once } from '../../model/once.ts'
import type { Side } from '../../model/relations.ts'
import { linkColumns } from '../../model/sides.ts'
import { statement } from '../database/connect.ts'
import { takeTurn } from '../database/turns.ts'
import { audited } from '../journal/write.ts'

/** What is said to PostgreSQL of the links of one side: $1 is the organization, $2 the record here, $3 that there. */
export interface LinkStatements {
  /** The attributes of a link, as `attributes`, and who made it. */
  readonly find: ReturnType<typeof statement>
  /** How many links either record has by the relation, and the time. */
  readonly count: ReturnType<typeof statement>
  /** A link, locked, with what both of its records are called. */
  readonly lock: ReturnType<typeof statement>
  readonly lockAll: ReturnType<typeof statement>
  /** After the three keys the attributes, and who made it when. */
  readonly put: ReturnType<typeof audited>
  readonly end: ReturnType<typeof audited>
  /** Gives each link of $2 to $3, which keeps those that it has itself, as they are. */
  readonly move: ReturnType<typeof statement>
  /** Ends all links of $2. */
  readonly endAll: ReturnType<typeof statement>
  /** $1 is what takes turns by that name. */
  readonly takeTurn: ReturnType<typeof statement>
  /**
   * Whether a chain of links leads from $3 back to $2, and after how many; with those from each of $4 to its one of $5, and
   * without those from each of $6 to its one of $7.
   */
  readonly climb: ReturnType<typeof statement>
}

export const linkStatements = once(make)

/** The attributes of the link `l`, by the names of their fields. */
export const attributesOf = ({ relation }: Side): string => {
  const pairs = Object.keys(relation.fields).map((field) => `'${field}', l.${columnOf(field)}`)
  return `json_build_object(${pairs.join(', ')})`
}

/** The attributes in the order of their columns. */
export const attributeValues = ({ relation }: Side, attributes: Readonly<Record<string, unknown>>) =>
  Object.entries(relation.fields).map(([field, schema]) => {
    const value = attributes[field] ?? null
    return value !== null && storageOf(schema) === 'jsonb' ? JSON.stringify(value) : value
  })

function make(side: Side): LinkStatements {
  const { table, fields } = side.relation
  const { here, there } = linkColumns(side)
  const attributes = Object.keys(fields).map(columnOf)
  const written = ['organization_id', here, there, ...attributes, 'linked_at', 'linked_by']
  const changed = attributes.map((column) => `${column} = excluded.${column}`)
  const where = `organization_id = $1 and ${here} = $2`
  const told = `select ${attributesOf(side)} as attributes, clock_now() as time,
      h.id as here_id, h.reference as here_reference, h.called as here_called, h.archived_at as here_archived,
      t.id as there_id, t.reference as there_reference, t.called as there_called, t.archived_at as there_archived
    from ${table} l
    join known_records h on h.organization_id = l.organization_id and h.id = l.${here}
    join known_records t on t.organization_id = l.organization_id and t.id = l.${there}
   where l.${where}`
  return {
    find: statement(
      `select ${attributesOf(side)} as attributes, linked_at, linked_by from ${table} l where ${where} and ${there} = $3`,
    ),
    count: statement(
      `select (select count(*) from ${table} where ${where}) as here,
              (select count(*) from ${table} where organization_id = $1 and ${there} = $3) as there,
              clock_now() as time`,
    ),
    lock: statement(`${told} and l.${there} = $3 for update of l`),
    lockAll: statement(`${told} order by l.${[here, there].toSorted().join(', l.')} for update of l`),
    put: audited(
      `insert into ${table} (${written.join(', ')}) values (${written.map((_, index) => `$${index + 1}`).join(', ')})
       on conflict (organization_id, ${here}, ${there})
       do update set ${(changed.length > 0 ? changed : [`${here} = excluded.${here}`]).join(', ')}`,
      written.length,
      2,
    ),
    end: audited(`delete from ${table} where ${where} and ${there} = $3`, 3, 2),
    move: statement(
      `insert into ${table} (${written.join(', ')})
       select organization_id, $3, ${written.slice(2).join(', ')} from ${table} where ${where} and ${there} <> $3
       on conflict (organization_id, ${here}, ${there}) do nothing`,
    ),
    endAll: statement(`delete from ${table} where ${where}`),
    takeTurn,
    climb: statement(`
      with recursive up (id, steps) as (
        select $3::text collate "C", 0
        union all
        select l.there, up.steps + 1 from up
          cross join lateral (
            select l.${there} as there from ${table} l
             where l.organization_id = $1 and l.${here} = up.id
               and not exists (select from unnest($6::text[], $7::text[]) e (here, there)
                                where e.here = l.${here} and e.there = l.${there})
            union all
            select m.there from unnest($4::text[], $5::text[]) m (here, there) where m.here = up.id
          ) l
         where up.id <> $2
      ) cycle id set is_round using path
      select steps from up where id = $2 order by steps limit 1`),
  }
}
