import { z } from 'zod'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { statement } from '../database/connect.ts'
import { operation, scope } from '../operation.ts'
import { mayRead } from '../records/readable.ts'
import { templateKey } from './from-template.ts'
import { policyTemplates } from './policy-templates.ts'

/** A template as it would become a draft, to be read before it does. */
export const getPolicyTemplate = operation({
  name: 'getPolicyTemplate',
  method: 'GET',
  path: '/v1/policy-templates/{templateKey}',
  needs: scope('read:policies'),
  writes: false,
  isAside: true,
  title: 'Read a policy template',
  description: 'Its text with its placeholders, and the requirements that it answers.',
  input: z.strictObject({ templateKey }),
  output: z
    .object({
      key: z.string(),
      title: z.string(),
      content: z.string().describe('In Markdown, with placeholders'),
      answers: z.array(
        z.object({
          framework: z.string().describe('What the framework is called'),
          edition: z.string(),
          requirements: z.array(
            z.object({
              key: z.string(),
              title: z
                .string()
                .nullable()
                .describe('As it is called here; null where it is not here, or not to be read'),
            }),
          ),
        }),
      ),
    })
    .meta({ id: 'PolicyTemplateText', title: 'Text of a policy template' }),
  example: { templateKey: 'access-control' },
  run: async ({ tx, caller }, { templateKey }) => {
    const { key, title, content, answers } = policyTemplates.find((one) => one.key === templateKey)!
    const asked = answers.map(({ frameworkKey }) => frameworkKey)
    const found = mayRead(caller, kinds.requirement as unknown as Kind)
      ? await tx.read<Titled>(findTitles(tx.organizationId, asked))
      : []
    const titleOf = (one: Omit<Titled, 'title'>) =>
      found.find(
        ({ frameworkKey, edition, key }) =>
          frameworkKey === one.frameworkKey && edition === one.edition && key === one.key,
      )?.title ?? null
    return {
      ...{ key, title, content },
      answers: answers.map(({ framework, frameworkKey, edition, requirementKeys }) => ({
        ...{ framework, edition },
        requirements: requirementKeys.map((key) => ({ key, title: titleOf({ frameworkKey, edition, key }) })),
      })),
    }
  },
})

interface Titled {
  readonly frameworkKey: string
  readonly edition: string
  readonly key: string
  readonly title: string
}

const findTitles = statement(`
  select f.key as "frameworkKey", f.edition, r.key, r.title
    from frameworks f
    join requirements r on r.organization_id = f.organization_id and r.framework_id = f.id and r.archived_at is null
   where f.organization_id = $1 and f.key = any($2::text[]) and f.archived_at is null`)
