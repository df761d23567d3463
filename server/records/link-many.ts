import { columnOf } from '../../model/column-names.ts'
import type { Values } from '../../model/complaint.ts'
import { type Shape, storageOf } from '../../model/fields.ts'
import { once } from '../../model/once.ts'
import type { Side } from '../../model/relations.ts'
import { linkColumns } from '../../model/sides.ts'
import { actorOf } from '../caller/caller.ts'
import { type Row, statement } from '../database/connect.ts'
import { type AuditEvent, entry, insertEntries } from '../journal/audit.ts'
import type { TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { backOf, eventOf, rowOf } from './link-changes.ts'
import { attributesOf } from './link-statements.ts'

/*
 * Many links of one side at once, each with its entry in the histories of both its records as link-changes.ts writes one.
 * Whoever asks for it holds the records at both ends, in the order of their ids.
 */

/** A link that a record is to have as another has it. */
export interface CopiedLink {
  readonly from: string
  readonly to: string
  readonly there: string
}

/**
 * Gives records the links that others have, with what these say; one that is there already stays as it is.
 * @param over what each of them says in place of what the other's says: words alone
 * @returns how many were made
 * @throws {Refusal} `link_limit_reached`
 */
export async function copyLinks(
  context: TransactionContext,
  side: Side,
  links: readonly CopiedLink[],
  reason: string,
  over: Values = {},
): Promise<number> {
  if (links.length === 0) return 0
  const { tx, caller } = context
  const { copy, told, fullest } = statementsOf(side)
  const time = await tx.now
  const lists = [links.map(({ from }) => from), links.map(({ to }) => to), links.map(({ there }) => there)]
  const made = await tx.read<{ here: string; there: string }>(
    copy(tx.organizationId, ...lists, time, JSON.stringify(actorOf(caller)), JSON.stringify(over)),
  )
  const [heres, theres] = [made.map(({ here }) => here), made.map(({ there }) => there)]
  const [rows, [full]] = await Promise.all([
    tx.read(told(tx.organizationId, heres, theres)),
    tx.read<{ called: string; count: number }>(
      fullest(tx.organizationId, heres, theres, side.relation.atMost),
    ),
  ])
  if (full)
    throw new Refusal(
      'link_limit_reached',
      `${full.called} would have ${full.count} such links, and may have ${side.relation.atMost}: unlink some that matter less first.`,
    )
  tell(context, side, rows, reason, (attributes) => [null, attributes])
  return made.length
}

/** Ends links, given by both of their ends; one that is not there any more is left out. @returns how many were ended */
export async function endLinks(
  context: TransactionContext,
  side: Side,
  links: readonly { readonly here: string; readonly there: string }[],
  reason: string,
): Promise<number> {
  if (links.length === 0) return 0
  const { tx } = context
  const { told, end } = statementsOf(side)
  const lists = [links.map(({ here }) => here), links.map(({ there }) => there)]
  const rows = await tx.read(told(tx.organizationId, ...lists))
  tx.write(end(tx.organizationId, ...lists))
  tell(context, side, rows, reason, (attributes) => [attributes, null])
  return rows.length
}

/** What records are linked with by a side: what is at the other end of each link, with what the link says. */
export async function linksOfMany(
  { tx }: Pick<TransactionContext, 'tx'>,
  side: Side,
  ids: readonly string[],
): Promise<{ here: string; there: string; attributes: Values }[]> {
  return tx.read(statementsOf(side).read(tx.organizationId, ids))
}

/** Entries of one statement. */
const TOGETHER = 1_000

function tell(
  { tx, caller }: TransactionContext,
  side: Side,
  rows: readonly Row[],
  reason: string,
  moveOf: (attributes: Values) => readonly [from: Values | null, to: Values | null],
): void {
  const back = backOf(side).word
  const events = rows.flatMap((row): AuditEvent[] => {
    const [from, to] = moveOf(row.attributes as Values)
    const [here, there] = [rowOf('here', row), rowOf('there', row)]
    const verb = to ? 'link' : 'unlink'
    const time = row.time as string
    return [
      eventOf(verb, time, [here, side.kind, there, side.word], from, to),
      eventOf(verb, time, [there, side.other, here, back], from, to),
    ]
  })
  for (let from = 0; from < events.length; from += TOGETHER)
    tx.write(
      insertEntries(events.slice(from, from + TOGETHER).map((event) => entry(caller, { ...event, reason }))),
    )
}

const copied = ([field, schema]: [string, Shape[string]]): string => {
  const column = `l.${columnOf(field)}`
  return storageOf(schema) === 'text' ? `coalesce($7::jsonb ->> '${field}', ${column})` : column
}

const statementsOf = once((side: Side) => {
  const { table, fields } = side.relation
  const { here, there } = linkColumns(side)
  const said = Object.keys(fields).map(columnOf)
  const those = `join unnest($2::text[], $3::text[]) as p (here_id, there_id) on l.${here} = p.here_id and l.${there} = p.there_id`
  return {
    copy: statement(`
      insert into ${table} (${['organization_id', here, there, ...said, 'linked_at', 'linked_by'].join(', ')})
      select ${['l.organization_id', 'p.to_id', `l.${there}`, ...Object.entries(fields).map(copied), '$5::timestamptz', '$6::jsonb'].join(', ')}
        from unnest($2::text[], $3::text[], $4::text[]) with ordinality as p (from_id, to_id, there_id, place)
        join ${table} l on l.organization_id = $1 and l.${here} = p.from_id and l.${there} = p.there_id
       where $7::jsonb is not null
       order by p.place
      on conflict do nothing
      returning ${here} as here, ${there} as there`),
    told: statement(`
      select ${attributesOf(side)} as attributes, clock_now() as time,
             h.id as here_id, h.reference as here_reference, h.called as here_called,
             t.id as there_id, t.reference as there_reference, t.called as there_called
        from ${table} l ${those}
        join known_records h on h.organization_id = l.organization_id and h.id = l.${here}
        join known_records t on t.organization_id = l.organization_id and t.id = l.${there}
       where l.organization_id = $1
       order by l.${[here, there].toSorted().join(', l.')} for update of l`),
    fullest: statement(`
      select k.reference || ' ' || k.called as called, count from (
        select ${here} as id, count(*)::int from ${table} where organization_id = $1 and ${here} = any($2) group by 1
        union all
        select ${there}, count(*)::int from ${table} where organization_id = $1 and ${there} = any($3) group by 1) counted
        join known_records k on k.organization_id = $1 and k.id = counted.id
       where count > $4::int order by count desc limit 1`),
    end: statement(`
      delete from ${table} l using unnest($2::text[], $3::text[]) as p (here_id, there_id)
       where l.organization_id = $1 and l.${here} = p.here_id and l.${there} = p.there_id`),
    read: statement(`
      select l.${here} as here, l.${there} as there, ${attributesOf(side)} as attributes from ${table} l
       where l.organization_id = $1 and l.${here} = any($2) order by l.${here}, l.${there}`),
  }
})
