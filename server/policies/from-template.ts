import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { kinds } from '../../model/kinds/index.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { operation, scope } from '../operation.ts'
import { createRecord } from '../records/create-record.ts'
import { recordSchema } from '../records/schemas.ts'
import { getRecord } from '../records/stored-record.ts'
import { beginVersion } from './draft-policy-version.ts'
import { policy } from './policy-acts.ts'
import { type PolicyTemplate, policyTemplates } from './policy-templates.ts'
import { askedOf, findActive, OF_TEMPLATE } from './template-requirements.ts'

const { name, owner, approver, reviewFrequency, classification } = kinds.policy.fields

export const templateKey = z
  .enum(policyTemplates.map(({ key }) => key) as [string, ...string[]])
  .meta({ title: 'Template' })
  .describe('As listPolicyTemplates gives it')

const templateShown = z
  .object({
    key: z.string(),
    title: z.string(),
    documentType: z.string(),
    about: z.string(),
    answers: z
      .array(
        z.object({
          frameworkKey: z.string(),
          edition: z.string(),
          requirementKeys: z.array(z.string()),
          isActive: z
            .boolean()
            .describe('Whether the framework is active here, so that the policy is linked with them'),
        }),
      )
      .describe('The requirements that it answers'),
    policyId: z.string().nullable().describe('The policy that was made from it last and is not retired'),
  })
  .meta({ id: 'PolicyTemplate', title: 'Policy template' })

export const listPolicyTemplates = operation({
  name: 'listPolicyTemplates',
  method: 'GET',
  path: '/v1/policy-templates',
  needs: scope('read:policies'),
  writes: false,
  isAside: true,
  title: 'List the policy templates',
  description: 'Texts to begin with, with the requirements that each answers.',
  input: z.strictObject({}),
  output: z.object({ data: z.array(templateShown) }).meta({ id: 'PolicyTemplateList' }),
  run: async ({ tx }) => {
    const [active, made] = await Promise.all([
      tx.read<{ key: string; edition: string }>(findActive(tx.organizationId)),
      tx.read<{ templateKey: string; id: string }>(findMade(tx.organizationId)),
    ])
    return {
      data: policyTemplates.map(({ answers, content: _, ...template }) => ({
        ...template,
        answers: answers.map(({ framework: _, requirementKeys, ...one }) => ({
          ...one,
          requirementKeys: [...requirementKeys],
          isActive: active.some(({ key, edition }) => key === one.frameworkKey && edition === one.edition),
        })),
        policyId: made.find(({ templateKey }) => templateKey === template.key)?.id ?? null,
      })),
    }
  },
})

export const createPolicyFromTemplate = operation({
  name: 'createPolicyFromTemplate',
  method: 'POST',
  path: '/v1/policies/from-template',
  needs: scope('write:policies'),
  writes: true,
  isAside: true,
  title: 'Add a policy from a template',
  description:
    'A policy with a draft of its text, linked with the requirements that it answers of the frameworks that are active.',
  input: z.strictObject({
    templateKey,
    name: name.optional().describe('What it is called; as the template, where left out'),
    owner: owner.optional(),
    approver: approver.optional(),
    reviewFrequency: reviewFrequency.optional(),
    classification: classification.optional(),
  }),
  output: recordSchema(policy),
  location: (record) => `/v1/policies/${(record as Values).id}`,
  refusals: ['principal_not_found', 'principal_inactive'],
  example: { templateKey: 'access-control' },
  run: async (context, { templateKey, ...given }) => {
    const template = policyTemplates.find(({ key }) => key === templateKey)!
    const { title, documentType, about, content } = template
    const { id } = await createRecord(context, policy, {
      given: {
        name: title,
        documentType,
        description: about,
        ...given,
        requirementIds: await requirementsOf(context.tx, template),
      },
      set: { origin: 'generated', templateKey },
    })
    await beginVersion(context, { policyId: id, content, changelog: `Made from the template “${title}”` })
    return (await getRecord(context, policy, id as string)) as never
  },
})

/** The requirements here that a template answers, of frameworks that are active. */
async function requirementsOf(tx: Transaction, template: PolicyTemplate): Promise<string[]> {
  const rows = await tx.read<{ id: string }>(findRequirements(tx.organizationId, askedOf(template)))
  return rows.map(({ id }) => id)
}

const findMade = statement(`
  select distinct on (template_key) template_key as "templateKey", id from policies
   where organization_id = $1 and template_key is not null and status <> 'retired' and archived_at is null
   order by template_key, created_at desc`)
/** As many as a creation takes. */
const findRequirements = statement(`select r.id ${OF_TEMPLATE} order by r.id limit 50`)
