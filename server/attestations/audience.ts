import { z } from 'zod'
import { ATTESTATION_DUE_DAYS } from '../../model/attestation.ts'
import { type EffectiveDate, effectiveOnceOut } from '../../model/effective-date.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { statement } from '../database/connect.ts'
import { joinBounce } from '../guests/guest-mails.ts'
import { operation, scope } from '../operation.ts'
import { ID } from '../records/schemas.ts'
import { assertThere } from '../records/stored-record.ts'
import { IS_FOR, isStranded } from './round.ts'

const version = kinds.policy_version as unknown as Kind

const audience = z
  .object({
    isAsked: z.boolean().describe('Whether anybody is asked to acknowledge the policy at all'),
    people: z.int().describe('Who are asked about this version, or go on being asked about it'),
    byLink: z.int().describe('Of these, who do not sign in and have a link of their own'),
    told: z
      .int()
      .describe(
        'Of all, who are told as it is published; the others were asked before, and keep day and link',
      ),
    toldByLink: z.int().describe('Of these, who are sent a link of their own'),
    leftAlone: z
      .int()
      .describe('Of those told, who are sent none: the last mail to their address came back within a week'),
    sendsMail: z.boolean().describe('Whether these links leave by mail; else they are to be handed over'),
    membersOutside: z
      .int()
      .describe('Active members who are not in the directory, where everybody is asked: they are not'),
    dueDate: z.string().describe('By when those who are told are asked to, if it is published today'),
    effectiveDate: z.string().describe('What the policy says as its effectiveDate once it is published'),
    today: z.string().describe('The day that it is in the organization: it comes into force at once'),
  })
  .meta({ id: 'PolicyVersionAudience', title: 'Audience of a policy version' })

/** What publishing leads to, before it is done: mails that have left are not called back. */
export const getPolicyVersionAudience = operation({
  name: 'getPolicyVersionAudience',
  method: 'GET',
  path: '/v1/policy-versions/{id}/audience',
  needs: scope('read:policies'),
  writes: false,
  isLarge: true,
  isAside: true,
  title: 'Count whom publishing a version asks',
  description:
    'How many people are asked to acknowledge it once it is published, and how many of them by a link of their own.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'polv' }) }),
  output: audience,
  run: async (context, { id }) => {
    const { tx, parts } = context
    await assertThere(context, version, id)
    const [row] = await tx.read<Counted>(count(tx.organizationId, id))
    const { lastPublishedOn, content, effectiveDate: said, toldByLink, leftAlone, ...counted } = row!
    const days = { effectiveDate: said, lastPublishedOn, today: counted.today }
    const effectiveDate = effectiveOnceOut(days, content)
    const sendsMail = parts.mail !== null
    // A link that somebody hands over does not come back.
    const byLink = sendsMail
      ? { toldByLink, leftAlone }
      : { toldByLink: toldByLink + leftAlone, leftAlone: 0 }
    return { ...counted, ...byLink, effectiveDate, sendsMail }
  },
})

type Counted = Omit<z.output<typeof audience>, 'sendsMail' | 'effectiveDate'> &
  EffectiveDate & { readonly content: string | null }

/** Who is asked about the same text by its earlier version and has a way there is told nothing anew. */
const IS_TOLD = `(o.id is null or ${isStranded('o', 'm', 'g', 'false')})`

/** Those of its audience who have not said yet that they read it, or one of the same major number. */
const count = statement(`
  select p.requires_attestation is true and p.status <> 'retired' as "isAsked",
         count(d.id)::int as people, count(d.id) filter (where m.user_id is null)::int as "byLink",
         count(d.id) filter (where ${IS_TOLD})::int as told,
         count(d.id) filter (where ${IS_TOLD} and m.user_id is null and l.failure is null)::int as "toldByLink",
         count(d.id) filter (where ${IS_TOLD} and m.user_id is null and l.failure is not null)::int as "leftAlone",
         (day.today + coalesce(p.attestation_due_days, ${ATTESTATION_DUE_DAYS}))::text as "dueDate", day.today::text as today,
         case when p.requires_attestation and p.audience = 'everyone'
              then (select count(*)::int from members u
                     where u.organization_id = $1 and u.status = 'active' and not exists (
                       select from personnel n
                        where n.organization_id = u.organization_id and n.user_id = u.user_id and n.status <> 'former'))
              else 0 end as "membersOutside",
         p.effective_date::text as "effectiveDate", v.content,
         (select max(e.published_at at time zone deadline_zone($1))::date::text from policy_versions e
           where e.organization_id = $1 and e.policy_id = p.id) as "lastPublishedOn"
    from policy_versions v
    cross join (select (clock_now() at time zone deadline_zone($1))::date as today) day
    join policies p on p.organization_id = v.organization_id and p.id = v.policy_id
    left join personnel d on d.organization_id = p.organization_id and p.requires_attestation and ${IS_FOR}
     and not exists (
       select from attestations a
        where a.organization_id = p.organization_id and a.policy_id = p.id and a.personnel_id = d.id
          and a.round = v.major and a.status in ('acknowledged', 'exempt'))
    left join members m on m.organization_id = d.organization_id and m.user_id = d.user_id and m.status = 'active'
    left join attestations o on o.organization_id = d.organization_id and o.policy_id = p.id
     and o.personnel_id = d.id and o.round = v.major and o.status in ('requested', 'viewed')
    left join guest_passes g on g.organization_id = o.organization_id and g.id = o.pass_id
    ${joinBounce('d')}
   where v.organization_id = $1 and v.id = $2
   group by p.organization_id, p.id, v.organization_id, v.id, day.today`)
