import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { idOf, text } from '../../model/fields.ts'
import { kinds } from '../../model/kinds/index.ts'
import { isPerson } from '../caller/caller.ts'
import { operation, scope } from '../operation.ts'
import { createRecord } from '../records/create-record.ts'
import { recordSchema } from '../records/schemas.ts'
import { getRecord } from '../records/stored-record.ts'
import { invalid, Refusal } from '../refusal.ts'
import { BYTES_AT_MOST, beginVersion } from './draft-policy-version.ts'
import { policy } from './policy-acts.ts'
import { usableFile } from './policy-file.ts'

const { name, documentType, owner, approver, reviewFrequency, classification, locale } = kinds.policy.fields

/**
 * A policy that was written elsewhere comes in whole or not at all: the policy and its first text in one transaction, so
 * that whoever brings forty in, and is broken off, has none without its text.
 */
export const createPolicyFromFile = operation({
  name: 'createPolicyFromFile',
  method: 'POST',
  path: '/v1/policies/from-file',
  needs: scope('write:policies'),
  writes: true,
  isAside: true,
  title: 'Add a policy from a file',
  description:
    'A policy that was written elsewhere, with what the file says, or the file itself, as the draft of its text.',
  input: z.strictObject({
    fileName: text('File', 255).describe(
      'What the file is called, for those who look where the text is from',
    ),
    name,
    content: kinds.policy_version.fields.content.optional(),
    fileId: idOf('fil')
      .optional()
      .meta({ title: 'File' })
      .describe('In place of a text: a PDF or a Word document that you have finished'),
    documentType: documentType.optional(),
    owner: owner.optional(),
    approver: approver.optional(),
    reviewFrequency: reviewFrequency.optional(),
    classification: classification.optional(),
    locale: locale.optional(),
  }),
  takes: { bytes: BYTES_AT_MOST },
  output: recordSchema(policy),
  location: (record) => `/v1/policies/${(record as Values).id}`,
  refusals: ['principal_not_found', 'principal_inactive', 'file_upload_not_allowed'],
  example: {
    fileName: 'access-control.md',
    name: 'Access control policy',
    content: '## Purpose\n\nWho may use the systems of {{organization.name}}, and how that is decided.',
  },
  run: async (context, { fileName, content, fileId, ...given }) => {
    if ((content === undefined) === (fileId === undefined))
      throw invalid({ path: 'content', message: 'give a text or a fileId, and not both' })
    if (fileId !== undefined && !isPerson(context.caller))
      throw new Refusal('file_upload_not_allowed', 'Only people send files: give the text as content.')
    const file = fileId === undefined ? undefined : await usableFile(context, fileId, null)
    const { id } = await createRecord(context, policy, { given, set: { origin: 'uploaded' } })
    const changelog = `From the file “${fileName}”`
    await beginVersion(context, { policyId: id, changelog, ...(content && { content }) }, file)
    return (await getRecord(context, policy, id as string)) as never
  },
})
