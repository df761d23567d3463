import { z } from 'zod'
import { text } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { startJob } from '../jobs/start-job.ts'
import { operation } from '../operation.ts'
import { ID } from '../records/schemas.ts'
import { assertThere, lockRecord } from '../records/stored-record.ts'
import { tableOf } from '../records/table.ts'
import { invalid, Refusal } from '../refusal.ts'
import {
  applyFrameworkMigration,
  changedByPeople,
  changedSince,
  findChanged,
  undoFrameworkMigration as undoJob,
} from './apply-migration.ts'
import {
  type Choices,
  type FrameworkMigration,
  findMigration,
  findMigrations,
  findUnderWay,
  frameworkMigration,
  id,
  insertMigration,
  migrationSummary,
  NEEDS,
  PATH,
  shownMigration,
  shownWhole,
  UNDO_DAYS,
  underWay,
} from './framework-migration.ts'
import type { NewFate } from './migration-fates.ts'
import { migrationCounts, migrationFates, planMigration } from './plan-migration.ts'

/* Answers go from one edition to the next: planned, agreed to, carried out, and undone. */

const framework = kinds.framework as unknown as Kind
const EDITION = z.object({ id: z.string(), name: z.string(), edition: z.string() })

export const planFrameworkMigration = operation({
  name: 'planFrameworkMigration',
  method: 'GET',
  path: '/v1/frameworks/{id}/migration-plan',
  needs: NEEDS,
  writes: false,
  isLarge: true,
  title: 'Plan the migration of a framework to another edition',
  description:
    'What would become of each answer, and where each requirement of the other edition would get its answer from: over mappings between the two, and where key, title and text are the same. Nothing is written.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'fwk' }),
    toId: ID.meta({ title: 'To', refersTo: 'fwk' }).describe('The framework that answers go to'),
  }),
  output: z
    .object({
      from: EDITION,
      to: EDITION,
      planned: z
        .string()
        .describe('Sent with startFrameworkMigration, which carries out this plan and no other'),
      counts: migrationCounts,
      ...migrationFates.shape,
    })
    .meta({ id: 'FrameworkMigrationPlan' }),
  run: async (context, { id, toId }) => {
    const { from, to, planned, counts, shown } = await planMigration(context, id, toId)
    return { from, to, planned, counts, ...shown }
  },
})

export const startFrameworkMigration = operation({
  name: 'startFrameworkMigration',
  method: 'POST',
  path: PATH,
  needs: NEEDS,
  writes: true,
  title: 'Migrate a framework to another edition',
  description: `A job takes answers and links over as they were planned, all or none. The older edition stays as it is, and so do answers of the other that nothing comes to. It can be undone for ${UNDO_DAYS} days.`,
  input: z.strictObject({
    fromId: ID.meta({ title: 'From', refersTo: 'fwk' }).describe('The framework whose answers are taken'),
    toId: ID.meta({ title: 'To', refersTo: 'fwk' }).describe('The framework that they go to'),
    planned: text('Planned', 100).describe(
      'As planFrameworkMigration said it: refused where something has changed since',
    ),
    choices: z
      .record(z.string().max(100), z.string().max(100).nullable())
      .default({})
      .meta({ title: 'Choices' })
      .describe(
        'By the id of a requirement whose fate is asked: the id of the requirement whose word counts, or null for nobody’s, which leaves what they disagree on as it is there',
      ),
  }),
  example: {
    fromId: 'fwk_01k9f8qxk2e9mbz6w0h5t4v3ra',
    toId: 'fwk_01k9f8qxk2e9mbz6w0h5t4v3rb',
    planned: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  output: frameworkMigration,
  refusals: ['conflict'],
  location: ({ id }) => `${PATH}/${id}`,
  run: async (context, { fromId, toId, planned, choices }) => {
    const { tx } = context
    // Held, so that of two who begin at once the second finds the first.
    for (const one of [...new Set([fromId, toId])].toSorted())
      await lockRecord(context, tableOf(framework), one)
    const [other] = await tx.read(findUnderWay(tx.organizationId, [fromId, toId]))
    if (other)
      throw new Refusal(
        'conflict',
        'A migration from or to one of them is being carried out: wait for it to end.',
      )
    const plan = await planMigration(context, fromId, toId)
    if (plan.planned !== planned) throw changedSince()
    refuseChoices(plan.fates.newer, choices)
    if (plan.counts.changes === 0 && Object.values(choices).every((one) => one === null))
      throw new Refusal('conflict', 'There is nothing to take over: all of it stands there already.')
    const id = await insertMigration(context, { fromId, toId, planned, choices })
    const job = await startJob(context, applyFrameworkMigration, { id })
    tx.write(underWay(tx.organizationId, id, 'applying', job))
    return shownWhole(context, await findMigration(context, id))
  },
})

/** @throws {Refusal} `validation_failed` where one is missing, is none of those to choose from, or is not asked for */
function refuseChoices(newer: readonly NewFate[], choices: Choices): void {
  const asking = new Map(newer.flatMap((one) => (one.fate === 'asked' ? [[one.one.id, one] as const] : [])))
  for (const [id, choice] of Object.entries(choices)) {
    const fate = asking.get(id)
    if (!fate)
      throw invalid({
        path: `choices.${id}`,
        message: 'is no requirement that leaves a choice: leave it out',
      })
    if (choice === null || fate.voices.some((one) => one.id === choice)) continue
    const known = fate.voices.map(({ id, key }) => `${id} (${key})`)
    throw invalid({
      path: `choices.${id}`,
      message: `has nothing to say for ${fate.one.key}: give one of ${known.join(', ')}, or null`,
    })
  }
  const missing = [...asking.values()].find(({ one }) => !(one.id in choices))
  if (missing)
    throw invalid({
      path: `choices.${missing.one.id}`,
      message: `say whose word counts for ${missing.one.key}: ${missing.voices.map(({ key, id }) => `${id} (${key})`).join(', ')}, or null for nobody's`,
    })
}

export const getFrameworkMigration = operation({
  name: 'getFrameworkMigration',
  method: 'GET',
  path: `${PATH}/{id}`,
  needs: NEEDS,
  writes: false,
  title: 'Read a migration of a framework',
  description: 'How far it is, what became of each answer, and until when it can be undone.',
  input: z.strictObject({ id }),
  output: frameworkMigration,
  run: async (context, input) => shownWhole(context, await findMigration(context, input.id)),
})

export const listFrameworkMigrations = operation({
  name: 'listFrameworkMigrations',
  method: 'GET',
  path: '/v1/frameworks/{id}/migrations',
  needs: NEEDS,
  writes: false,
  title: 'List the migrations of a framework',
  description: 'From it and to it, the last one first; the hundred last.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'fwk' }) }),
  output: z.object({ data: z.array(migrationSummary) }).meta({ id: 'FrameworkMigrationList' }),
  run: async (context, { id }) => {
    const { tx } = context
    const [, rows] = await Promise.all([
      assertThere(context, framework, id),
      tx.read<FrameworkMigration>(findMigrations(tx.organizationId, id)),
    ])
    return { data: await Promise.all(rows.map((one) => shownMigration(context, one))) }
  },
})

export const undoFrameworkMigration = operation({
  name: 'undoFrameworkMigration',
  method: 'POST',
  path: `${PATH}/{id}/undo`,
  needs: NEEDS,
  writes: true,
  title: 'Undo a migration of a framework',
  description: `Every requirement that it touched has the answer and the links from before it, within ${UNDO_DAYS} days. Refused where somebody has changed one of them since, unless these are to stay.`,
  input: z.strictObject({
    id,
    keepChanged: z
      .boolean()
      .default(false)
      .meta({ title: 'Keep what has changed' })
      .describe('true: what somebody has changed since stays as it is now, and the rest is undone'),
  }),
  output: frameworkMigration,
  refusals: ['conflict'],
  run: async (context, { id, keepChanged }) => {
    const { tx } = context
    const found = await findMigration(context, id, true)
    await lockRecord(context, tableOf(framework), found.toId)
    refuseUnlessApplied(found)
    const ends = [found.toId, ...(found.fromId ? [found.fromId] : [])]
    const [other] = found.hasStopped ? [] : await tx.read(findUnderWay(tx.organizationId, ends))
    if (other) throw new Refusal('conflict', 'Another migration is being carried out: wait for it to end.')
    const changed = await findChanged(context, id)
    if (changed.length > 0 && !keepChanged) throw changedByPeople(changed)
    const job = await startJob(context, undoJob, { id, keepChanged })
    tx.write(underWay(tx.organizationId, id, 'undoing', job))
    return shownWhole(context, await findMigration(context, id))
  },
})

function refuseUnlessApplied({ stage, hasStopped, canBeUndone }: FrameworkMigration): void {
  if (stage === 'undone') throw new Refusal('conflict', 'It was undone already.')
  if (stage === 'applying')
    throw new Refusal(
      'conflict',
      hasStopped
        ? 'It was never carried out: there is nothing to undo.'
        : 'It is being carried out: wait for it.',
    )
  if (stage === 'undoing' && !hasStopped) throw new Refusal('conflict', 'It is being undone: wait for it.')
  if (!canBeUndone)
    throw new Refusal('conflict', `It is more than ${UNDO_DAYS} days ago, and can be undone no more.`)
}
