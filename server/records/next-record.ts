import type { Values } from '../../model/complaint.ts'
import { tickedFields } from '../../model/fields.ts'
import { givenFields, type Kind, type Repeats } from '../../model/kind.ts'
import { nextDue, type Recurrence } from '../../model/recurrence.ts'
import { linkedIds } from '../../model/relations.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { archivedAmong } from './archived-targets.ts'
import { stillThere } from './principals.ts'

/**
 * What comes after a record that comes again, where a change leads it to its end for the first time: as this one was,
 * with the same links, due when its rule says. Of whoever may be given nothing any more it is not, and it is linked with
 * nothing that is archived.
 * @returns the values of the next one; null where none comes
 */
export async function nextRecord(
  tx: Transaction,
  kind: Kind,
  before: Values,
  after: Values,
): Promise<Values | null> {
  const { repeats } = kind
  if (!repeats || !comesAgain(repeats, before, after)) return null
  const done = await todayHere(tx)
  const due = nextDue(after[repeats.by] as Recurrence, String(after[repeats.deadline]), done)
  return due === null ? null : copyOf(tx, kind, repeats, after, due)
}

const comesAgain = ({ by, when, made }: Repeats, before: Values, after: Values): boolean =>
  Boolean(after[by]) &&
  after[when.field] === when.value &&
  before[when.field] !== when.value &&
  before[made] !== true

/** The day it is where the organization is. */
export async function todayHere(tx: Transaction): Promise<string> {
  const [row] = await tx.read<{ today: string }>(today(tx.organizationId))
  return row!.today
}

const today = statement(
  `select (clock_now() at time zone timezone)::date::text as today from organizations where id = $1`,
)

/** @returns the values of the one that comes after a record, due on that day */
export async function copyOf(
  tx: Transaction,
  kind: Kind,
  { deadline, when, begins, after }: Repeats,
  record: Values,
  due: string,
): Promise<Values> {
  const ofState = kind.states.find(({ field }) => field === when.field)?.asks
  const reasons = Object.values(ofState ?? {}).flatMap((asks) => asks.flatMap(({ fields }) => fields))
  const links = await Promise.all(
    linkedIds(kind).map(async ([field, side]) => {
      const ids = (record[field] ?? []) as readonly string[]
      const archived = await archivedAmong(tx, side.other, ids)
      return [field, ids.filter((id) => !archived.has(id))] as const
    }),
  )
  const kept = Object.keys(givenFields(kind)).filter(
    (field) => ![...reasons, 'externalId'].includes(field) && (record[field] ?? null) !== null,
  )
  return {
    ...Object.fromEntries(kept.map((field) => [field, asGiven(record[field])])),
    ...Object.fromEntries(links.filter(([, ids]) => ids.length > 0)),
    ...Object.fromEntries(
      Object.entries(tickedFields(kind.fields)).map(([field, flag]) => [
        field,
        untick(record[field] as Values[] | null, flag),
      ]),
    ),
    [when.field]: begins,
    [deadline]: due,
    [after]: record.id,
  }
}

/** As a caller gives it; nothing of somebody who is gone. */
const asGiven = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'refId' in value ? stillThere(value) : value

const untick = (items: readonly Values[] | null, flag: string): Values[] | undefined =>
  items?.map(({ id: _, ...item }) => ({ ...item, [flag]: false }))
