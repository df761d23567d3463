import { z } from 'zod'
import { type Caller, isCapable } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { operation, person } from '../operation.ts'

/*
 * What somebody new here may want to do first. Nothing of it is kept: whether a step is done follows from what is
 * there, whoever did it and by whichever door.
 */

const STEPS = ['risk', 'people', 'second_factor', 'api_key', 'webhook', 'mail'] as const

export const getFirstSteps = operation({
  name: 'getFirstSteps',
  method: 'GET',
  path: '/v1/first-steps',
  needs: person(),
  writes: false,
  title: 'Read the first steps in an organization',
  description: 'Those that the person may take, and whether they are done.',
  input: z.strictObject({}),
  output: z.object({
    organizationCreatedAt: z.string(),
    steps: z.array(
      z.object({
        step: z
          .enum(STEPS)
          .describe(
            'risk, api_key, webhook: a first one. people: somebody else is a member or invited. second_factor: of the person. mail: the service sends any.',
          ),
        done: z.boolean(),
      }),
    ),
  }),
  run: async ({ tx, caller, parts }) => {
    const [facts] = await tx.read<Facts>(read(tx.organizationId, caller.accountId))
    const { organizationCreatedAt, ...done } = facts!
    const known: Record<Step, boolean> = { ...done, mail: parts.mail !== null }
    return {
      organizationCreatedAt,
      steps: STEPS.filter((step) => mayTake(caller, step)).map((step) => ({ step, done: known[step] })),
    }
  },
})

type Step = (typeof STEPS)[number]

interface Facts extends Record<Exclude<Step, 'mail'>, boolean> {
  organizationCreatedAt: string
}

function mayTake(caller: Caller, step: Step): boolean {
  // Whom a provider vouches for has their second factor there.
  if (step === 'second_factor') return !(caller.credential.type === 'session' && caller.credential.providerId)
  return step === 'risk' ? caller.role !== 'viewer' : isCapable(caller, 'settings.manage')
}

const read = statement(`
  select o.created_at as "organizationCreatedAt",
         exists (select from users u where u.id = $2 and u.has_second_factor) as second_factor,
         exists (select from risks r where r.organization_id = o.id) as risk,
         (select count(*) > 1 from members m where m.organization_id = o.id and m.status <> 'removed') as people,
         exists (select from api_keys k where k.organization_id = o.id and k.revoked_at is null) as api_key,
         exists (select from webhook_endpoints e where e.organization_id = o.id) as webhook
    from organizations o where o.id = $1`)
