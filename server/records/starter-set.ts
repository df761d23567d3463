import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { sidesOf } from '../../model/relations.ts'
import { nameColumn } from '../../model/roles.ts'
import { linkColumns } from '../../model/sides.ts'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { capability, operation } from '../operation.ts'
import { beginningOf, invalid } from '../refusal.ts'
import { createRecord } from './create-record.ts'
import { numbered } from './reference.ts'
import { deleteRecord } from './removal.ts'
import { STARTER_CONTROLS } from './starter-set/controls.ts'
import { STARTER_RISKS } from './starter-set/risks.ts'

/*
 * Records for whoever begins with empty registers. They are added and removed as any others are, each with its audit
 * entry and its signal; what came from here is known by its label and its title.
 *
 * What somebody has changed or linked since is theirs, and is not removed.
 */

const LABEL = 'starter'

const SETS = [
  { name: 'risks', kind: kinds.risk as unknown as Kind, items: STARTER_RISKS as readonly Values[] },
  { name: 'controls', kind: kinds.control as unknown as Kind, items: STARTER_CONTROLS as readonly Values[] },
] as const

type StarterSet = (typeof SETS)[number]

const item = z.object({
  title: z.string(),
  description: z.string(),
  category: z.string(),
  isHere: z.boolean().describe('Whether it was added already'),
})

const kept = z.object({ type: z.string(), id: z.string(), reference: z.string(), title: z.string() })

const titles = z.array(z.string().max(200)).max(50).optional()

export const getStarterSet = operation({
  name: 'getStarterSet',
  method: 'GET',
  path: '/v1/starter-set',
  needs: capability('settings.manage'),
  writes: false,
  title: 'Read the risks and controls to begin with',
  input: z.strictObject({}),
  output: z.object({
    risks: z.array(item),
    controls: z.array(item),
    untouched: z.int().describe('Of those that were added: neither changed nor linked since'),
  }),
  run: async ({ tx }) => {
    const [risks, controls] = await Promise.all(SETS.map((set) => addedOf(tx, set)))
    const shown = ({ items }: StarterSet, added: readonly Added[]) =>
      items.map(({ title, description, category }) => ({
        title,
        description,
        category,
        isHere: added.some((one) => one.title === title),
      })) as z.input<typeof item>[]
    return {
      risks: shown(SETS[0], risks!),
      controls: shown(SETS[1], controls!),
      untouched: [...risks!, ...controls!].filter(({ untouched }) => untouched).length,
    }
  },
})

export const addStarterSet = operation({
  name: 'addStarterSet',
  method: 'POST',
  path: '/v1/starter-set',
  needs: capability('settings.manage'),
  writes: true,
  title: 'Add risks and controls to begin with',
  description: `All of them, or those that are named. They carry the label ${LABEL}; what is here already is not added again.`,
  input: z.strictObject({
    risks: titles.meta({ title: 'Risks' }).describe('Titles of those wanted; all, where absent'),
    controls: titles.meta({ title: 'Controls' }).describe('Titles of those wanted; all, where absent'),
  }),
  output: z.object({ risks: z.int().describe('How many were added'), controls: z.int() }),
  run: async (context, input) => {
    const wanted = SETS.map((set) => wantedOf(set, input[set.name]))
    await takeTurn(context.tx)
    const added = { risks: 0, controls: 0 }
    for (const [index, set] of SETS.entries()) {
      const here = new Set((await addedOf(context.tx, set)).map(({ title }) => title))
      const missing = wanted[index]!.filter(({ title }) => !here.has(title as string))
      for (const values of missing)
        await createRecord(context, set.kind, { set: { ...values, labels: [LABEL] } })
      added[set.name] = missing.length
    }
    return added
  },
})

export const removeStarterSet = operation({
  name: 'removeStarterSet',
  method: 'POST',
  path: '/v1/starter-set/remove',
  needs: capability('settings.manage'),
  writes: true,
  title: 'Remove the risks and controls to begin with',
  description:
    'Those that nobody has changed or linked since they were added; the others stay, and are told.',
  input: z.strictObject({}),
  output: z.object({ removed: z.int(), kept: z.array(kept) }),
  annotations: { destructive: true, idempotent: true },
  run: async (context) => {
    await takeTurn(context.tx)
    const added = await Promise.all(SETS.map((set) => addedOf(context.tx, set)))
    const all = SETS.flatMap(({ kind }, index) => added[index]!.map((record) => ({ kind, ...record })))
    const untouched = all.filter(({ untouched }) => untouched)
    for (const { kind, id } of untouched) await deleteRecord(context, kind, id, { ifMatch: 1 })
    return {
      removed: untouched.length,
      kept: all.flatMap(({ kind, id, number, title, untouched }) =>
        untouched ? [] : [{ type: kind.name, id, reference: numbered(kind, number), title }],
      ),
    }
  },
})

/** One at a time in an organization: what another call has just added is here already. */
const takeTurn = (tx: Transaction) => tx.read(lockOrganization(tx.organizationId))

const lockOrganization = statement('select from organizations where id = $1 for no key update')

function wantedOf({ name, items }: StarterSet, wanted: readonly string[] | undefined): readonly Values[] {
  if (!wanted) return items
  const unknown = wanted.find((title) => !items.some((one) => one.title === title))
  if (unknown !== undefined)
    throw invalid({
      path: name,
      message: `has no “${beginningOf(unknown)}”: give titles as getStarterSet has them`,
    })
  return items.filter(({ title }) => wanted.includes(title as string))
}

interface Added {
  readonly id: string
  readonly number: number
  readonly title: string
  readonly untouched: boolean
}

/** The records that came from a set; who gave one another name or took its label away has made it their own. */
const addedOf = (tx: Transaction, { kind, items }: StarterSet): Promise<Added[]> =>
  tx.read<Added>(
    build(sql`select r.id, r.reference_number as number, ${sql.ref(`r.${nameColumn(kind)}`)} as title,
        r.version = 1 and not (${isLinked(kind)}) as untouched
      from ${sql.table(kind.table)} r
     where r.organization_id = ${tx.organizationId} and ${LABEL} = any(r.labels)
       and ${sql.ref(`r.${nameColumn(kind)}`)} = any(${items.map(({ title }) => title)})
     order by r.reference_number`),
  )

const isLinked = (kind: Kind): RawBuilder<unknown> =>
  sql.join(
    sidesOf(kind).map(
      (side) => sql`exists (select from ${sql.table(side.relation.table)} l
        where l.organization_id = r.organization_id and ${sql.ref(`l.${linkColumns(side).here}`)} = r.id)`,
    ),
    sql` or `,
  )
