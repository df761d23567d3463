import { statement } from '../database/connect.ts'
import { type AskedPerson, COLUMNS, FROM } from './attestation-record.ts'
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
