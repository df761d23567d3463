import { recordAction } from '../../model/audit-actions.ts'
import type { Kind } from '../../model/kind.ts'
import { type Side, sidesOf } from '../../model/relations.ts'
import { nameColumn, withArticle } from '../../model/roles.ts'
import { assumedRole, linkColumn, rolesOf } from '../../model/sides.ts'
import { actorOf, type Caller } from '../caller/caller.ts'
import { type Query, type Row, statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { type AuditEvent, type AuditRow, entry, insertEntries } from '../journal/audit.ts'
import { audited } from '../journal/write.ts'
import type { TransactionContext } from '../operation.ts'
import { invalid, notFound, Refusal } from '../refusal.ts'
import { referenceOf } from './table.ts'

/*
 * Links are made and ended here, each with an entry in the history of both its records.
 *
 * A link is a row of its own and moves neither record's `version` nor `updatedAt`: who links a control must not
 * be in the way of who edits the risk (412), and the signals of a record stay in the order of its versions.
 * Endpoints are told of no link: none of the watched fields is one.
 *
 * While a link is made, both records are locked, in the order of their ids whatever their kinds. So two who link
 * crosswise never wait for each other, what the limit counts stands still, and a record that is just being
 * deleted is either still there or gone. Ending a link locks the link alone. Deleting a record locks its links
 * in the order of their keys, table by table, as every other deletion does.
 */

/** Of one record with records of one kind. More would make each reading of it long, and nobody could look at them. */
export const LINKS_AT_MOST = 500

interface Wanted {
  readonly id: string
  readonly targetKind: string
  readonly targetId: string
}

/**
 * Links two records, or changes the role of their link; where that says nothing new, nothing is written.
 * @param wanted.role as it stands, where absent; of a new link the first of its relation
 * @throws {Refusal} `not_found` where either record is not here, `link_limit_reached`, `validation_failed`
 */
export async function linkRecords(
  { tx, caller }: TransactionContext,
  kind: Kind,
  wanted: Wanted & { role?: string | undefined },
) {
  const side = sideTo(kind, wanted.targetKind)
  refuseRole(side, wanted.role)
  const ids = [wanted.id, wanted.targetId]
  const { find, count, put } = statementsOf(side)
  const [[here, there], [stands], [counted]] = await Promise.all([
    lockBoth(tx, [kind, wanted.id], [side.other, wanted.targetId]),
    tx.read(find(tx.organizationId, ...ids)),
    tx.read<{ here: number; there: number; time: string }>(count(tx.organizationId, ...ids)),
  ])
  if (!here || !there) throw notFound()
  const role = wanted.role ?? stands?.role ?? assumedRole(side.relation)
  const answer = { type: side.other.name, id: wanted.targetId, role }
  if (stands && stands.role === role)
    return { ...answer, linkedAt: stands.linked_at, linkedBy: stands.linked_by }

  const { here: ours, there: theirs, time } = counted!
  if (!stands) refuseFull(side, ours, theirs)
  const ends = endsOf(side, here, there)
  const events = ends.map((end) => eventOf('link', time, end, stands ? stands.role : NONE, role))
  const by = stands?.linked_by ?? actorOf(caller)
  tx.write(put([tx.organizationId, ...ids, role, time, JSON.stringify(by)], caller, events))
  return { ...answer, linkedAt: stands?.linked_at ?? time, linkedBy: by }
}

/** @throws {Refusal} `not_found` where the two are not linked, or not here */
export async function unlinkRecords(
  { tx, caller }: TransactionContext,
  kind: Kind,
  { id, targetKind, targetId }: Wanted,
): Promise<void> {
  const side = sideTo(kind, targetKind)
  const { lock, end } = statementsOf(side)
  const [stands] = await tx.read(lock(tx.organizationId, id, targetId))
  if (!stands) throw notFound()
  const ends = endsOf(side, rowOf('here', stands), rowOf('there', stands))
  const events = ends.map((one) => eventOf('unlink', stands.time as string, one, stands.role, NONE))
  tx.write(end([tx.organizationId, id, targetId], caller, events))
}

/**
 * Reads, and locks, the links of a record that is being deleted.
 * @returns what writes their end into the histories of both; the rows go with the record
 */
export function endingLinks(tx: Transaction, kind: Kind, id: string): Promise<LinksEnd> {
  // In the order of the tables for each deletion, so that two of them cannot wait for each other.
  const sides = sidesOf(kind).toSorted((one, other) => (one.relation.table < other.relation.table ? -1 : 1))
  const reading = Promise.all(sides.map((side) => tx.read(statementsOf(side).lockAll(tx.organizationId, id))))
  return reading.then((all) => (caller, time) => {
    const reason = `The ${kind.noun.one} was deleted`
    const events = all.flatMap((rows, index) =>
      rows.flatMap((row) =>
        endsOf(sides[index]!, rowOf('here', row), rowOf('there', row)).map((end) => ({
          ...eventOf('unlink', time, end, row.role, NONE),
          reason,
        })),
      ),
    )
    const entries: AuditRow[] = events.map((event) => entry(caller, event))
    return entries.length > 0 ? insertEntries(entries) : null
  })
}

export type LinksEnd = (caller: Caller, time: string) => Query | null

const NONE = Symbol('no link')

function sideTo(kind: Kind, target: string): Side {
  return sidesOf(kind).find(({ other, writes }) => writes && other.name === target)!
}

function refuseRole({ relation, other }: Side, role: string | undefined): void {
  const roles = rolesOf(relation)
  if (role === undefined || roles.includes(role)) return
  const known = roles.length > 0 ? `is one of ${roles.join(', ')}` : 'has none: leave it out'
  throw invalid({ path: 'role', message: `the role of a link with ${withArticle(other.noun)} ${known}` })
}

function refuseFull({ kind, other }: Side, here: number, there: number): void {
  const [full, against] = here >= LINKS_AT_MOST ? [kind, other] : [other, kind]
  if (here < LINKS_AT_MOST && there < LINKS_AT_MOST) return
  throw new Refusal(
    'link_limit_reached',
    `The ${full.noun.one} is linked with ${LINKS_AT_MOST} ${against.noun.many}, which is all it may be: unlink one that matters less, or split the ${full.noun.one}.`,
  )
}

type End = readonly [subject: Row, subjectKind: Kind, linked: Row, linkedKind: Kind]

/** A link as each of its records tells it. */
const endsOf = ({ kind, other }: Side, here: Row, there: Row): readonly End[] => [
  [here, kind, there, other],
  [there, other, here, kind],
]

function eventOf(
  verb: 'link' | 'unlink',
  time: string,
  [subject, kind, linked, other]: End,
  from: unknown,
  to: unknown,
): AuditEvent {
  const told = (role: unknown) => (role === NONE ? null : { ...named(other, linked), role })
  return {
    time,
    action: recordAction(kind, verb),
    subject: { type: kind.name, ...named(kind, subject) },
    changes: { [other.name]: { from: told(from), to: told(to) } },
  }
}

const named = (kind: Kind, { id, number, name }: Row) => ({
  id: String(id),
  reference: referenceOf(kind, number as number),
  title: String(name),
})

/** One of the two records of a row that tells both. */
const rowOf = (which: 'here' | 'there', row: Row): Row => ({
  id: row[`${which}_id`],
  number: row[`${which}_number`],
  name: row[`${which}_name`],
})

type Reached = readonly [kind: Kind, id: string]

/** Locks two records in the order of their ids. @returns their rows in the order given, where they are here */
async function lockBoth(tx: Transaction, one: Reached, other: Reached) {
  const lock = async ([kind, id]: Reached) => (await tx.read(locking(kind)(tx.organizationId, id)))[0]
  if (one[1] < other[1]) return Promise.all([lock(one), lock(other)])
  return (await Promise.all([lock(other), lock(one)])).toReversed()
}

const lockings = new Map<Kind, ReturnType<typeof statement>>()

function locking(kind: Kind): ReturnType<typeof statement> {
  const known = lockings.get(kind)
  if (known) return known
  const made = statement(
    `select id, reference_number as number, ${nameColumn(kind)} as name from ${kind.table}
      where organization_id = $1 and id = $2 for no key update`,
  )
  lockings.set(kind, made)
  return made
}

interface Statements {
  readonly find: ReturnType<typeof statement>
  readonly count: ReturnType<typeof statement>
  readonly lock: ReturnType<typeof statement>
  readonly lockAll: ReturnType<typeof statement>
  readonly put: ReturnType<typeof audited>
  readonly end: ReturnType<typeof audited>
}

const prepared = new Map<Side, Statements>()

function statementsOf(side: Side): Statements {
  const known = prepared.get(side)
  if (known) return known
  const { relation, kind, other } = side
  const { table } = relation
  const [here, there] = [linkColumn(kind), linkColumn(other)]
  const where = `organization_id = $1 and ${here} = $2`
  const told = `select l.role, clock_now() as time,
      h.id as here_id, h.reference_number as here_number, h.${nameColumn(kind)} as here_name,
      t.id as there_id, t.reference_number as there_number, t.${nameColumn(other)} as there_name
    from ${table} l
    join ${kind.table} h on h.organization_id = l.organization_id and h.id = l.${here}
    join ${other.table} t on t.organization_id = l.organization_id and t.id = l.${there}
   where l.${where}`
  const made = {
    find: statement(`select role, linked_at, linked_by from ${table} where ${where} and ${there} = $3`),
    count: statement(
      `select (select count(*) from ${table} where ${where}) as here,
              (select count(*) from ${table} where organization_id = $1 and ${there} = $3) as there,
              clock_now() as time`,
    ),
    lock: statement(`${told} and l.${there} = $3 for update of l`),
    lockAll: statement(`${told} order by l.${[here, there].toSorted().join(', l.')} for update of l`),
    put: audited(
      `insert into ${table} (organization_id, ${here}, ${there}, role, linked_at, linked_by)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (organization_id, ${here}, ${there}) do update set role = excluded.role`,
      6,
      2,
    ),
    end: audited(`delete from ${table} where ${where} and ${there} = $3`, 3, 2),
  }
  prepared.set(side, made)
  return made
}
