import { z } from 'zod'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { deadlineOf, ownerOf } from '../../model/roles.ts'
import { operation, person } from '../operation.ts'
import { flagsOf } from './attention.ts'
import { readableKinds } from './readable.ts'
import { summarize } from './summary.ts'

const count = z.int()

export const summarizeRegisters = operation({
  name: 'summarizeRegisters',
  method: 'GET',
  path: '/v1/register-summaries',
  needs: person(),
  writes: false,
  isLarge: true,
  title: 'Summarize all registers',
  description:
    'Of each kind that you may read: how many records there are, how many are due, have nobody, and ask somebody to see to them. The list of each takes the same filters.',
  input: z.strictObject({}),
  output: z.object({
    data: z.array(
      z
        .object({
          type: z.enum(everyKind.map(({ name }) => name) as [string, ...string[]]).describe('The kind'),
          total: count,
          due: z.object({ overdue: count, soon: count }).optional().describe('Of what is not done'),
          ownerless: count.optional().describe('What is not done and nobody owns'),
          attention: z.record(z.string(), count).optional().describe('By each flag that asks for it'),
        })
        .meta({ id: 'RegisterSummary', title: 'A register in a few numbers' }),
    ),
  }),
  run: async (context) => ({
    data: await Promise.all(
      readableKinds(context.caller).map(async (kind) => {
        const { counts: _counts, ...told } = await summarize(context, kind, { counted: countedOf(kind) })
        return { type: kind.name, ...(told as { total: number }) }
      }),
    ),
  }),
})

/** Whom each record has to name, decides on it, and owns nothing. */
const mayBeOwnerless = (kind: Kind): boolean => {
  const owner = ownerOf(kind)
  return owner !== undefined && !kind.required.includes(owner)
}

const countedOf = (kind: Kind): string[] => [
  'total',
  ...(deadlineOf(kind) ? ['due'] : []),
  ...(mayBeOwnerless(kind) ? ['ownerless'] : []),
  ...(flagsOf(kind).length > 0 ? ['attention'] : []),
]
