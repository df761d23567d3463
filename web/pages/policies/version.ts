import { withoutHashes } from '../../../model/policy-pictures.ts'
import type { AnyRecord } from '../../client/records.ts'
import { policies } from '../../copy/policies.ts'
import { valueWord } from '../../copy/records.ts'

/** A version of a policy, as its calls answer it. */
export interface Version extends AnyRecord {
  readonly policyId: string
  readonly title: string
  readonly status: 'draft' | 'pending_approval' | 'approved' | 'published' | 'superseded' | 'discarded'
  readonly label: string
  readonly major: number
  readonly minor: number
  readonly content?: string | null
  readonly text?: string | null
  readonly contentFormat: 'markdown' | 'file'
  /** What it is in place of a text. */
  readonly file: { readonly name: string; readonly bytes: number; readonly sha256: string } | null
  readonly contentSha256: string | null
  readonly changelog: string | null
  readonly materialChange: boolean
  readonly publishedAt: string | null
  readonly publishedBy: { readonly type: string; readonly displayName: string } | null
  /** Those that wrote in it; not known of texts from before they were kept. */
  readonly programs: readonly { readonly displayName: string }[] | null
  readonly rejectionReason: string | null
  readonly round: number | null
}

/** Nothing took the place of the last text of a policy that was retired. */
export const statusWord = (policy: AnyRecord, { status }: Version): string =>
  status === 'superseded' && policy.currentVersionId === null ? policies.text.ended : valueWord(status)

/** A field of a policy without which its draft is not submitted. */
export type Lacked = 'owner' | 'approver' | 'effectiveDate'

export const isInTheMaking = ({ status }: Version): boolean =>
  status === 'draft' || status === 'pending_approval' || status === 'approved'

/**
 * Two versions as they are compared: what was read of both, or else what was written, so that both say the same things. A
 * picture is told by its file.
 */
export const comparedTexts = (
  from: Version,
  to: Version,
  fill = (content: string): string => content,
): readonly [string, string] =>
  from.text && to.text
    ? [withoutHashes(from.text), withoutHashes(to.text)]
    : [fill(from.content ?? ''), fill(to.content ?? '')]
