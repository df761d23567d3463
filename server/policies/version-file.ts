import { z } from 'zod'
import { idOf } from '../../model/fields.ts'
import { andAuditors } from '../../model/needs.ts'
import { streamed } from '../bytes.ts'
import { contentOf, readFileOfVersion } from '../files/file-record.ts'
import { operation, person, scope } from '../operation.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from '../records/schemas.ts'
import { getRecord } from '../records/stored-record.ts'
import { writeVersion } from './draft-policy-version.ts'
import { policyVersion } from './policy-acts.ts'
import { usableFile } from './policy-file.ts'
import { readPicture } from './policy-pictures.ts'

/* The files of a version of a policy: the one that it is (policy-file.ts), and the pictures of its text. */

export const putPolicyVersionFile = operation({
  name: 'putPolicyVersionFile',
  method: 'PUT',
  path: '/v1/policy-versions/{id}/file',
  needs: person('write:policies'),
  writes: true,
  isAside: true,
  title: 'Put a file in place of the text of a policy version',
  description:
    'A PDF or a Word document that you have finished, or that this policy has already. The text goes; writing one puts it in place of the file. Leads a version that was submitted back to a draft, as a change of the text does.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'polv' }),
    ifMatch: IF_MATCH,
    fileId: idOf('fil').meta({ title: 'File' }),
  }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(policyVersion),
  refusals: ['version_mismatch', 'conflict'],
  annotations: { idempotent: true },
  run: async (context, { id, ifMatch, fileId }) => {
    const { policyId } = await getRecord(context, policyVersion, id)
    const file = await usableFile(context, fileId, policyId as string)
    return (await writeVersion(context, id, ifMatch, { file })) as never
  },
})

export const downloadPolicyVersionFile = operation({
  name: 'downloadPolicyVersionFile',
  method: 'GET',
  path: '/v1/policy-versions/{id}/original',
  needs: andAuditors(scope('read:policies')),
  writes: false,
  isAside: true,
  answers: 'link',
  title: 'Download the file of a policy version',
  description: 'Of one that is a file. Answers a link that gives the bytes once, within five minutes.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'polv' }) }),
  output: streamed,
  refusals: ['file_not_ready', 'file_refused'],
  run: async (context, { id }) => contentOf(context, await readFileOfVersion(context, id)),
})

export const downloadPolicyPicture = operation({
  name: 'downloadPolicyPicture',
  isShownOnPage: true,
  method: 'GET',
  path: '/v1/policy-versions/{id}/pictures/{fileId}',
  needs: andAuditors(scope('read:policies')),
  writes: false,
  isAside: true,
  answers: 'link',
  title: 'Download a picture of a policy version',
  description:
    'One that its text shows, or that you have sent to be put there. Answers a link that gives the bytes once, within five minutes.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'polv' }),
    fileId: idOf('fil').meta({ title: 'File' }).describe('The id by which the text names it'),
  }),
  output: streamed,
  refusals: ['file_not_ready', 'file_refused'],
  run: async (context, { id, fileId }) => contentOf(context, await readPicture(context, id, fileId)),
})
