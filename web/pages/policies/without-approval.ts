import { policies } from '../../copy/policies.ts'

/** A draft that names who approved it says, too, that they have not yet. What they approve in general is no such thing. */
const APPROVED_BY =
  /((?<!\b(?:is|are|be|been|was|were|wird|werden) )(?:approved by|genehmigt (?:von|durch)|freigegeben (?:von|durch)):? *\{\{ *policy\.approver *\}\})/gi

export const withoutApproval = (content: string): string =>
  content.replace(APPROVED_BY, `$1 (${policies.notYetApproved})`)
