import { z } from 'zod'
import { statement } from '../database/connect.ts'
import { operation, scope, type TransactionContext } from '../operation.ts'
import { linkRecords } from '../records/link-records.ts'
import { ID } from '../records/schemas.ts'
import { getRecord } from '../records/stored-record.ts'
import { policy } from './policy-acts.ts'
import { type PolicyTemplate, policyTemplates } from './policy-templates.ts'

/*
 * The requirements that the template of a policy answers, of which a policy is linked with those of the frameworks that are
 * active as it is made. Of one that is brought in or activated later they are told, and linked where somebody says so: a
 * link counts as proof, so none is made unseen, and none that somebody has ended is told again.
 */

const answered = z
  .object({
    frameworkKey: z.string(),
    edition: z.string(),
    isActive: z.boolean().describe('Whether the framework is active here'),
    count: z.int().describe('How many of its requirements the template answers'),
    unlinked: z
      .int()
      .describe('How many of them are here and were never linked with the policy; 0 while it is not active'),
  })
  .meta({ id: 'AnsweredFramework', title: 'What a template answers of a framework' })

const answeredList = z.object({ data: z.array(answered) }).meta({ id: 'AnsweredFrameworkList' })

export const getTemplateRequirements = operation({
  name: 'getTemplateRequirements',
  method: 'GET',
  path: '/v1/policies/{id}/template-requirements',
  needs: scope('read:policies'),
  writes: false,
  isAside: true,
  title: 'Read what the template of a policy answers',
  description:
    'By framework, how many requirements it answers and how many of these are yet to be linked. Nothing of a policy that was made from none.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'pol' }) }),
  output: answeredList,
  run: async (context, { id }) => ({ data: await answersOf(context, id) }),
})

export const linkTemplateRequirements = operation({
  name: 'linkTemplateRequirements',
  method: 'POST',
  path: '/v1/policies/{id}/template-requirements',
  needs: scope('write:policies'),
  writes: true,
  isAside: true,
  title: 'Link a policy with what its template answers',
  description:
    'With the requirements that its template answers, of the frameworks that are active, and that were never linked with it.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'pol' }) }),
  output: answeredList,
  refusals: ['link_limit_reached'],
  example: { id: 'pol_01k9f8qxk2e9mbz6w0h5t4v3ra' },
  run: async (context, { id }) => {
    const unlinked = await unlinkedOf(context, id, await templateOf(context, id))
    const ids = unlinked.map((one) => one.id).toSorted()
    for (const targetId of ids)
      await linkRecords(context, policy, { id, targetKind: 'requirement', targetId })
    return { data: await answersOf(context, id) }
  },
})

async function answersOf(context: TransactionContext, id: string): Promise<z.input<typeof answered>[]> {
  const { tx } = context
  const template = await templateOf(context, id)
  const [unlinked, active] = await Promise.all([
    unlinkedOf(context, id, template),
    tx.read<Edition>(findActive(tx.organizationId)),
  ])
  return (template?.answers ?? []).map(({ frameworkKey, edition, requirementKeys }) => {
    const isOf = (one: Edition) => one.key === frameworkKey && one.edition === edition
    return {
      ...{ frameworkKey, edition, count: requirementKeys.length },
      isActive: active.some(isOf),
      unlinked: unlinked.filter(isOf).length,
    }
  })
}

/** @throws {Refusal} `not_found` */
async function templateOf(context: TransactionContext, id: string): Promise<PolicyTemplate | undefined> {
  const { templateKey } = await getRecord(context, policy, id)
  return policyTemplates.find(({ key }) => key === templateKey)
}

/** A framework. */
interface Edition {
  readonly key: string
  readonly edition: string
}

async function unlinkedOf(
  { tx }: TransactionContext,
  id: string,
  template: PolicyTemplate | undefined,
): Promise<readonly (Edition & { readonly id: string })[]> {
  return template ? tx.read(findUnlinked(tx.organizationId, askedOf(template), id)) : []
}

/** The requirements that a template answers, as statements ask for them. */
export const askedOf = ({ answers }: PolicyTemplate): string =>
  JSON.stringify(
    answers.map(({ frameworkKey, edition, requirementKeys }) => ({
      key: frameworkKey,
      edition,
      keys: requirementKeys,
    })),
  )

export const findActive = statement(
  "select key, edition from frameworks where organization_id = $1 and status = 'active' and archived_at is null",
)

/** Those of $2, in frameworks that are active here. */
export const OF_TEMPLATE = `
    from jsonb_to_recordset($2::jsonb) as asked (key text, edition text, keys jsonb)
    join frameworks f on f.organization_id = $1 and f.key = asked.key and f.edition = asked.edition
                     and f.status = 'active' and f.archived_at is null
    join requirements r on r.organization_id = $1 and r.framework_id = f.id and r.archived_at is null
                       and asked.keys ? r.key`

const findUnlinked = statement(`
  select r.id, f.key, f.edition ${OF_TEMPLATE}
   where not exists (select from policy_requirements l
                      where l.organization_id = $1 and l.policy_id = $3 and l.requirement_id = r.id)
     and not exists (select from audit_entries a
                      where a.organization_id = $1 and a.subject_id = $3 and a.action = 'policy.unlink'
                        and a.changes -> 'requirement' -> 'from' ->> 'id' = r.id)`)
