import { compareNaturally } from '../../model/natural-order.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { invalid } from '../refusal.ts'
import type { ReadRow, StatedFramework } from './statement-row.ts'

/** How a field or a link has moved, as its entry tells it. */
interface Move {
  readonly from: unknown
  readonly to: unknown
}

interface Entry {
  readonly subjectId: string
  readonly changes: Readonly<Record<string, Move>>
}

interface ControlThen {
  readonly id: string
  readonly code: string
  readonly title: string
  implementationStatus: string
}

/** What entries of a requirement tell that its statement says. */
const TOLD = [
  'key',
  'title',
  'assessable',
  'applicability',
  'justification',
  'inclusionReasons',
  'result',
  'resultPinned',
  'implementationGroups',
  'sortOrder',
  'depth',
] as const

/** What they tell of the framework itself. */
const TOLD_OF_FRAMEWORK = ['key', 'edition', 'name', 'implementationGroup', 'scopeStatement'] as const

/**
 * A statement as it was at the end of a day: from the newest entry back, each change that came after it is undone, of
 * requirements, of their links with controls, and of these. What was added since is left out; what was deleted since is
 * told by no row, and stays away.
 * @throws {Refusal} `validation_failed` for a day to come, or one before the framework was there
 */
export async function rewind(
  tx: Transaction,
  framework: StatedFramework,
  rows: readonly ReadRow[],
  asOf: string,
): Promise<ReadRow[]> {
  const ids = [...rows.map(({ id }) => id), framework.id]
  const [[end], entries] = await Promise.all([
    tx.read<{ moment: string; isToCome: boolean; isBefore: boolean }>(
      endOf(tx.organizationId, asOf, framework.id),
    ),
    tx.read<Entry>(readSince(tx.organizationId, ids, asOf)),
  ])
  if (end!.isToCome) throw invalid({ path: 'asOf', message: 'is a day to come: give one that has begun' })
  if (end!.isBefore) throw invalid({ path: 'asOf', message: 'is before the framework was added here' })
  const then = new Map(rows.map((row) => [row.id, { ...row, controls: new Map(mapped(row)) }]))
  for (const { subjectId, changes } of entries) {
    const row = then.get(subjectId)
    if (!row) {
      for (const field of TOLD_OF_FRAMEWORK)
        if (changes[field]) Object.assign(framework, { [field]: changes[field].from })
      continue
    }
    for (const field of TOLD) if (changes[field]) Object.assign(row, { [field]: changes[field].from })
    if (changes.ownerId) row.ownerId = changes.ownerId.from as string | null
    if (changes.control) undoLink(row.controls, changes.control)
  }
  const there = [...then.values()].filter(({ createdAt }) => createdAt < end!.moment)
  const controls = new Map(there.flatMap((row) => [...row.controls.values()].map((one) => [one.id, one])))
  const [names] = await Promise.all([
    ownerNames(tx, [...new Set(there.flatMap(({ ownerId }) => ownerId ?? []))], asOf),
    rewindControls(tx, there, [...controls.keys()], asOf),
  ])
  return there.toSorted(inOrder).map((row) => ({
    ...row,
    owner: row.ownerId === null ? null : (names.get(row.ownerId) ?? null),
    controls: [...row.controls.values()].sort((one, other) => compareNaturally(one.code, other.code)),
  }))
}

/** As a statement of today has them. */
const inOrder = (one: ReadPlace, other: ReadPlace): number =>
  (one.sortOrder ?? Number.MAX_SAFE_INTEGER) - (other.sortOrder ?? Number.MAX_SAFE_INTEGER) ||
  compareNaturally(one.key, other.key) ||
  compare(one.id, other.id)

type ReadPlace = Pick<ReadRow, 'sortOrder' | 'key' | 'id'>

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const mapped = ({ controls }: ReadRow) => controls.map((one) => [one.id, { ...one }] as [string, ControlThen])

function undoLink(controls: Map<string, ControlThen>, { from, to }: Move): void {
  const made = to as { id: string } | null
  const ended = from as { id: string; reference: string; title: string } | null
  if (made && !ended) controls.delete(made.id)
  if (ended && !made)
    controls.set(ended.id, {
      id: ended.id,
      code: ended.reference,
      title: ended.title,
      implementationStatus: 'not_started',
    })
}

/** By their ids, as they were called then, also of those who have been deleted since. */
async function ownerNames(
  tx: Transaction,
  ids: readonly string[],
  asOf: string,
): Promise<Map<string, string>> {
  const [now, entries] = await Promise.all([
    tx.read<{ id: string; name: string }>(findOwners(tx.organizationId, ids)),
    tx.read<Entry>(readSince(tx.organizationId, ids, asOf)),
  ])
  const names = new Map(now.map(({ id, name }) => [id, name]))
  for (const { subjectId, changes } of entries) {
    const { from } = changes.name ?? changes.fullName ?? {}
    if (typeof from === 'string') names.set(subjectId, from)
  }
  return names
}

/** Of controls what they are called now, where they are there still, and the status they had. */
async function rewindControls(
  tx: Transaction,
  rows: readonly { readonly controls: Map<string, ControlThen> }[],
  ids: readonly string[],
  asOf: string,
): Promise<void> {
  const [now, entries] = await Promise.all([
    tx.read<ControlThen>(readControls(tx.organizationId, ids)),
    tx.read<Entry>(readSince(tx.organizationId, ids, asOf)),
  ])
  const then = new Map(now.map((one) => [one.id, { ...one }]))
  for (const { subjectId, changes } of entries) {
    const one = then.get(subjectId) ?? {
      id: subjectId,
      code: '',
      title: '',
      implementationStatus: 'not_started',
    }
    for (const field of ['code', 'title', 'implementationStatus'] as const)
      if (changes[field]?.from != null) Object.assign(one, { [field]: changes[field].from })
    then.set(subjectId, one)
  }
  for (const { controls } of rows)
    for (const [id, one] of controls) {
      const was = then.get(id)
      if (was) controls.set(id, { ...was, code: was.code || one.code, title: was.title || one.title })
    }
}

/** When a day ends, in the zone of the organization. */
export const MOMENT = `(select ($DAY::date + 1)::timestamp at time zone o.timezone from organizations o where o.id = $1)`

const endOf = statement(`
  select e.moment, $2::date > (clock_now() at time zone o.timezone)::date as "isToCome",
         f.created_at >= e.moment as "isBefore"
    from organizations o
    join frameworks f on f.organization_id = o.id and f.id = $3,
         lateral (select ${MOMENT.replace('$DAY', '$2')} as moment) e
   where o.id = $1`)

const readSince = statement(`
  select subject_id as "subjectId", changes from audit_entries
   where organization_id = $1 and subject_id = any($2) and time >= ${MOMENT.replace('$DAY', '$3')}
     and outcome = 'success' and changes is not null
   order by time desc, id desc`)

const findOwners = statement(`
  select user_id as id, name from members where organization_id = $1 and user_id = any($2)
  union all select id, full_name from personnel where organization_id = $1 and id = any($2)`)

const readControls = statement(`
  select id, code, title, implementation_status as "implementationStatus"
    from controls where organization_id = $1 and id = any($2)`)
