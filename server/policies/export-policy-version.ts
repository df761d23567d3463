import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { andAuditors } from '../../model/needs.ts'
import { Streamed, streamed } from '../bytes.ts'
import { statement } from '../database/connect.ts'
import { writeDocx, writePdf } from '../documents/write-document.ts'
import { operation, scope, type TransactionContext } from '../operation.ts'
import { ID } from '../records/schemas.ts'
import { getRecord, readRecords } from '../records/stored-record.ts'
import { refuseUnlessWhole } from '../records/whole-text.ts'
import { Refusal } from '../refusal.ts'
import { policy, policyDecision, policyVersion } from './policy-acts.ts'
import { policyDocument } from './policy-document.ts'
import { picturesOf } from './policy-pictures.ts'

export const exportPolicyVersion = operation({
  name: 'exportPolicyVersion',
  method: 'GET',
  path: '/v1/policy-versions/{id}/file',
  needs: andAuditors(scope('read:policies')),
  // It is set by another process: nothing waits for that with a transaction.
  writes: 'own',
  isAside: true,
  title: 'Export a policy version as a PDF or for Word',
  description:
    'With a cover, its text as it was submitted, the versions before it, and who approved it. A draft has no text of its own yet.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'polv' }),
    format: z
      .enum(['pdf', 'docx'])
      .default('pdf')
      .meta({ title: 'Format' })
      .describe('pdf to be handed over, docx to be gone on with in Word'),
  }),
  answers: 'stream',
  output: streamed,
  refusals: ['conflict'],
  run: async ({ transaction, caller, parts }, { id, format }) => {
    const { read, ...found } = await transaction((context) => find(context, id))
    const document = policyDocument({ ...found, pictures: await read() })
    const bytes = await WRITE[format](parts, caller.organizationId, document)
    return new Streamed({
      name: `${found.policy.reference}-${found.version.label}.${format}`,
      type: TYPES[format],
      bytes: bytes.length,
      open: async function* () {
        yield bytes
      },
    })
  },
})

const WRITE = { pdf: writePdf, docx: writeDocx }
const TYPES = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

/** @throws {Refusal} `not_found`; `conflict` for a draft */
async function find(context: TransactionContext, id: string) {
  const { tx } = context
  const version = await getRecord(context, policyVersion, id)
  if (version.contentFormat === 'file')
    throw new Refusal(
      'conflict',
      'It is a file in place of a text: download that with downloadPolicyVersionFile.',
    )
  if (typeof version.text !== 'string')
    throw new Refusal('conflict', 'It is a draft, and its text is not settled: submit it first.')
  refuseUnlessWhole(version)
  const [above, [named], ids, read, now] = await Promise.all([
    getRecord(context, policy, version.policyId as string),
    tx.read<{ name: string }>(nameOf(tx.organizationId)),
    tx.read<Found>(findRelated(tx.organizationId, id)),
    picturesOf(context, id, version.text),
    tx.now,
  ])
  const of = (kind: Found['kind']) => ids.filter((one) => one.kind === kind).map((one) => one.id)
  const [versions, approvals] = await Promise.all([
    readRecords(context, policyVersion, of('version')),
    readRecords(context, policyDecision, of('approval')),
  ])
  return {
    ...{ organization: named!.name, policy: above, version, read, now },
    versions: inOrder(versions, of('version')),
    approvals: inOrder(approvals, of('approval')),
  }
}

interface Found {
  readonly kind: 'version' | 'approval'
  readonly id: string
}

const inOrder = (records: readonly Values[], ids: readonly string[]): Values[] =>
  records.toSorted((one, other) => ids.indexOf(one.id as string) - ids.indexOf(other.id as string))

/** Who has as many versions finds the others in the app. */
const VERSIONS_AT_MOST = 100

const nameOf = statement('select name from organizations where id = $1')

/** The versions that were in force up to one, the latest first, and the approvals of that one. */
const findRelated = statement(`
  (select 'version' as kind, o.id
     from policy_versions v
     join policy_versions o on o.organization_id = v.organization_id and o.policy_id = v.policy_id
    where v.organization_id = $1 and v.id = $2 and o.published_at is not null
      and (o.major, o.minor) <= (v.major, v.minor)
    order by o.major desc, o.minor desc limit ${VERSIONS_AT_MOST})
  union all
  (select 'approval', d.id
     from policy_decisions d
     join policy_versions v on v.organization_id = d.organization_id and v.id = d.version_id
    where d.organization_id = $1 and d.version_id = $2 and d.status = 'approved' and d.round = v.round
    order by d.decided_at, d.id)`)
