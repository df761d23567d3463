import { z } from 'zod'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { statement } from '../database/connect.ts'
import { operation, scope } from '../operation.ts'
import { ID } from '../records/schemas.ts'
import { assertThere } from '../records/stored-record.ts'
import { IS_FOR } from './round.ts'

const version = kinds.policy_version as unknown as Kind

const audience = z
  .object({
    isAsked: z.boolean().describe('Whether anybody is asked to acknowledge the policy at all'),
    people: z.int().describe('Who are asked about this version, or go on being asked about it'),
    byLink: z.int().describe('Of these, who do not sign in and have a link of their own'),
    sendsMail: z.boolean().describe('Whether these links leave by mail; else they are to be handed over'),
    dueDate: z.string().describe('By when they are asked to, if it is published today'),
  })
  .meta({ id: 'PolicyVersionAudience', title: 'Audience of a policy version' })

/** What publishing leads to, before it is done: mails that have left are not called back. */
export const getPolicyVersionAudience = operation({
  name: 'getPolicyVersionAudience',
  method: 'GET',
  path: '/v1/policy-versions/{id}/audience',
  needs: scope('read:policies'),
  writes: false,
  isAside: true,
  title: 'Count whom publishing a version asks',
  description:
    'How many people are asked to acknowledge it once it is published, and how many of them by a link of their own.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'polv' }) }),
  output: audience,
  run: async (context, { id }) => {
    const { tx, parts } = context
    await assertThere(context, version, id)
    const [row] = await tx.read<Omit<z.output<typeof audience>, 'sendsMail'>>(count(tx.organizationId, id))
    return { ...row!, sendsMail: parts.mail !== null }
  },
})

/** Those of its audience who have not said yet that they read it, or one of the same major number. */
const count = statement(`
  select p.requires_attestation is true and p.status <> 'retired' as "isAsked",
         count(d.id)::int as people, count(d.id) filter (where m.user_id is null)::int as "byLink",
         ((clock_now() at time zone deadline_zone($1))::date + coalesce(p.attestation_due_days, 14))::text as "dueDate"
    from policy_versions v
    join policies p on p.organization_id = v.organization_id and p.id = v.policy_id
    left join personnel d on d.organization_id = p.organization_id and p.requires_attestation and ${IS_FOR}
     and not exists (
       select from attestations a
        where a.organization_id = p.organization_id and a.policy_id = p.id and a.personnel_id = d.id
          and a.round = v.major and a.status in ('acknowledged', 'exempt'))
    left join members m on m.organization_id = d.organization_id and m.user_id = d.user_id and m.status = 'active'
   where v.organization_id = $1 and v.id = $2
   group by p.requires_attestation, p.status, p.attestation_due_days`)
