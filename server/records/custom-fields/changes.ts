import { sql } from 'kysely'
import type { Values } from '../../../model/complaint.ts'
import { type CustomField, isChoice, offeredKeys } from '../../../model/custom-field.ts'
import type { Kind } from '../../../model/kind.ts'
import { everyKind } from '../../../model/kinds/index.ts'
import { actorOf } from '../../caller/caller.ts'
import { build } from '../../database/build.ts'
import { statement } from '../../database/connect.ts'
import { newId } from '../../database/ids.ts'
import { type IfMatch, lockedRow } from '../../database/locked-row.ts'
import type { Transaction } from '../../database/transaction.ts'
import { refuseMoved } from '../../input.ts'
import { audit, movedBetween } from '../../journal/audit.ts'
import type { TransactionContext } from '../../operation.ts'
import { invalid, Refusal } from '../../refusal.ts'

/* How definitions of custom fields come about, change and go: each with its entry in the audit log. */

/** So many in an organization, retired ones too: each write of a record looks through those of its kind. */
const AT_MOST = 200

export interface CustomFieldRow extends CustomField {
  readonly id: string
  readonly version: number
  readonly createdAt: string
  readonly createdBy: { type: string; id: string; displayName: string }
  readonly updatedAt: string
  readonly updatedBy: { type: string; id: string; displayName: string }
}

const CHANGING = ['label', 'description', 'choices', 'kinds', 'required', 'retired'] as const
const TOLD = ['name', 'type', ...CHANGING]

/** @throws {Refusal} `validation_failed`; `conflict` for a name that there is already, or one too many */
export async function defineCustomField(
  { tx, caller }: TransactionContext,
  {
    description = null,
    ...given
  }: Omit<CustomField, 'description'> & { description?: string | null | undefined },
): Promise<CustomFieldRow> {
  refuseChoices(given)
  const [[there], time] = await Promise.all([
    tx.read<{ count: number; taken: string | null }>(count(tx.organizationId, given.name)),
    tx.now,
  ])
  if (there!.taken !== null)
    throw new Refusal(
      'conflict',
      `There is a custom field ${there!.taken} already: use it for further kinds, or choose another name.`,
      { field: 'name' },
    )
  if (there!.count >= AT_MOST)
    throw new Refusal('conflict', `There are ${AT_MOST} custom fields already: delete one that nobody uses.`)
  const by = actorOf(caller)
  const made = {
    description,
    ...given,
    version: 1,
    createdAt: time,
    createdBy: by,
    updatedAt: time,
    updatedBy: by,
  }
  const row: CustomFieldRow = { id: newId('cfd'), ...made }
  tx.write(
    insert(
      ...[tx.organizationId, row.id, row.name, row.label, row.description, row.type],
      ...[JSON.stringify(row.choices), row.kinds, row.required, row.retired, time, JSON.stringify(by)],
    ),
  )
  audit(tx, caller, {
    time,
    action: 'custom_field.create',
    subject: subjectOf(row),
    changes: movedBetween(TOLD, {}, row as unknown as Values),
  })
  return row
}

/** @throws {Refusal} `not_found`, `version_mismatch`, `validation_failed`; `referenced` for a choice that records have */
export async function changeCustomField(
  { tx, caller }: TransactionContext,
  id: string,
  input: Values,
  ifMatch: IfMatch | undefined,
): Promise<CustomFieldRow> {
  const { before, time } = lockedRow<CustomFieldRow>(await tx.read(lock(tx.organizationId, id)), ifMatch)
  refuseMoved(
    ['version', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'],
    before as unknown as Values,
    input,
  )
  refuseFixed(before, input)
  const given = Object.fromEntries(
    CHANGING.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field]]])),
  )
  const after = { ...before, ...given }
  refuseChoices(after)
  await refuseRemovedChoices(tx, before, after)
  const changes = movedBetween(TOLD, before as unknown as Values, after as unknown as Values)
  if (Object.keys(changes).length === 0) return before
  const row = { ...after, version: before.version + 1, updatedAt: time, updatedBy: actorOf(caller) }
  tx.write(
    update(
      ...[tx.organizationId, id, row.label, row.description, JSON.stringify(row.choices), row.kinds],
      ...[row.required, row.retired, row.version, time, JSON.stringify(row.updatedBy)],
    ),
  )
  audit(tx, caller, { time, action: 'custom_field.update', subject: subjectOf(row), changes })
  return row
}

/** @throws {Refusal} `not_found`, `version_mismatch`; `referenced` where records have a value of it */
export async function removeCustomField(
  { tx, caller }: TransactionContext,
  id: string,
  ifMatch: IfMatch | undefined,
): Promise<void> {
  const { before, time } = lockedRow<CustomFieldRow>(await tx.read(lock(tx.organizationId, id)), ifMatch)
  const having = await kindsThatHave(tx, sql`r.custom_fields ? ${before.name}`)
  if (having.length > 0)
    throw new Refusal(
      'referenced',
      `There are ${inWords(having)} with a value of it: retire it instead, and they keep theirs.`,
      { kinds: having.map(({ name }) => name) },
    )
  tx.write(remove(tx.organizationId, id))
  audit(tx, caller, {
    time,
    action: 'custom_field.delete',
    subject: subjectOf(before),
    changes: movedBetween(TOLD, before as unknown as Values, {}),
  })
}

const subjectOf = ({ id, label }: CustomFieldRow) => ({ type: 'custom_field', id, title: label })

/** Records are kept by name and type: with others of these, what they have would come to mean something else. */
function refuseFixed(before: CustomFieldRow, input: Values): void {
  const errors = (['name', 'type'] as const)
    .filter((field) => input[field] !== undefined && input[field] !== before[field])
    .map((path) => ({ path, message: `stays ${before[path]}: retire this field, and define another` }))
  if (errors.length > 0) throw invalid(...errors)
}

function refuseChoices(field: Pick<CustomField, 'type' | 'choices'>): void {
  const { type, choices } = field
  if (!isChoice(type) && choices.length > 0)
    throw invalid({
      path: 'choices',
      message: `stand with choice and choices, and this is ${type}: leave them out`,
    })
  if (isChoice(type) && offeredKeys(field).length === 0)
    throw invalid({ path: 'choices', message: 'give at least one that can be chosen' })
}

async function refuseRemovedChoices(
  tx: Transaction,
  { name, type, choices }: CustomFieldRow,
  after: Pick<CustomField, 'choices'>,
): Promise<void> {
  const kept = new Set(after.choices.map(({ key }) => key))
  const removed = choices.filter(({ key }) => !kept.has(key))
  if (removed.length === 0) return
  const parts = removed.map(({ key }) => JSON.stringify({ [name]: type === 'choices' ? [key] : key }))
  const having = await kindsThatHave(tx, sql`r.custom_fields @> any(${parts}::jsonb[])`)
  if (having.length === 0) return
  const told = removed.map(({ key }) => key).join(', ')
  throw new Refusal(
    'referenced',
    `There are ${inWords(having)} with ${removed.length > 1 ? 'one of ' : ''}${told}: send such a choice as retired instead of leaving it out.`,
    { kinds: having.map(({ name }) => name) },
  )
}

/** The kinds of which records have something in their custom fields. All are looked through: it is done seldom. */
async function kindsThatHave(tx: Transaction, condition: ReturnType<typeof sql>): Promise<Kind[]> {
  const found = await Promise.all(
    everyKind.map((kind) =>
      tx.read(
        build(sql`select from ${sql.table(kind.table)} r
          where r.organization_id = ${tx.organizationId} and ${condition} limit 1`),
      ),
    ),
  )
  return everyKind.filter((_, index) => found[index]!.length > 0)
}

function inWords(kinds: readonly Kind[]): string {
  const nouns = kinds.map(({ noun }) => noun.many)
  const last = nouns.pop()
  return nouns.length > 0 ? `${nouns.join(', ')} and ${last}` : last!
}

export const COLUMNS = `id, name, label, description, type, choices, kinds, required, retired, version,
  created_at as "createdAt", created_by as "createdBy", updated_at as "updatedAt", updated_by as "updatedBy"`

const count = statement(`
  select count(*) as count, max(name) filter (where lower(name) = lower($2)) as taken
    from custom_fields where organization_id = $1`)
const lock = statement(`
  select greatest(clock_now(), updated_at + interval '1 millisecond') as write_time, ${COLUMNS}
    from custom_fields where organization_id = $1 and id = $2 for no key update`)
const insert = statement(`
  insert into custom_fields (organization_id, id, name, label, description, type, choices, kinds, required, retired,
    version, created_at, created_by, updated_at, updated_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, $11, $12, $11, $12)`)
const update = statement(`
  update custom_fields set label = $3, description = $4, choices = $5, kinds = $6, required = $7, retired = $8,
    version = $9, updated_at = $10, updated_by = $11
   where organization_id = $1 and id = $2`)
const remove = statement('delete from custom_fields where organization_id = $1 and id = $2')
