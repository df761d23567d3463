import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { actorOf } from '../caller/caller.ts'
import { jobKind, type Piece } from '../jobs/job-kind.ts'
import type { TransactionContext } from '../operation.ts'
import { lockRecords } from '../records/change-many.ts'
import { changeRecord } from '../records/change-record.ts'
import { copyLinks, endLinks, linksOfMany } from '../records/link-many.ts'
import { lockRecord } from '../records/stored-record.ts'
import { tableOf } from '../records/table.ts'
import { Refusal } from '../refusal.ts'
import {
  findMigration,
  keepApplied,
  keepUndone,
  NEEDS,
  readKept,
  type State,
  type Touched,
} from './framework-migration.ts'
import { ANSWER_FIELDS, type AnswerField, answerOf, valuesOf } from './migration-answers.ts'
import type { NewFate } from './migration-fates.ts'
import { CARRIED_SIDES, type MigrationPlan, planMigration } from './plan-migration.ts'

/*
 * Carries a migration out, and undoes one, each in one transaction: all of it is done or nothing. What stands at the
 * requirements that it touches is read before and after, under their locks, and kept: by that it is undone, and it is
 * known what somebody has changed since.
 */

const framework = kinds.framework as unknown as Kind
const requirement = kinds.requirement as unknown as Kind

const Input = z.strictObject({ id: z.string() })

export const applyFrameworkMigration = jobKind<typeof Input, null>({
  name: 'applyFrameworkMigration',
  title: 'Carry answers over to another edition',
  isTold: true,
  input: Input,
  needs: NEEDS,
  perOrganization: 1,
  keptDays: 30,
  run: async ({ job, input, step }) => {
    await step((piece) => apply(piece, job.id, input.id))
    return undefined
  },
})

const UndoInput = z.strictObject({ id: z.string(), keepChanged: z.boolean() })

export const undoFrameworkMigration = jobKind<typeof UndoInput, null>({
  name: 'undoFrameworkMigration',
  title: 'Undo the migration to another edition',
  isTold: true,
  input: UndoInput,
  needs: NEEDS,
  perOrganization: 1,
  keptDays: 30,
  run: async ({ job, input, step }) => {
    await step((piece) => undo(piece, job.id, input))
    return undefined
  },
})

async function apply(piece: Piece<null>, jobId: string, id: string): Promise<null> {
  const found = await findMigration(piece, id, true)
  if (found.jobId !== jobId || found.stage !== 'applying') return null
  if (found.fromId === null) throw new Refusal('conflict', 'The framework that was to be left is gone.')
  const { plan, touched } = await planHeld(piece, found.fromId, found.toId)
  if (plan.planned !== found.planned) throw changedSince()
  const before = await statesOf(
    piece,
    touched.map(({ one }) => one.id),
  )
  const reason = `Carried over from ${plan.from.name} ${plan.from.edition}`
  const linked = await link(piece, touched, reason)
  let done = 0
  for (const fate of touched) {
    const values = valuesIn(fate, found.choices[fate.one.id] ?? null)
    await change(piece, fate.one, values, reason)
    done += 1
    piece.progress(done, touched.length)
  }
  const after = await statesOf(
    piece,
    touched.map(({ one }) => one.id),
  )
  const kept = touched
    .map(({ one: { id, key } }): Touched => ({ id, key, before: before.get(id)!, after: after.get(id)! }))
    .filter((one) => !isSame(one.before, one.after))
  const result = JSON.stringify({ changed: kept.length, linked })
  const { counts, shown } = plan
  piece.tx.write(
    keepApplied(
      ...[piece.tx.organizationId, id, JSON.stringify(counts)],
      ...[JSON.stringify(shown), JSON.stringify(kept), result],
    ),
  )
  return null
}

export const changedSince = (): Refusal =>
  new Refusal(
    'conflict',
    'Answers, links or mappings of one of the editions have changed since that plan: look at the plan again (planFrameworkMigration).',
  )

/** The plan as it stands while all that it touches is held: those linked and the requirements, in the order of their ids. */
async function planHeld(
  context: TransactionContext,
  fromId: string,
  toId: string,
): Promise<{ plan: MigrationPlan; touched: readonly NewFate[] }> {
  for (const id of [fromId, toId].toSorted()) await lockRecord(context, tableOf(framework), id)
  const seen = await planMigration(context, fromId, toId)
  const holding = touchedBy(seen)
  const held = CARRIED_SIDES.map(({ other, word }) => ({
    kind: other,
    ids: holding.flatMap(({ links }) => (links[word] ?? []).map(({ there }) => there)),
  }))
  await lockAll(context, [...held, { kind: requirement, ids: holding.map(({ one }) => one.id) }])
  const plan = await planMigration(context, fromId, toId)
  if (plan.planned !== seen.planned) throw changedSince()
  return { plan, touched: touchedBy(plan) }
}

const touchedBy = ({ fates }: MigrationPlan): readonly NewFate[] =>
  fates.newer.filter(({ from }) => from.length > 0)

async function lockAll(
  context: TransactionContext,
  all: readonly { readonly kind: Kind; readonly ids: readonly string[] }[],
): Promise<void> {
  const inOrder = all.toSorted((one, other) => (one.kind.idPrefix < other.kind.idPrefix ? -1 : 1))
  for (const { kind, ids } of inOrder) await lockRecords(context, kind, [...new Set(ids)])
}

/** Its values by what comes and what was chosen; null where it stays as it is. */
function valuesIn({ one, settle }: NewFate, choice: string | null): Values {
  const { answer, fields } = settle(choice)
  const moved = fields.filter((field) => JSON.stringify(answer[field]) !== JSON.stringify(one.answer[field]))
  return valuesOf(answer, withReasons(moved))
}

/** A result goes with its reason, and whether it applies with why. */
const withReasons = (moved: readonly AnswerField[]): AnswerField[] => {
  const all = new Set(moved)
  if (all.has('resultReason')) all.add('result')
  return ANSWER_FIELDS.filter((field) => all.has(field))
}

async function link(
  context: TransactionContext,
  touched: readonly NewFate[],
  reason: string,
): Promise<number> {
  let made = 0
  for (const side of CARRIED_SIDES) {
    const links = touched.flatMap(({ one, links }) =>
      (links[side.word] ?? []).map((each) => ({ ...each, to: one.id })),
    )
    const inPart = 'coverage' in side.relation.fields ? { coverage: 'partial' } : {}
    made += await copyLinks(
      context,
      side,
      links.filter(({ isPart }) => !isPart),
      reason,
    )
    made += await copyLinks(
      context,
      side,
      links.filter(({ isPart }) => isPart),
      reason,
      inPart,
    )
  }
  return made
}

/** Writes it also where nothing of the answer moves: what follows from its links is right at once. */
async function change(
  context: TransactionContext,
  { id, key }: { readonly id: string; readonly key: string },
  set: Values,
  reason: string,
  restores = false,
): Promise<void> {
  await changeRecord(context, requirement, id, { set, reason, restores }).catch((error: unknown) => {
    throw error instanceof Refusal ? new Refusal('conflict', `${key}: ${error.message}`) : error
  })
}

async function statesOf(
  context: TransactionContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, State>> {
  const [rows, linked] = await Promise.all([
    lockRecords(context, requirement, ids),
    Promise.all(CARRIED_SIDES.map((side) => linksOfMany(context, side, ids))),
  ])
  const byId = linked.map((links) => Map.groupBy(links, ({ here }) => here))
  return new Map(
    rows.map(({ before }) => {
      const id = before.id as string
      const links = CARRIED_SIDES.map(({ word }, index) => {
        const here = byId[index]!.get(id) ?? []
        return [word, Object.fromEntries(here.map(({ there, attributes }) => [there, attributes]))]
      })
      return [id, { answer: answerOf(before), links: Object.fromEntries(links) }]
    }),
  )
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

async function undo(
  piece: Piece<null>,
  jobId: string,
  { id, keepChanged }: z.output<typeof UndoInput>,
): Promise<null> {
  const found = await findMigration(piece, id, true)
  if (found.jobId !== jobId || found.stage !== 'undoing') return null
  const touched = (await readKept(piece, id)) ?? []
  await lockRecord(piece, tableOf(framework), found.toId)
  const here = await statesOf(
    piece,
    touched.map((one) => one.id),
  )
  const changed = touched.filter((one) => isChangedSince(one, here.get(one.id)))
  if (changed.length > 0 && !keepChanged) throw changedByPeople(changed)
  const going = touched.filter((one) => here.has(one.id) && !changed.includes(one))
  const reason = 'A migration to this edition was undone'
  let linked = 0
  for (const side of CARRIED_SIDES) {
    const made = going.flatMap((one) => madeLinks(one, side.word).map((there) => ({ here: one.id, there })))
    linked += await endLinks(piece, side, made, reason)
  }
  let done = 0
  for (const one of going) {
    const moved = ANSWER_FIELDS.filter((field) => !isSame(one.before.answer[field], one.after.answer[field]))
    await change(piece, one, valuesOf(one.before.answer, withReasons(moved)), reason, true)
    done += 1
    piece.progress(done, going.length)
  }
  const kept = changed.map(({ key }) => key)
  const result = JSON.stringify({ changed: going.length, linked, kept })
  piece.tx.write(keepUndone(piece.tx.organizationId, id, result, JSON.stringify(actorOf(piece.caller))))
  return null
}

const madeLinks = ({ before, after }: Touched, word: string): string[] =>
  Object.keys(after.links[word] ?? {}).filter((there) => !(there in (before.links[word] ?? {})))

/**
 * Whether somebody has changed a requirement since, so that undoing would undo that, too. A link that is there no more is
 * none of that: it would end by it anyway.
 */
function isChangedSince({ after }: Touched, now: State | undefined): boolean {
  if (!now) return false
  const isOther = ANSWER_FIELDS.some((field) => !isSame(now.answer[field], after.answer[field]))
  return (
    isOther ||
    Object.entries(now.links).some(([word, links]) =>
      Object.entries(links).some(([there, says]) => !isSame(says, after.links[word]?.[there])),
    )
  )
}

export async function findChanged(context: TransactionContext, id: string): Promise<readonly Touched[]> {
  const touched = (await readKept(context, id)) ?? []
  const here = await statesOf(
    context,
    touched.map((one) => one.id),
  )
  return touched.filter((one) => isChangedSince(one, here.get(one.id)))
}

const TOLD = 20

export function changedByPeople(changed: readonly Touched[]): Refusal {
  const keys = changed.slice(0, TOLD).map(({ key }) => key)
  const more = changed.length > TOLD ? ` and ${changed.length - TOLD} more` : ''
  return new Refusal(
    'conflict',
    `Since then somebody has changed ${keys.join(', ')}${more}: undo with keepChanged to have these stay as they are now, or bring them back first.`,
  )
}
