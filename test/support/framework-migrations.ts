import type { Caller } from '../../server/caller/caller.ts'
import { settleResults } from '../../server/frameworks/settle-results.ts'
import { frameworkImportsOf } from './framework-imports.ts'
import type { TestService } from './service.ts'
import { until } from './until.ts'

/* Editions of frameworks with answers, and what takes these from one to the other. */

export type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly key: string }
interface Named {
  readonly id: string
  readonly key: string
}
export interface Plan {
  readonly planned: string
  readonly counts: Readonly<
    Record<'answers' | 'carried' | 'carriedToSeveral' | 'asked' | 'dropped', number>
  > & {
    readonly requirements: Readonly<Record<string, number>>
    readonly links: Readonly<Record<string, number>>
  }
  readonly answers: readonly (Named & { readonly fate: string; readonly to: readonly Named[] })[]
  readonly requirements: readonly (Named & {
    readonly fate: string
    readonly from: readonly (Named & { readonly by: string })[]
    readonly asks: readonly {
      readonly field: string
      readonly why: string
      readonly says: readonly Named[]
    }[]
  })[]
}
export interface Migration {
  readonly id: string
  readonly stage: string
  readonly result: {
    readonly changed: number
    readonly linked: number
    readonly kept?: readonly string[]
  } | null
  readonly job: { readonly failure: string | null } | null
  readonly undoUntil: string | null
  readonly counts: Plan['counts'] | null
  readonly fates: Pick<Plan, 'answers' | 'requirements'> | null
}

/** What somebody does to take answers to another edition. The service has to work its jobs. */
export const migrationsOf = (one: TestService, caller: Caller) => {
  const ask = async <T = Row>(name: string, input: object): Promise<T> =>
    (await one.call(caller, name, input)).body as T
  const over = (id: string, stage: string) =>
    until(async () => {
      const now = await ask<Migration>('getFrameworkMigration', { id })
      if (now.job?.failure) throw new Error(now.job.failure)
      return now.stage === stage ? now : null
    })
  return {
    one,
    ask,
    library: async (name: string) => {
      const { frameworkId } = await frameworkImportsOf(one, caller).fromLibrary(name)
      return frameworkId!
    },
    requirementsOf: async (frameworkId: string) => {
      const { data } = await ask<{ data: Row[] }>('listRequirements', {
        frameworkId: [frameworkId],
        limit: 200,
      })
      return new Map(data.map((row) => [row.key, row]))
    },
    plan: (id: string, toId: string) => ask<Plan>('planFrameworkMigration', { id, toId }),
    migrate: async (fromId: string, toId: string, plan: Plan, choices: object = firstOf(plan)) => {
      const input = { fromId, toId, planned: plan.planned, choices }
      return over((await ask<Migration>('startFrameworkMigration', input)).id, 'applied')
    },
    undo: async (id: string, more: object = {}) => {
      await ask('undoFrameworkMigration', { id, ...more })
      return over(id, 'undone')
    },
  }
}
export type Work = ReturnType<typeof migrationsOf>

/** Wherever there is a choice, the first who has a say. */
const firstOf = ({ requirements }: Plan) =>
  Object.fromEntries(
    requirements.flatMap(({ id, asks }) => (asks.length > 0 ? [[id, asks[0]!.says[0]!.id]] : [])),
  )

const LINKS = {
  control: 'control_requirements',
  evidence: 'evidence_requirements',
  task: 'task_requirements',
}

/** All that GET shows of an edition, and its links to the letter; a version moves on, and says when. */
export async function shown({ one, requirementsOf }: Work, frameworkId: string) {
  await settleResults(one.service)
  const rows = [...(await requirementsOf(frameworkId)).values()]
  const links = await Promise.all(
    Object.entries(LINKS).map(async ([word, table]) => {
      const { rows } = await one.administrator.query(
        `select l.* from ${table} l
           join requirements r on r.organization_id = l.organization_id and r.id = l.requirement_id
          where r.framework_id = $1 order by l.requirement_id, l.${word}_id`,
        [frameworkId],
      )
      return rows
    }),
  )
  return { links, rows: rows.map(({ version: _, updatedAt: __, updatedBy: ___, ...row }) => row) }
}

/** Answers each of them, all in their own way, with controls, evidence and a task besides. */
export async function answerAll({ ask, requirementsOf }: Work, frameworkId: string, owner: string) {
  const asked = [...(await requirementsOf(frameworkId)).values()].filter(
    ({ assessable, key }) => assessable && key.startsWith('A.'),
  )
  const control = await ask('createControl', { code: 'C-1', title: 'One for many' })
  const evidence = await ask('createEvidence', { title: 'A record', text: 'Seen.' })
  const task = await ask('createTask', { title: 'To do', requirementIds: [asked[3]!.id] })
  const answers = [
    { note: 'Noted', owner: { type: 'user', refId: owner } },
    { applicability: 'not_applicable', justification: 'Nothing of it here.' },
    { result: 'compliant', resultReason: 'Audited in May.', maturity: 3, score: 80 },
    { applicability: 'inherited', justification: 'Of the provider.', inclusionReasons: ['legal'] },
    {
      note: 'With words',
      labels: ['kept'],
      customFields: { room: 'B' },
      assessedAt: '2026-05-01T00:00:00.000Z',
    },
  ]
  for (const [index, { id }] of asked.entries()) {
    await ask('updateRequirement', { id, ...answers[index % answers.length] })
    if (index % 3 === 0) await ask('linkRequirement', { id, targetKind: 'control', targetId: control.id })
    if (index % 10 === 0) {
      const says = { coverage: 'partial', note: 'Page 3' }
      await ask('linkEvidence', { id: evidence.id, targetKind: 'requirement', targetId: id, ...says })
    }
  }
  return { count: asked.length, asked, control, evidence, task }
}

/** Two small editions of one's own: two requirements became one, one stays as it was, one is new. */
export async function small({ ask }: Work, edition: string) {
  const make = async (name: string, keys: Readonly<Record<string, string>>) => {
    const { id } = await ask('createFramework', {
      key: `house-${edition}`,
      edition: name,
      name: `House ${name}`,
    })
    const ids: Record<string, string> = {}
    for (const [key, title] of Object.entries(keys))
      ids[key] = (await ask('createRequirement', { frameworkId: id, key, title })).id
    return { id, ...ids } as Readonly<Record<string, string>> & { id: string }
  }
  const older = await make('1', { A: 'Doors', B: 'Windows', C: 'Roof', D: 'Cellar' })
  const newer = await make('2', { A: 'Doors and windows', C: 'Roof', E: 'Garden' })
  for (const id of [older.A, older.B])
    await ask('linkRequirement', {
      ...{ id, targetKind: 'mapping_target', targetId: newer.A, relationship: 'subset_of', origin: 'own' },
    })
  return { older, newer }
}
