import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { kinds } from '../../model/kinds/index.ts'
import { IN_THE_MAKING } from '../../model/kinds/policy-version.ts'
import { TEXT_AT_MOST } from '../../model/policy-text.ts'
import { type Actor, actingUserOf, actorOf } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import type { IfMatch } from '../database/locked-row.ts'
import type { Transaction } from '../database/transaction.ts'
import { operation, scope, type TransactionContext } from '../operation.ts'
import { changeRecord } from '../records/change-record.ts'
import { createRecord } from '../records/create-record.ts'
import {
  changeShape,
  creationSchema,
  ID,
  IF_MATCH,
  IF_MATCH_HEADER,
  recordSchema,
} from '../records/schemas.ts'
import { getRecord, lockRecord } from '../records/stored-record.ts'
import { tableOf } from '../records/table.ts'
import { Refusal } from '../refusal.ts'
import {
  lockBoth,
  lockDecisions,
  OUT_OF_REVIEW,
  policy,
  policyVersion,
  restingState,
  voidDecisions,
} from './policy-acts.ts'
import { fileIn, holdFiles, type PolicyFile } from './policy-file.ts'
import { usablePictures } from './policy-pictures.ts'

/* The draft of a policy: begun, written, and begun anew where somebody writes in it while others decide on it. */

/** In UTF-8, with what JSON makes of it. */
export const BYTES_AT_MOST = 4 * TEXT_AT_MOST

/** What others read: whoever changes it once it is submitted has it read anew. */
const READ_FIELDS = ['title', 'content', 'materialChange', 'changelog'] as const

export const createPolicyVersion = operation({
  name: 'createPolicyVersion',
  method: 'POST',
  path: '/v1/policies/{policyId}/versions',
  needs: scope('write:policies'),
  writes: true,
  isAside: true,
  title: 'Begin a policy version',
  description:
    'A draft with the text that is given, or else with that of the version in force, or of the last one that was. A policy has one version in the making at most.',
  input: z.strictObject(creationSchema(policyVersion).shape),
  takes: { bytes: BYTES_AT_MOST },
  output: recordSchema(policyVersion),
  location: (record) => `/v1/policy-versions/${(record as Values).id}`,
  refusals: ['draft_exists', 'conflict'],
  example: { policyId: 'pol_01k9f8qxk2e9mbz6w0h5t4v3ra', ...kinds.policy_version.example },
  run: async (context, input) => (await beginVersion(context, input as Values)) as never,
})

/**
 * Begins a version of a policy, from what a caller gives.
 * @param file in place of a text
 */
export async function beginVersion(
  context: TransactionContext,
  given: Values,
  file?: PolicyFile,
): Promise<Values> {
  const { tx } = context
  const policyId = given.policyId as string
  const { before: above } = await lockRecord(context, tableOf(policy), policyId)
  refuseSecond(above)
  const [last, writer] = await Promise.all([lastOf(tx, policyId), writerOf(context)])
  const numbers = numbersAfter(last, given.materialChange !== false)
  // Of a policy that was retired, too: nobody begins it from nothing.
  const current = last ? await getRecord(context, policyVersion, last.id) : null
  const from = file ? { file } : typeof given.content === 'string' ? given : (current ?? {})
  const pictures = await usablePictures(context, { policyId, content: from.content })
  const version = await createRecord(context, policyVersion, {
    given,
    set: {
      ...numbers,
      ...writer,
      ...withProgram(context, {}),
      title: given.title ?? above.name,
      content: from.content ?? null,
      file: from.file ?? null,
      contentFormat: from.file ? 'file' : 'markdown',
    },
  })
  const held = from.file ? [fileIn(from)!.id] : pictures
  if (held.length > 0) holdFiles(context, version.id as string, held)
  await changeRecord(context, policy, policyId, {
    set: {
      draftVersionId: version.id,
      ...(above.currentVersionId ? {} : { versionLabel: version.label }),
    },
  })
  return version
}

/** @throws {Refusal} `draft_exists`; `conflict` where the policy is retired */
function refuseSecond({ status, draftVersionId }: Values): void {
  if (status === 'retired') throw new Refusal('conflict', 'The policy is retired: restore it first.')
  if (draftVersionId)
    throw new Refusal(
      'draft_exists',
      'A version of this policy is in the making already: change that one, or discard it first.',
      { versionId: draftVersionId },
    )
}

export const updatePolicyVersion = operation({
  name: 'updatePolicyVersion',
  method: 'PATCH',
  path: '/v1/policy-versions/{id}',
  needs: scope('write:policies'),
  writes: true,
  isAside: true,
  title: 'Change a policy version',
  description:
    'While it is in the making. What is absent stays, null clears. A change of the text, the title or of whether it is material leads a version that was submitted back to a draft, and voids what its approvers decided.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'polv' }),
    ifMatch: IF_MATCH,
    ...changeShape(policyVersion),
  }),
  takes: { bytes: 2 * BYTES_AT_MOST },
  headers: IF_MATCH_HEADER,
  output: recordSchema(policyVersion),
  refusals: ['version_mismatch', 'conflict', 'invalid_transition'],
  annotations: { idempotent: true },
  example: { id: 'polv_01k9f8qxk2e9mbz6w0h5t4v3ra', changelog: 'Passwords may be passphrases' },
  run: async (context, { id, ifMatch, ...input }) =>
    (await writeVersion(context, id, ifMatch, { given: input as Values })) as never,
})

/**
 * Writes in a version that is in the making: what a caller gives, or a file in place of its text, which a text takes the
 * place of again.
 * @throws {Refusal} `not_found`, `version_mismatch`, `conflict`, `invalid_transition`
 */
export async function writeVersion(
  context: TransactionContext,
  id: string,
  ifMatch: IfMatch | undefined,
  { given: asked = {}, file }: { given?: Values; file?: PolicyFile },
): Promise<Values> {
  const { policy: above, version } = await lockBoth(context, id, ifMatch)
  // Left out, it is the name of the policy.
  const given = asked.title === null ? { ...asked, title: above.name } : asked
  const isOpen = (IN_THE_MAKING as readonly unknown[]).includes(version.status)
  // A state that nobody chooses is refused as such.
  if (given.status === undefined || given.status === version.status) refuseClosed(isOpen, version)
  const had = fileIn(version)
  const isWritten = typeof given.content === 'string' && given.content !== version.content
  const pictures = isWritten ? await usablePictures(context, { ...given, policyId: above.id }) : []
  const isOther = file ? had?.id !== file.id : had !== null && typeof given.content === 'string'
  const isReadAnew = isOther || READ_FIELDS.some((field) => field in given && given[field] !== version[field])
  const isBack = isOpen && isReadAnew && version.status !== 'draft'
  const numbers =
    isReadAnew && given.materialChange !== undefined
      ? numbersAfter(await lastOf(context.tx, above.id as string), given.materialChange !== false)
      : {}
  const set = {
    ...numbers,
    ...(isOther && file ? { content: null, file, contentFormat: 'file' } : {}),
    ...(isOther && !file ? { file: null, contentFormat: 'markdown' } : {}),
    ...(isReadAnew ? { ...withWriter(context, version), ...withProgram(context, version) } : {}),
    ...(isBack ? OUT_OF_REVIEW : {}),
  }
  const after = await changeRecord(context, policyVersion, id, { given, set, ifMatch })
  if (file) holdFiles(context, id, [file.id])
  else if (after.content !== version.content || isOther) holdFiles(context, id, pictures)
  if (isBack) await voidDecisions(context, await lockDecisions(context, version), 'The text was changed')
  const moves = {
    ...(isBack ? { status: restingState(above) } : {}),
    ...(above.currentVersionId ? {} : { versionLabel: after.label }),
  }
  await changeRecord(context, policy, above.id as string, { set: moves })
  return after
}

/** @throws {Refusal} `conflict`, where it is what others have read, or nobody will */
function refuseClosed(isOpen: boolean, { status }: Values): void {
  if (isOpen) return
  throw new Refusal(
    'conflict',
    `The version is ${status}, and stays as it is: begin another one of its policy.`,
  )
}

/** Who begins a version, as its author and the first who wrote in it. */
async function writerOf({ tx, caller }: TransactionContext): Promise<Values> {
  const userId = actingUserOf(caller)
  if (userId === null) return { author: actorOf(caller), authorId: null, writerIds: [] }
  const [member] = await tx.read<{ name: string }>(findMember(tx.organizationId, userId))
  const author = { type: 'user', id: userId, displayName: member?.name ?? caller.credential.name }
  return { author, authorId: userId, writerIds: [userId] }
}

function withWriter({ caller }: TransactionContext, { writerIds }: Values): Values {
  const userId = actingUserOf(caller)
  const known = (writerIds ?? []) as readonly string[]
  return userId === null || known.includes(userId) ? {} : { writerIds: [...known, userId] }
}

/** Whoever approves a text is told that a program wrote in it, whoever that acts for. */
function withProgram({ caller }: TransactionContext, { programs }: Values): Values {
  const known = (programs ?? []) as readonly Actor[]
  const { type } = caller.credential
  const isProgram = type === 'api_key' || type === 'oauth_token'
  const actor = actorOf(caller)
  return { programs: isProgram && !known.some(({ id }) => id === actor.id) ? [...known, actor] : known }
}

interface Last {
  readonly id: string
  readonly major: number
  readonly minor: number
}

/** The last version of a policy that was published. */
async function lastOf(tx: Transaction, policyId: string): Promise<Last | undefined> {
  const [last] = await tx.read<Last>(findLast(tx.organizationId, policyId))
  return last
}

/** The number of the next version of a policy: the next whole one, or the next part of the last that was published. */
function numbersAfter(last: Last | undefined, isMaterial: boolean): Values {
  const [major, minor] = !last ? [1, 0] : isMaterial ? [last.major + 1, 0] : [last.major, last.minor + 1]
  return { major, minor, label: `${major}.${minor}` }
}

const findMember = statement('select name from members where organization_id = $1 and user_id = $2')
const findLast = statement(`
  select id, major, minor from policy_versions
   where organization_id = $1 and policy_id = $2 and published_at is not null
   order by major desc, minor desc limit 1`)
