import { columnOf } from '../../model/column-names.ts'
import { countedStates, dateOf, ownerOfDeadline, thresholdsOf } from '../../model/deadlines.ts'
import { storageOf } from '../../model/fields.ts'
import type { Deadline, Kind } from '../../model/kind.ts'
import { principalColumns } from '../../model/roles.ts'

/*
 * Of each deadline of a record that counts, `deadlines` has a row: its date, whose it is, and when the clock looks at it
 * next (server/deadlines). What is settled, archived or deleted has none, so whoever asks what is due reads nothing else.
 *
 * The row is written by the statement that writes the record, from what that returns, where a date, a state or an owner
 * moved: another write of the record does not look at it. A date that is new is looked at from its first threshold on,
 * though that may be long past: what of it is still to be said, the clock knows.
 */

/** Parts of a statement, as those of known-records.ts are; none for a kind without deadlines. */
export interface KeptDeadlines {
  /** Columns that `written` has to return. */
  readonly columns: readonly string[]
  readonly insert: readonly string[]
  readonly update: readonly string[]
}

export function keptDeadlines(kind: Kind): KeptDeadlines {
  const deadlines = Object.entries(kind.deadlines)
  if (deadlines.length === 0) return { columns: [], insert: [], update: [] }
  const counting = `counting as materialized (${deadlines.map(([name, one]) => countingOf(kind, name, one)).join(' union all ')})`
  const rows = `
    select c.organization_id, c.record_id, c.name, '${kind.name}' as kind, c.day,
           coalesce(c.at, (c.day + 1)::timestamp at time zone zone.name) as ends_at, c.owner_id,
           -- What is past as it is written waits from then on.
           greatest(deadline_moment(c.day, c.at, c.first, zone.name), clock_now()) as due_at
      from counting c cross join lateral (select ${ZONE} as name offset 0) zone`
  const insert = `insert into deadlines (organization_id, record_id, name, kind, day, ends_at, owner_id, due_at)`
  return {
    columns: deadlines.flatMap(([, one]) => columnsOf(kind, one)),
    insert: [counting, `kept as (${insert} ${rows})`],
    update: [
      counting,
      `ended as (
        delete from deadlines d using written w
         where d.organization_id = w.organization_id and d.record_id = w.id
           and not exists (select from counting c where c.record_id = d.record_id and c.name = d.name))`,
      `kept as (
        ${insert} ${rows}
        on conflict (organization_id, record_id, name) do update
           set day = excluded.day, ends_at = excluded.ends_at, owner_id = excluded.owner_id,
               due_at = case when ${MOVED} then excluded.due_at else deadlines.due_at end,
               failures = case when ${MOVED} then 0 else deadlines.failures end
         where ${MOVED} or deadlines.owner_id is distinct from excluded.owner_id)`,
    ],
  }
}

/** Asked once for all that counts, and not where nothing does. */
const ZONE = '(select deadline_zone(organization_id) from counting limit 1)'

const MOVED = '(deadlines.day, deadlines.ends_at) is distinct from (excluded.day, excluded.ends_at)'

function columnsOf(kind: Kind, deadline: Deadline): string[] {
  const owner = ownerOfDeadline(kind, deadline)
  const counted = countedStates(kind, deadline)
  return [
    'archived_at',
    columnOf(deadline.field),
    ...(counted ? [columnOf(counted.field)] : []),
    ...(owner ? Object.values<string>(principalColumns(owner)) : []),
  ]
}

/** The records of `written` whose date counts. */
function countingOf(kind: Kind, name: string, deadline: Deadline): string {
  const column = columnOf(deadline.field)
  const owner = ownerOfDeadline(kind, deadline)
  const { user, personnel } = owner ? principalColumns(owner) : { user: 'null', personnel: 'null' }
  const isDay = storageOf(dateOf(kind, deadline)!) === 'date'
  return `
    select organization_id, id as record_id, '${name}' as name, ${isDay ? column : 'null::date'} as day,
           ${isDay ? 'null::timestamptz' : column} as at, coalesce(${user}, ${personnel}) as owner_id,
           ${thresholdsOf(deadline)[0]} as first
      from written where ${isCounted(kind, deadline)}`
}

/** Whether the date of a row of the kind's table counts. */
export function isCounted(kind: Kind, deadline: Deadline): string {
  const counted = countedStates(kind, deadline)
  const states = counted?.states.map((state) => `'${state}'`).join(', ')
  return [
    `${columnOf(deadline.field)} is not null`,
    'archived_at is null',
    ...(counted ? [`${columnOf(counted.field)} ${counted.counts ? 'in' : 'not in'} (${states})`] : []),
  ].join(' and ')
}
