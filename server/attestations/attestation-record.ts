import { z } from 'zod'
import { ATTESTATION_STATES, ENDED_BECAUSE } from '../../model/attestation.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { Caller } from '../caller/caller.ts'
import { mailFailed, PASS_STATE, passState } from '../guests/guest-pass.ts'
import { timestamp } from '../output.ts'
import { mayRead } from '../records/readable.ts'

const personnel = kinds.personnel as unknown as Kind

/** What somebody was asked about a policy, and said, as those see it who see to that. */
export const attestation = z
  .object({
    id: z.string(),
    policyId: z.string(),
    versionId: z.string(),
    version: z.string().describe('Its number, such as 2.1'),
    person: z
      .object({
        id: z.string(),
        name: z.string(),
        email: z.string(),
        department: z.string().nullable(),
      })
      .nullable()
      .describe(
        'Once acknowledged, with the name and the address of then; takes the right to read personnel',
      ),
    acknowledgedBy: z
      .object({
        type: z.string(),
        id: z.string(),
        displayName: z.string(),
        proof: z
          .enum(['mailbox', 'link'])
          .optional()
          .describe(
            'Of a guest: whether a code from the mailbox was given, or the link alone, as where no mail is sent',
          ),
      })
      .nullable()
      .describe('As whom they acted: a user, or a guest by a link'),
    signsIn: z.boolean().describe('Else they are written to with a link of their own'),
    status: z.enum(ATTESTATION_STATES),
    isOverdue: z.boolean(),
    requestedAt: timestamp,
    dueDate: z.string(),
    viewedAt: timestamp.nullable(),
    acknowledgedAt: timestamp.nullable(),
    reachedEnd: z.boolean().nullable().describe('Whether the end of the text was in sight'),
    ip: z.string().nullable().describe('As the person: takes the right to read personnel'),
    userAgent: z.string().nullable(),
    consentText: z.string().nullable().describe('The words that were agreed to'),
    contentSha256: z.string().nullable().describe('Of the text that was shown'),
    exemptReason: z.string().nullable(),
    endedBecause: z
      .enum(ENDED_BECAUSE)
      .nullable()
      .describe(
        'Why a request ended: they left, or are in its audience no more; a material change replaced the text; the policy asks nobody any more, or was retired',
      ),
    link: passState
      .nullable()
      .describe('How the link of somebody stands who does not sign in, while something is open'),
    reminders: z.int().describe('How often they were told of it'),
    lastToldAt: timestamp.nullable().describe('When they were told of it last'),
    mailFailure: z
      .string()
      .nullable()
      .describe('Why the last mail to them came back, while something is open'),
    mailFailedAt: timestamp.nullable(),
  })
  .meta({ id: 'Attestation', title: 'Attestation' })

export type Attestation = z.output<typeof attestation>

/** As it is read, with its person. */
export type AskedPerson = Attestation & { readonly person: NonNullable<Attestation['person']> }

/** What of it a caller may see: whom it is about stands in the directory, which takes the right to read that. */
export const seenBy = (caller: Caller, one: Attestation): Attestation =>
  mayRead(caller, personnel) ? one : { ...one, person: null, acknowledgedBy: null, ip: null, userAgent: null }

export const IS_OVERDUE = `(a.status in ('requested', 'viewed')
  and a.due_date < (clock_now() at time zone deadline_zone(a.organization_id))::date)`

/** SQL of something of the pass `p` of the request `a` of a person `d`, while that is open. */
const ofPass = (what: string): string => `(select ${what} from guest_passes p
    where p.organization_id = a.organization_id and p.id = a.pass_id and a.status in ('requested', 'viewed'))`

/** Why the last mail about the request `a` came back. */
export const MAIL_FAILURE = ofPass(mailFailed('p.mail_failure'))

export const COLUMNS = `a.id, a.policy_id as "policyId", a.version_id as "versionId", v.label as version,
  json_build_object('id', d.id, 'name', coalesce(a.reader_name, d.full_name),
    'email', coalesce(a.reader_email, d.work_email), 'department', d.department) as person,
  a.acknowledged_by as "acknowledgedBy", a.pass_id is null as "signsIn", a.status, ${IS_OVERDUE} as "isOverdue",
  a.requested_at as "requestedAt", a.due_date::text as "dueDate", a.viewed_at as "viewedAt", a.acknowledged_at as "acknowledgedAt",
  a.reached_end as "reachedEnd", a.ip, a.user_agent as "userAgent", a.consent_text as "consentText",
  a.content_sha256 as "contentSha256", a.exempt_reason as "exemptReason", a.ended_because as "endedBecause", a.reminders,
  a.last_told_at as "lastToldAt",
  ${ofPass(PASS_STATE)} as link, ${MAIL_FAILURE} as "mailFailure", ${ofPass(mailFailed('p.mail_failed_at'))} as "mailFailedAt"`

/** Of whom it is, all by which they are looked for. */
export const SEARCHED = `concat_ws(' ', coalesce(a.reader_name, d.full_name), coalesce(a.reader_email, d.work_email), d.department)`

export const FROM = `attestations a
  join personnel d on d.organization_id = a.organization_id and d.id = a.personnel_id
  join policy_versions v on v.organization_id = a.organization_id and v.id = a.version_id`
