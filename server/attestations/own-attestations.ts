import { z } from 'zod'
import { ATTESTATION_STATES } from '../../model/attestation.ts'
import { idOf } from '../../model/fields.ts'
import { streamed } from '../bytes.ts'
import { statement } from '../database/connect.ts'
import { operation, own } from '../operation.ts'
import { timestamp } from '../output.ts'
import { STANDING } from './round.ts'
import {
  acknowledge,
  CONSENT,
  CORRECTION,
  PICTURE,
  readFileToRead,
  readPictureToRead,
  readText,
  textToRead,
} from './say.ts'

/* What a member has to read, and says of it: theirs alone, whatever they may see of the policies. */

const PATH = '/v1/my-attestations'
const id = idOf('pat').meta({ title: 'Attestation', refersTo: 'pat' })

const mine = z.object({
  id: z.string(),
  policyId: z.string(),
  title: z.string(),
  version: z.string(),
  status: z.enum(ATTESTATION_STATES),
  dueDate: z.string(),
  isOverdue: z.boolean(),
  acknowledgedAt: timestamp.nullable(),
  laterVersion: z
    .string()
    .nullable()
    .describe('The version in force, where what was acknowledged is an earlier one'),
})

export const listMyAttestations = operation({
  name: 'listMyAttestations',
  method: 'GET',
  path: PATH,
  needs: own(),
  writes: false,
  title: 'List what you have to read, or have read',
  description:
    'Policies that ask for your acknowledgement, the one that is due first before the others; or those that you acknowledged, the latest first.',
  input: z.strictObject({
    acknowledged: z
      .boolean()
      .default(false)
      .meta({ title: 'Acknowledged' })
      .describe('true: those that you acknowledged'),
  }),
  output: z.object({ data: z.array(mine) }).meta({ id: 'MyAttestations' }),
  run: async ({ tx, caller }, { acknowledged }) => ({
    data: await tx.read<z.output<typeof mine>>(
      (acknowledged ? listAcknowledged : listOpen)(tx.organizationId, caller.userId),
    ),
  }),
})

export const readMyAttestation = operation({
  name: 'readMyAttestation',
  method: 'POST',
  path: `${PATH}/{id}/read`,
  needs: own(),
  writes: true,
  title: 'Read a policy that you are to acknowledge',
  description: 'The whole text, with its hash; that it was read is noted.',
  input: z.strictObject({ id, ...CORRECTION }),
  output: textToRead,
  refusals: ['text_changed', 'conflict'],
  run: ({ tx, caller }, { id, correction }) => readText(tx, { id, correction, userId: caller.userId }),
})

export const downloadMyAttestation = operation({
  name: 'downloadMyAttestation',
  method: 'GET',
  path: `${PATH}/{id}/file`,
  needs: own(),
  writes: false,
  answers: 'link',
  title: 'Download a policy that you are to acknowledge',
  description: 'Of one that is a file. Answers a link that gives the bytes once, within five minutes.',
  input: z.strictObject({ id, ...CORRECTION }),
  output: streamed,
  refusals: ['conflict', 'file_not_ready', 'file_refused'],
  run: (context, { id, correction }) =>
    readFileToRead(context, { id, correction, userId: context.caller.userId }),
})

export const downloadMyPicture = operation({
  name: 'downloadMyPicture',
  isShownOnPage: true,
  method: 'GET',
  path: `${PATH}/{id}/pictures/{sha256}`,
  needs: own(),
  writes: false,
  answers: 'link',
  title: 'Download a picture of a policy that you are to acknowledge',
  description: 'Of one whose text shows it. Answers a link that gives the bytes once, within five minutes.',
  input: z.strictObject({ id, ...PICTURE, ...CORRECTION }),
  output: streamed,
  refusals: ['conflict', 'file_not_ready', 'file_refused'],
  run: (context, { id, sha256, correction }) =>
    readPictureToRead(context, { id, correction, userId: context.caller.userId }, sha256),
})

export const acknowledgeMyAttestation = operation({
  name: 'acknowledgeMyAttestation',
  method: 'POST',
  path: `${PATH}/{id}/acknowledge`,
  needs: own(),
  writes: true,
  title: 'Acknowledge a policy',
  description:
    'Keeps when, from where and to which words you agreed, with the hash of the text. Once more changes nothing.',
  input: z.strictObject({ id, ...CONSENT }),
  output: textToRead,
  refusals: ['text_changed', 'conflict'],
  annotations: { idempotent: true },
  run: (context, { id, ...consent }) => acknowledge(context, { id, userId: context.caller.userId }, consent),
})

const AT_MOST = 200

const listOf = (status: string, order: string) =>
  statement(`
  select a.id, a.policy_id as "policyId", v.title, v.label as version, a.status, a.due_date::text as "dueDate",
         a.status <> 'acknowledged' and a.due_date < (clock_now() at time zone deadline_zone($1))::date as "isOverdue",
         a.acknowledged_at as "acknowledgedAt",
         case when a.status = 'acknowledged' and f.id <> v.id then f.label end as "laterVersion"
    from attestations a
    join personnel d on d.organization_id = a.organization_id and d.id = a.personnel_id
    join policy_versions v on v.organization_id = a.organization_id and v.id = a.version_id
    join policies p on p.organization_id = a.organization_id and p.id = a.policy_id
    left join policy_versions f on f.organization_id = p.organization_id and f.id = p.current_version_id
   where a.organization_id = $1 and d.user_id = $2 and ${STANDING} in (${status})
   order by ${order} limit ${AT_MOST}`)

const listOpen = listOf(`'requested', 'viewed'`, 'a.due_date, a.id')
const listAcknowledged = listOf(`'acknowledged'`, 'a.acknowledged_at desc, a.id')
