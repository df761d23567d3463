import { createHash } from 'node:crypto'
import { z } from 'zod'
import { csvHead, csvRow } from '../../model/csv.ts'
import { idOf } from '../../model/fields.ts'
import { Streamed, streamed } from '../bytes.ts'
import type { Actor } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { operation, scope } from '../operation.ts'
import { notFound } from '../refusal.ts'
import { type Attestation, COLUMNS, FROM } from './attestation-record.ts'
import { actorText, hashOfSaid, SAID, type Said } from './said.ts'

/*
 * A certificate of acknowledgements: who agreed to which words about which text, and when, as one file for an auditor.
 * Every line has a hash of its own, over what it says; the file has one over all of them, and the hash of each text is
 * that which its version has. So a character that was changed is found; that the lines are those which were written at
 * the time, the sealed audit log shows, which has an entry for each with the same hash of the text.
 */

const FORMATS = ['json', 'csv'] as const

export const downloadAttestationCertificate = operation({
  name: 'downloadAttestationCertificate',
  method: 'GET',
  path: '/v1/policies/{policyId}/attestations/certificate',
  needs: scope('read:policies'),
  writes: false,
  isAside: true,
  answers: 'stream',
  title: 'Download a certificate of acknowledgements',
  description:
    'Who acknowledged which version, with the words they agreed to and the hash of the text; each line with a hash of what it says.',
  input: z.strictObject({
    policyId: idOf('pol').meta({ title: 'Policy', refersTo: 'pol' }).describe('The id of a policy'),
    format: z.enum(FORMATS).default('json').meta({ title: 'Format' }).describe('csv: the lines alone'),
  }),
  output: streamed,
  run: async ({ tx }, { policyId, format }) => {
    const [[policy], rows, now] = await Promise.all([
      tx.read<Certified>(readPolicy(tx.organizationId, policyId)),
      tx.read<Acknowledged>(readAcknowledged(tx.organizationId, policyId)),
      tx.now,
    ])
    if (!policy) throw notFound()
    const lines = rows.map(lineOf)
    const bytes = Buffer.from(format === 'csv' ? asCsv(lines) : asJson(policy, now, lines))
    return new Streamed({
      name: `acknowledgements-${policy.reference}-${now.slice(0, 10)}.${format}`,
      type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json',
      bytes: bytes.length,
      open: ({ from, to } = { from: 0, to: bytes.length - 1 }) => parts(bytes.subarray(from, to + 1)),
    })
  },
})

interface Certified {
  readonly reference: string
  readonly title: string
  readonly organization: string
}

type Line = Said & { readonly sha256: string }

type Acknowledged = Attestation & { readonly sha256: string | null }

/** With the hash that was made when it was said; of what was said before these were kept, with one that is made now. */
function lineOf(one: Acknowledged): Line {
  const { version, contentSha256, person, acknowledgedBy, acknowledgedAt, consentText, sha256 } = one
  const { reachedEnd, ip, userAgent } = one
  const said: Said = {
    ...{ version, contentSha256, personId: person.id, person: person.name, email: person.email },
    ...{ acknowledgedBy: acknowledgedBy && actorText(acknowledgedBy as Actor), acknowledgedAt },
    ...{ consentText, reachedEnd, ip, userAgent },
  }
  return { ...said, sha256: sha256 ?? hashOfSaid(said) }
}

/** Over the values in their order, as JSON: anybody can make it again from the file. */
const hashOf = (values: unknown): string =>
  createHash('sha256').update(JSON.stringify(values), 'utf8').digest('hex')

const asCsv = (lines: readonly Line[]): string =>
  csvHead([...SAID, 'sha256']) +
  lines.map((line) => csvRow([...SAID.map((name) => line[name]), line.sha256])).join('')

const asJson = (policy: Certified, madeAt: string, lines: readonly Line[]): string =>
  JSON.stringify(
    {
      ...policy,
      madeAt,
      hashedFields: SAID,
      acknowledgements: lines,
      sha256: hashOf(lines.map(({ sha256 }) => sha256)),
    },
    null,
    1,
  )

async function* parts(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const readPolicy = statement(`
  select k.reference, k.called as title, o.name as organization
    from known_records k join organizations o on o.id = k.organization_id
   where k.organization_id = $1 and k.id = $2 and k.kind = 'policy'`)

const readAcknowledged = statement(`
  select ${COLUMNS}, a.sha256 from ${FROM}
   where a.organization_id = $1 and a.policy_id = $2 and a.status = 'acknowledged'
   order by a.acknowledged_at, a.id`)
