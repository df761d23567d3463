/*
 * When enough of those who are asked have approved a text: pure, so that the service and the tests read one rule.
 *
 * Whoever wrote a text may be among its approvers, and what they say counts as one voice; but with the setting
 * `allowSelfApproval` off, a text that nobody but its authors approved is not approved.
 */

export const QUORUMS = ['any', 'all', 'n'] as const
export type Quorum = (typeof QUORUMS)[number]

export const APPROVERS_AT_MOST = 20

/** The states of a policy in which a text of it may be in force. */
export const IN_FORCE = ['published', 'in_review', 'approved'] as const

/** Who is asked, and how many of them have to say yes. */
export interface Approval {
  readonly quorum: Quorum
  /** With the quorum n. */
  readonly count: number | null
  /** The ids of the users who are asked, each once. */
  readonly approvers: readonly string[]
  /** The ids of those who wrote the text. */
  readonly authors: readonly string[]
  readonly allowSelfApproval: boolean
}

/** How many of the approvers have to say yes. */
export const approvalsNeeded = ({ quorum, count, approvers }: Approval): number =>
  quorum === 'any' ? 1 : quorum === 'all' ? approvers.length : (count ?? approvers.length)

/** Whether those who approved are enough. */
export function isApproved(approval: Approval, approvedBy: readonly string[]): boolean {
  const { approvers, authors, allowSelfApproval } = approval
  const yes = approvers.filter((one) => approvedBy.includes(one))
  const isByOthers = allowSelfApproval || yes.some((one) => !authors.includes(one))
  return yes.length > 0 && yes.length >= approvalsNeeded(approval) && isByOthers
}

/** What keeps a text from ever being approved so: the field of the policy, and what to do; null where nothing does. */
export function refuseApproval(approval: Approval): { path: string; message: string } | null {
  const { quorum, count, approvers, authors, allowSelfApproval } = approval
  if (approvers.length === 0)
    return { path: 'approver', message: 'is nobody: say on the policy who approves it' }
  if (quorum === 'n' && count === null)
    return { path: 'quorumCount', message: 'is asked for with the quorum n: say how many have to approve' }
  if (approvalsNeeded(approval) > approvers.length)
    return {
      path: 'quorumCount',
      message: `is more than there are approvers (${approvers.length}): name more of them, or ask for fewer`,
    }
  if (!allowSelfApproval && approvers.every((one) => authors.includes(one)))
    return {
      path: 'approver',
      message: 'wrote the text, as did every other approver: name somebody else to review it',
    }
  return null
}
