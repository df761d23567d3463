import { columnOf } from '../../model/column-names.ts'
import type { Values } from '../../model/complaint.ts'
import { isUntil } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { once } from '../../model/once.ts'
import { type Row, statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { TransactionContext } from '../operation.ts'
import { lockRecords, writeMoves } from './change-many.ts'
import { daysEndingIn, endIn, fieldsUntil } from './ends-of-days.ts'
import { changeOf } from './record-events.ts'
import { tableOf } from './table.ts'

/*
 * A date that was given as a day is stored as the last moment of that day in the organization's time zone. When the
 * organization moves to another zone, such a date stays the same day: 31 March does not become 1 April. Any other
 * moment stays the moment that it is.
 */

const kindsUntil = everyKind.filter(
  (kind) => fieldsUntil(kind as unknown as Kind).length > 0,
) as unknown as Kind[]

const REASON = 'The time zone of the organization changed'

/** How many dates that people gave a change of the time zone would move. */
export async function countEndsOfDays(tx: Transaction, from: string, to: string): Promise<number> {
  const move = mover(from, to)
  const found = await Promise.all(kindsUntil.map((kind) => candidatesOf(tx, kind)))
  return kindsUntil.reduce(
    (sum, kind, at) =>
      sum +
      found[at]!.reduce(
        (count, row) => count + movesIn(kind, row, move).filter(([field]) => field in kind.fields).length,
        0,
      ),
    0,
  )
}

/**
 * Locks the records whose dates a change of the time zone moves, those of one organization.
 * @returns what writes them, for when the zone is the other one, each with a version, an entry and its signal
 */
export async function lockEndsOfDays(
  context: TransactionContext,
  from: string,
  to: string,
): Promise<() => Promise<void>> {
  const move = mover(from, to)
  const lock = async (kind: Kind, but: ReadonlySet<string>) => {
    const ids = (await candidatesOf(context.tx, kind))
      .filter((row) => movesIn(kind, row, move).length > 0)
      .map(({ id }) => id as string)
      .filter((id) => !but.has(id))
    return lockRecords(context, kind, ids)
  }
  const NONE = new Set<string>()
  const locked = new Map<Kind, Awaited<ReturnType<typeof lock>>>()
  for (const kind of kindsUntil) locked.set(kind, await lock(kind, NONE))
  return async () => {
    for (const [kind, before] of locked) {
      // Those that were written while this change waited for their writers.
      const late = await lock(kind, new Set(before.map((one) => one.before.id as string)))
      const moved = [...before, ...late].flatMap(({ before, time }) => {
        const after: Values = { ...before, ...Object.fromEntries(movesIn(kind, before, move)) }
        const change = changeOf(kind, context.caller, before, after, time, { reason: REASON })
        return change ? [{ before, ...change }] : []
      })
      await writeMoves(context, kind, moved)
    }
  }
}

/** @returns the moment that is the end of the same day, or null for one that stays */
function mover(from: string, to: string): (moment: string) => string | null {
  const dayEndingAt = daysEndingIn(from)
  return (moment) => {
    const day = dayEndingAt(moment)
    const moved = day === moment ? moment : endIn(to, day)
    return moved === moment ? null : moved
  }
}

/** What is another of a record, with the objects of the service that repeat such a date of another record. */
function movesIn(kind: Kind, row: Values, move: (moment: string) => string | null): [string, unknown][] {
  const movedIn = (values: Values, fields: readonly string[]) =>
    fields.flatMap((field): [string, string][] => {
      const moved = typeof values[field] === 'string' ? move(values[field]) : null
      return moved === null ? [] : [[field, moved]]
    })
  const within = membersUntil(kind).flatMap(([field, members]): [string, Values][] => {
    const value = (row[field] ?? {}) as Values
    const moved = movedIn(value, members)
    return moved.length === 0 ? [] : [[field, { ...value, ...Object.fromEntries(moved) }]]
  })
  return [...movedIn(row, fieldsUntil(kind)), ...within]
}

const membersUntil = once((kind: Kind): [string, string[]][] =>
  Object.entries(kind.derived).flatMap(([field, schema]): [string, string[]][] => {
    const { shape = {} } = schema._zod.def as { shape?: Record<string, typeof schema> }
    const members = Object.keys(shape).filter((name) => isUntil(shape[name]!))
    return members.length === 0 ? [] : [[field, members]]
  }),
)

const candidatesOf = (tx: Transaction, kind: Kind): Promise<Row[]> =>
  tx.read<Row>(candidates(kind)(tx.organizationId))

/** Most dates are no end of a day by their milliseconds alone. */
const candidates = once((kind: Kind) => {
  const fields = fieldsUntil(kind)
  return statement(
    `select id, ${fields.map((field) => `${columnOf(field)} as "${field}"`).join(', ')} from ${tableOf(kind).kind.table}
      where organization_id = $1
        and (${fields.map((field) => `extract(milliseconds from ${columnOf(field)}) = 59999`).join(' or ')})`,
  )
})
