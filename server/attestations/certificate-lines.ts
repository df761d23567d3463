import type { ENDED_BECAUSE } from '../../model/attestation.ts'
import { statement } from '../database/connect.ts'
import { NATURALLY } from '../database/natural-order.ts'
import { type AskedPerson, COLUMNS, FROM, IS_OVERDUE } from './attestation-record.ts'
import { actorText, hashOfSaid, type Said } from './said.ts'

/* The lines of a certificate, whatever form it has. */

export type Acknowledged = AskedPerson & { readonly sha256: string | null }
export type Line = Said & { readonly sha256: string }

/** A version, the latest of its whole number, and those before it that it corrects. */
export interface CertifiedVersion {
  readonly version: string
  readonly corrects: readonly string[]
}

/** With the hash that was made when it was said; of what was said before these were kept, with one that is made now. */
export function lineOf(one: Acknowledged): Line {
  const { version, contentSha256, person, acknowledgedBy, acknowledgedAt, consentText, sha256 } = one
  const { reachedEnd, ip, userAgent } = one
  const said: Said = {
    ...{ version, contentSha256, personId: person.id, person: person.name, email: person.email },
    ...{ acknowledgedBy: acknowledgedBy && actorText(acknowledgedBy), acknowledgedAt },
    ...{ consentText, reachedEnd, ip, userAgent },
  }
  return { ...said, sha256: sha256 ?? hashOfSaid(said) }
}

/** Parameters: organization, acknowledgements. */
export const readLines = statement(`
  select ${COLUMNS}, a.sha256 from ${FROM}
   where a.organization_id = $1 and a.id = any($2::text[])
   order by a.acknowledged_at, a.id`)

/** Somebody who was asked, and has not said it as the certificate is made. */
export interface Missing {
  readonly version: string
  readonly personId: string
  readonly person: string
  readonly email: string
  /** `ended`: nothing is asked of them any more. */
  readonly status: 'open' | 'overdue' | 'exempt' | 'ended'
  readonly dueDate: string
  /** Why they need not. */
  readonly exemptReason: string | null
  /** Why it ended; none of what ended before that was kept. */
  readonly endedBecause: (typeof ENDED_BECAUSE)[number] | null
}

/**
 * Each person once for each round, which is a version with its corrections: a request that ended counts where no other
 * took its place. Parameters: organization, policy, round or null.
 */
export const readMissing = statement(`
  select * from (
    select distinct on (a.round, a.personnel_id)
           v.label as version, d.id as "personId", d.full_name as person, d.work_email as email,
           case when a.status = 'exempt' then 'exempt' when a.status = 'cancelled' then 'ended'
                when ${IS_OVERDUE} then 'overdue' else 'open' end as status,
           a.due_date::text as "dueDate", a.exempt_reason as "exemptReason", a.ended_because as "endedBecause"
      from ${FROM}
     where a.organization_id = $1 and a.policy_id = $2 and ($3::int is null or a.round = $3)
       and not exists (
         select from attestations s
          where s.organization_id = a.organization_id and s.policy_id = a.policy_id and s.round = a.round
            and s.personnel_id = a.personnel_id and s.status = 'acknowledged')
     order by a.round, a.personnel_id, a.status = 'cancelled', a.requested_at desc) m
   order by array_position(array['overdue', 'open', 'exempt', 'ended'], m.status), m."dueDate", m.person ${NATURALLY}, m."personId"`)
