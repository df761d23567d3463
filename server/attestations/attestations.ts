import { sql } from 'kysely'
import { z } from 'zod'
import { needsToRead } from '../../model/access.ts'
import { ATTESTATION_STATES } from '../../model/attestation.ts'
import { idOf, text } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { actorOf } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import { likePattern } from '../database/like-pattern.ts'
import { audit } from '../journal/audit.ts'
import { answerAbout } from '../journal/tell.ts'
import { operation, person, scope } from '../operation.ts'
import {
  behind,
  CURSOR_VALUES,
  type Order,
  orderBy,
  PAGE,
  page,
  pageOf,
  readCursor,
} from '../records/paging.ts'
import { mayRead } from '../records/readable.ts'
import { assertThere } from '../records/stored-record.ts'
import { notFound, Refusal } from '../refusal.ts'
import {
  type AskedPerson,
  type Attestation,
  attestation,
  COLUMNS,
  FROM,
  IS_OVERDUE,
  MAIL_FAILURE,
  SEARCHED,
  seenBy,
} from './attestation-record.ts'
import { STANDING, settleRound, TOLD } from './round.ts'

/* Who read what, for those who see to a policy: the round as a list, who need not read it, who is reminded. */

const OF_POLICY = '/v1/policies/{policyId}/attestations'
const policyId = idOf('pol').meta({ title: 'Policy', refersTo: 'pol' }).describe('The id of a policy')
const policy = kinds.policy as unknown as Kind

/** What is to be done first, then what was done of the version in force, then of others, and what ended last. */
const orderOf = (organizationId: string, policyId: string): Order => ({
  sort: 'standing',
  column: sql`case when ${sql.raw(IS_OVERDUE)} then '0' when a.status in ('requested', 'viewed') then '1'
    when a.status = 'cancelled' then '4' when a.round = (
      select f.major from policies i
        join policy_versions f on f.organization_id = i.organization_id and f.id = i.current_version_id
       where i.organization_id = ${organizationId} and i.id = ${policyId}) then '2' else '3' end || a.due_date::text`,
  id: sql.ref('a.id'),
  descending: false,
})

/** The round of a version, which is that of its corrections as well. */
const roundOf = (organizationId: string, policyId: string, versionId: string) => sql`
  select r.major from policy_versions r
   where r.organization_id = ${organizationId} and r.policy_id = ${policyId} and r.id = ${versionId}`

const counts = z.object(
  Object.fromEntries([...ATTESTATION_STATES, 'overdue'].map((state) => [state, z.int()])) as Record<
    (typeof ATTESTATION_STATES)[number] | 'overdue',
    z.ZodInt
  >,
)

export const listAttestations = operation({
  name: 'listAttestations',
  method: 'GET',
  path: OF_POLICY,
  needs: scope('read:policies'),
  writes: false,
  isAside: true,
  title: 'List who read a policy',
  description:
    'Everybody who was asked: who is late, then what is open, then who has said it or need not, and last the requests that ended; with counts of the version that is asked for, or else of that in force.',
  input: z.strictObject({
    policyId,
    ...PAGE,
    versionId: idOf('polv')
      .optional()
      .meta({ title: 'Version', refersTo: 'polv' })
      .describe('Of this version, and of those of the same whole number'),
    status: z
      .array(z.enum(ATTESTATION_STATES))
      .min(1)
      .max(5)
      .optional()
      .meta({ title: 'Status' })
      .describe('How far they are'),
    overdue: z.boolean().optional().meta({ title: 'Overdue' }).describe('Whether they are late'),
    q: text('Search')
      .optional()
      .describe('In name, e-mail and department; takes the right to read personnel'),
  }),
  output: pageOf(attestation).extend({ counts }).meta({ id: 'AttestationPage' }),
  needsFor: ({ q }) => (q === undefined ? [] : [needsToRead(kinds.personnel)]),
  run: async (context, { policyId, versionId, limit, cursor, status, overdue, q }) => {
    const { tx } = context
    await assertThere(context, policy, policyId)
    const order = orderOf(tx.organizationId, policyId)
    const place = readCursor(cursor, order.sort, CURSOR_VALUES.text)
    const [rows, [counted]] = await Promise.all([
      tx.read<Attestation & { standing: string }>(
        build(sql`
          select ${sql.raw(COLUMNS)}, ${order.column} as standing from ${sql.raw(FROM)}
           where a.organization_id = ${tx.organizationId} and a.policy_id = ${policyId}
             ${versionId === undefined ? sql`` : sql`and a.round = (${roundOf(tx.organizationId, policyId, versionId)})`}
             ${status ? sql`and a.status = any(${status})` : sql``}
             ${q === undefined ? sql`` : sql`and ${sql.raw(SEARCHED)} ilike ${likePattern(q)}`}
             ${overdue === undefined ? sql`` : sql`and ${sql.raw(IS_OVERDUE)} = ${overdue}`}
             ${place ? sql`and ${behind(order, place)}` : sql``} ${orderBy(order)} limit ${limit + 1}`),
      ),
      tx.read<z.output<typeof counts>>(count(tx.organizationId, policyId, versionId ?? null)),
    ])
    const shown = page(
      rows,
      limit,
      order.sort,
      ({ standing: _, ...row }) => seenBy(context.caller, row),
      ({ standing, id }) => ({ value: standing, id }),
    )
    return { ...shown, counts: counted! }
  },
})

export const exemptAttestation = operation({
  name: 'exemptAttestation',
  method: 'POST',
  path: '/v1/attestations/{id}/exempt',
  needs: person('write:policies'),
  writes: true,
  title: 'Exempt somebody from acknowledging a policy',
  description:
    'Nothing is asked of them about this version any more, nor about the next ones that change nothing material. Nobody exempts themselves.',
  input: z.strictObject({
    id: idOf('pat').meta({ title: 'Attestation', refersTo: 'pat' }),
    reason: text('Reason', 2_000).describe('Why they need not'),
  }),
  output: attestation,
  refusals: ['conflict', 'other_person_required'],
  run: async ({ tx, caller }, { id, reason }) => {
    const [found] = await tx.read<AskedPerson & { standing: AskedPerson['status'] }>(
      lockOne(tx.organizationId, id),
    )
    if (!found) throw notFound()
    const { standing, ...before } = found
    if (standing !== 'requested' && standing !== 'viewed')
      throw new Refusal('conflict', `Nothing is open here any more: it is ${standing}.`)
    const [row] = await tx.read<{ passId: string | null; userId: string | null; about: string }>(
      exempt(tx.organizationId, id, reason, JSON.stringify(actorOf(caller))),
    )
    if (row!.userId === caller.userId)
      throw new Refusal('other_person_required', 'You are who is asked: let somebody else exempt you.')
    tx.write(revokePass(tx.organizationId, row!.passId))
    answerAbout(tx, 'asked_to_acknowledge', [row!])
    const { policyId, version, person } = before
    const [record] = await tx.read<{ reference: string; title: string }>(called(tx.organizationId, policyId))
    audit(tx, caller, {
      time: await tx.now,
      action: 'attestation.exempt',
      subject: { type: 'policy', id: policyId, ...record! },
      changes: {
        version: { from: null, to: version },
        personId: { from: null, to: person.id },
        person: { from: null, to: person.name },
        email: { from: null, to: person.email },
      },
      reason,
    })
    return seenBy(caller, { ...before, status: 'exempt', isOverdue: false, exemptReason: reason })
  },
})

export const remindAttestations = operation({
  name: 'remindAttestations',
  method: 'POST',
  path: `${OF_POLICY}/remind`,
  needs: person('write:policies'),
  writes: true,
  title: 'Remind who has not acknowledged a policy',
  description:
    'Everybody of whom something is open, or one of them, at once: in the app, or by a mail with a link where they do not sign in. Nobody is reminded twice within an hour. Where the service sends no mail, links are to be handed over. Whose last mail came back is tried once more, and named.',
  input: z.strictObject({
    policyId,
    attestationId: idOf('pat')
      .optional()
      .meta({ title: 'Attestation', refersTo: 'pat' })
      .describe('Who is reminded alone; left out: all'),
  }),
  output: z
    .object({
      reminded: z.int().describe('To how many a notice or a mail goes out now'),
      skipped: z.int().describe('Of how many others it is open who were told of it within the last hour'),
      returned: z
        .array(
          z.object({
            attestationId: z.string(),
            name: z.string().nullable().describe('Takes the right to read personnel'),
            failure: z.string().describe('What the mail server said'),
          }),
        )
        .describe('Those of them whose last mail came back: another is tried, and may come back as well'),
      toHandOver: z.int().describe('Of how many others the link is to be handed over, as no mail is sent'),
    })
    .meta({ id: 'RemindedAttestations' }),
  refusals: ['conflict'],
  run: async (context, { policyId, attestationId = null }) => {
    const { tx, caller, parts } = context
    await assertThere(context, policy, policyId)
    const settled = await settleRound(context, policyId, { replacesRevoked: attestationId ?? 'all' })
    const open = await tx.read<Open>(findOpen(tx.organizationId, policyId, attestationId))
    if (attestationId !== null && open.length === 0)
      throw new Refusal('conflict', 'Nothing is open here any more, so nobody is reminded.')
    const led = open.filter(({ id }) => settled.led.includes(id)).length
    const told = await tx.read<Reminded>(
      remind(tx.organizationId, policyId, parts.mail !== null, attestationId),
    )
    const reminded = (parts.mail ? led : 0) + told.filter(({ isByLink }) => parts.mail || !isByLink).length
    const toHandOver = parts.mail ? 0 : told.filter(({ isByLink }) => isByLink).length
    const skipped = open.length - led - told.length
    const [record] = await tx.read<{ reference: string; title: string }>(called(tx.organizationId, policyId))
    if (reminded > 0)
      audit(tx, caller, {
        time: await tx.now,
        action: 'attestation.remind',
        subject: { type: 'policy', id: policyId, ...record! },
        changes: {
          reminded: { from: null, to: reminded },
          ...(attestationId !== null && {
            personId: { from: null, to: open[0]!.personId },
            person: { from: null, to: open[0]!.name },
          }),
        },
      })
    const mayName = mayRead(caller, kinds.personnel as unknown as Kind)
    const returned = told.flatMap(({ attestationId, name, failure }) =>
      parts.mail && failure !== null ? [{ attestationId, name: mayName ? name : null, failure }] : [],
    )
    return { reminded, skipped, returned, toHandOver }
  },
})

interface Open {
  readonly id: string
  readonly personId: string
  readonly name: string
}

interface Reminded {
  readonly attestationId: string
  readonly isByLink: boolean
  readonly name: string
  readonly failure: string | null
}

/** Parameters: organization, policy, version or null. */
const count = statement(`
  select ${ATTESTATION_STATES.map((state) => `count(*) filter (where a.status = '${state}')::int as "${state}"`).join(', ')},
         count(*) filter (where ${IS_OVERDUE})::int as overdue
    from attestations a
    join policies p on p.organization_id = a.organization_id and p.id = a.policy_id
    join policy_versions v on v.organization_id = a.organization_id and v.id = coalesce($3, p.current_version_id)
   where a.organization_id = $1 and a.policy_id = $2 and a.round = v.major`)

const lockOne = statement(
  `select ${COLUMNS}, ${STANDING} as standing from ${FROM}
     join policies p on p.organization_id = a.organization_id and p.id = a.policy_id
    where a.organization_id = $1 and a.id = $2 for no key update of a`,
)

const exempt = statement(`
  update attestations a
     set status = 'exempt', exempt_reason = $3, exempted_by = $4::jsonb, told_at = null, updated_at = clock_now()
   where organization_id = $1 and id = $2
  returning a.pass_id as "passId", ${TOLD}`)

const revokePass = statement(
  `update guest_passes set revoked_at = clock_now(), revoked_because = 'nothing_asked'
    where organization_id = $1 and id = $2 and revoked_at is null`,
)

/** Parameters of this and of the next: organization, policy, … the one request that it is about, or null. */
const findOpen = statement(`
  select a.id, d.id as "personId", d.full_name as name
    from attestations a join personnel d on d.organization_id = a.organization_id and d.id = a.personnel_id
   where a.organization_id = $1 and a.policy_id = $2 and a.status in ('requested', 'viewed')
     and ($3::text is null or a.id = $3)`)

/** Parameters: organization, policy, whether mail is sent, request. */
const remind = statement(`
  update attestations a set told_at = case when a.pass_id is null or $3::boolean then clock_now() end, faults = 0
    from personnel d
   where a.organization_id = $1 and a.policy_id = $2 and a.status in ('requested', 'viewed')
     and d.organization_id = $1 and d.id = a.personnel_id
     and coalesce(a.told_at not between clock_now() - interval '1 hour' and clock_now(), true)
     and coalesce(a.last_told_at <= clock_now() - interval '1 hour', true)
     and ($4::text is null or a.id = $4)
  returning a.id as "attestationId", a.pass_id is not null as "isByLink", d.full_name as name,
    ${MAIL_FAILURE} as failure`)

const called = statement(
  'select reference, called as title from known_records where organization_id = $1 and id = $2',
)
