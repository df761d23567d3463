import { statement } from '../database/connect.ts'
import { type AskedPerson, COLUMNS, FROM, IS_OVERDUE } from './attestation-record.ts'
import { actorText, hashOfSaid, type Said } from './said.ts'

/* The lines of a certificate, whatever form it has. */

export type Acknowledged = AskedPerson & { readonly sha256: string | null }
export type Line = Said & { readonly sha256: string }

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
  readonly status: 'open' | 'overdue' | 'exempt'
  readonly dueDate: string
  /** Why they need not. */
  readonly exemptReason: string | null
}

/** Whoever left is asked no more. Parameters: organization, policy, version or null. */
export const readMissing = statement(`
  select v.label as version, d.id as "personId", d.full_name as person, d.work_email as email,
         case when a.status = 'exempt' then 'exempt' when ${IS_OVERDUE} then 'overdue' else 'open' end as status,
         a.due_date::text as "dueDate", a.exempt_reason as "exemptReason"
    from ${FROM}
   where a.organization_id = $1 and a.policy_id = $2 and a.status in ('requested', 'viewed', 'exempt')
     and ($3::text is null or a.version_id = $3)
   order by a.status = 'exempt', a.due_date, d.full_name, a.id`)
