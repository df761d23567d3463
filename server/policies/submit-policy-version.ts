import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { type Decider, keepsFromDeciding } from '../../model/deciders.ts'
import { type EffectiveDate, effectiveInText } from '../../model/effective-date.ts'
import { fieldTitle } from '../../model/field-title.ts'
import { type Approval, type Quorum, refuseApproval } from '../../model/kinds/policy-approval.ts'
import {
  fillPlaceholders,
  namesInText,
  type Placeholder,
  type PlaceholderValues,
  placeholdersIn,
  TEXT_AT_MOST,
} from '../../model/policy-text.ts'
import { actorOf } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { operation, scope, type TransactionContext } from '../operation.ts'
import { changeRecord } from '../records/change-record.ts'
import { createRecord } from '../records/create-record.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from '../records/schemas.ts'
import { hashOf } from '../records/whole-text.ts'
import { invalid, Refusal } from '../refusal.ts'
import { daysOf, lockBoth, policy, policyDecision, policyVersion } from './policy-acts.ts'
import { hashOfReady } from './policy-file.ts'
import { settlePictures } from './policy-pictures.ts'

export const submitPolicyVersion = operation({
  name: 'submitPolicyVersion',
  method: 'POST',
  path: '/v1/policy-versions/{id}/submit',
  needs: scope('write:policies'),
  writes: true,
  isAside: true,
  on: { kind: 'policy_version', button: 'Submit for approval', when: { status: ['draft'] } },
  title: 'Submit a policy version for approval',
  description:
    'Names and dates are filled in, and each approver of the policy is asked to decide on exactly that text.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'polv' }), ifMatch: IF_MATCH }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(policyVersion),
  refusals: [
    'version_mismatch',
    'conflict',
    'principal_not_found',
    'principal_inactive',
    'file_not_ready',
    'file_refused',
  ],
  example: { id: 'polv_01k9f8qxk2e9mbz6w0h5t4v3ra' },
  run: async (context, { id, ifMatch }) => {
    const { policy: above, version } = await lockBoth(context, id, ifMatch)
    if (above.status === 'retired')
      throw new Refusal('conflict', 'The policy is retired: a person restores it before its draft goes on.')
    const setting = await readSetting(context, approversOf(above))
    refuseUndecidable(approvalOf(above, version, setting), above, setting)
    const isFile = version.contentFormat === 'file'
    const text = isFile ? null : await settled(context, version, above, setting)
    const contentSha256 = text === null ? await hashOfReady(context, id) : hashOf(text)
    const round = Number(version.round ?? 0) + 1
    const after = await changeRecord(context, policyVersion, id, {
      set: (time) => ({
        status: 'pending_approval',
        text,
        contentSha256,
        round,
        submittedAt: time,
        submittedBy: actorOf(context.caller),
        rejectionReason: null,
      }),
    })
    const asked = {
      versionId: id,
      title: `${version.title} ${version.label}`,
      contentSha256,
      round,
      requestedBy: setting.asker ?? actorOf(context.caller),
    }
    for (const refId of approversOf(above))
      await createRecord(context, policyDecision, { set: { ...asked, approver: { type: 'user', refId } } })
    await changeRecord(context, policy, above.id as string, { set: { status: 'in_review' } })
    return after as never
  },
})

/** What approval goes by beside the records. */
export interface Setting {
  readonly organizationName: string
  readonly allowSelfApproval: boolean
  /** Of the approvers, those who are members. */
  readonly approvers: readonly (Decider & { readonly id: string; readonly name: string })[]
  /** Whoever asks; none where it is nobody of the organization. */
  readonly asker: { readonly type: 'user'; readonly id: string; readonly displayName: string } | null
}

export async function readSetting(
  { tx, caller }: TransactionContext,
  approvers: readonly string[],
): Promise<Setting> {
  const [row] = await tx.read<Setting>(findSetting(tx.organizationId, approvers, caller.userId))
  return row!
}

/** Whom a policy asks, each once. */
export const approversOf = ({ approver, extraApproverIds }: Values): string[] => [
  ...new Set([
    ...(approver ? [(approver as { refId: string }).refId] : []),
    ...((extraApproverIds ?? []) as readonly string[]),
  ]),
]

/** By what a version of a policy is approved. */
export const approvalOf = (
  { quorum, quorumCount, ...above }: Values,
  { writerIds }: Values,
  { allowSelfApproval }: Setting,
): Approval => ({
  quorum: quorum as Quorum,
  count: quorumCount as number | null,
  approvers: approversOf(above),
  authors: (writerIds ?? []) as readonly string[],
  allowSelfApproval,
})

/** @throws {Refusal} `validation_failed`, where it could never be approved so */
function refuseUndecidable(approval: Approval, { approver }: Values, { approvers }: Setting): void {
  const complaint = refuseApproval(approval)
  if (complaint) throw invalid(complaint)
  const idle = approval.approvers.flatMap((id): Idle[] => {
    const member = approvers.find((one) => one.id === id)
    const why = member ? keepsFromDeciding(member, 'viewer') : 'is no user here any more'
    return why ? [{ id, said: `${member?.name ?? id}, who ${why}` }] : []
  })[0]
  if (!idle) return
  const path = idle.id === (approver as { refId: string } | null)?.refId ? 'approver' : 'extraApproverIds'
  throw invalid({
    path,
    message: `${path === 'approver' ? 'is' : 'has'} ${idle.said}: name somebody else on the policy`,
  })
}

/** Somebody who is asked and could not decide, as a refusal tells of them. */
interface Idle {
  readonly id: string
  readonly said: string
}

/** @throws {Refusal} `validation_failed`, where there is no text, it is too long, or something that it names is not said */
function filled(
  { content, label }: Values,
  above: Values,
  setting: Setting,
  days: Pick<EffectiveDate, 'today' | 'lastPublishedOn'>,
): string {
  if (typeof content !== 'string')
    throw invalid({ path: 'content', message: 'is empty: write the text before it is submitted' })
  const values: PlaceholderValues = {
    'organization.name': setting.organizationName,
    'policy.owner': nameIn(above.owner),
    'policy.approver': approversInText(approversOf(above), setting),
    'policy.effectiveDate': effectiveInText({
      ...days,
      effectiveDate: (above.effectiveDate as string | null) ?? null,
    }),
    'policy.versionLabel': String(label),
  }
  const missing = placeholdersIn(content).find((name) => values[name] === null)
  if (missing) throw invalid({ path: 'content', message: withoutValue(missing, above) })
  return fillPlaceholders(content, values)
}

/**
 * The text as others read it.
 * @throws {Refusal} as {@link filled}; `file_not_ready`, `file_refused` for a picture
 */
async function settled(
  context: TransactionContext,
  version: Values,
  above: Values,
  setting: Setting,
): Promise<string> {
  const days = await daysOf(context, above.id as string)
  const text = await settlePictures(context, version.id as string, filled(version, above, setting, days))
  if (text.length > TEXT_AT_MOST)
    throw invalid({
      path: 'content',
      message: `is too long once its placeholders are filled and its pictures named: ${text.length} characters, and ${TEXT_AT_MOST} are the most. Shorten it`,
    })
  return text
}

/** What all approvers are called, whoever stands first on the policy first. */
const approversInText = (ids: readonly string[], { approvers }: Setting): string | null =>
  namesInText(ids.flatMap((id) => approvers.find((one) => one.id === id)?.name ?? []))

const nameIn = (principal: unknown): string | null =>
  (principal as { displayName: string } | null)?.displayName ?? null

/** What to set, as the page calls it. */
function withoutValue(missing: Placeholder, { effectiveDate }: Values): string {
  const title = fieldTitle(policy, FIELD_OF[missing] ?? missing)
  return missing === 'policy.effectiveDate' && effectiveDate
    ? `has {{${missing}}}, and “${title}” of the policy is still the day on which its last version was published: set it to the day from which this one holds`
    : `has {{${missing}}}, and the policy says none: set its “${title}” first`
}

const FIELD_OF: Readonly<Partial<Record<Placeholder, string>>> = {
  'policy.owner': 'owner',
  'policy.approver': 'approver',
  'policy.effectiveDate': 'effectiveDate',
}

const findSetting = statement(`
  select o.name as "organizationName", o.allow_self_approval as "allowSelfApproval",
         coalesce((select json_agg(json_build_object('id', m.user_id, 'name', m.name, 'role', m.role,
                     'active', m.status = 'active', 'limitedView', m.limited_view))
           from members m where m.organization_id = $1 and m.user_id = any($2) and m.status <> 'removed'),
           '[]') as approvers,
         (select json_build_object('type', 'user', 'id', m.user_id, 'displayName', m.name) from members m
           where m.organization_id = $1 and m.user_id = $3) as asker
    from organizations o where o.id = $1`)
