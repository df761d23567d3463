import type { AnyRecord } from '../../client/records.ts'

/** A version of a policy, as its calls answer it. */
export interface Version extends AnyRecord {
  readonly policyId: string
  readonly title: string
  readonly status: 'draft' | 'pending_approval' | 'approved' | 'published' | 'superseded' | 'discarded'
  readonly label: string
  readonly content?: string | null
  readonly text?: string | null
  readonly contentSha256: string | null
  readonly changelog: string | null
  readonly materialChange: boolean
  readonly rejectionReason: string | null
  readonly round: number | null
}

/** What people read: the text as it was submitted, and of a draft as it is written. */
export const textOf = ({ text, content }: Version): string => text ?? content ?? ''

export const isInTheMaking = ({ status }: Version): boolean =>
  status === 'draft' || status === 'pending_approval' || status === 'approved'
