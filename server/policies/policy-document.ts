import type { Values } from '../../model/complaint.ts'
import { valueWord } from '../../model/value-word.ts'
import type { Block, Fact, PaperDocument, Row } from '../documents/document.ts'
import { markdownOnPaper } from './markdown-on-paper.ts'
import type { ReadPicture } from './policy-pictures.ts'

export interface PolicyOnPaper {
  readonly organization: string
  readonly policy: Values
  /** One whose text was submitted. */
  readonly version: Values
  /** That were ever in force, the latest first, up to this one. */
  readonly versions: readonly Values[]
  /** Of those who approved it, in the order in which they did. */
  readonly approvals: readonly Values[]
  /** Which its text shows. */
  readonly pictures: readonly ReadPicture[]
  readonly now: string
}

/** A version of a policy as it is handed to people on paper: a cover, its text, the versions before it, who approved it. */
export function policyDocument(given: PolicyOnPaper): PaperDocument {
  const { organization, policy, version, versions, approvals, pictures, now } = given
  const label = String(version.label)
  const places = new Map(pictures.map(({ fileId }, place) => [fileId, place]))
  return {
    title: String(version.title),
    subtitle: `${valueWord(String(policy.documentType))}, version ${label}`,
    author: organization,
    language: (policy.locale as string | null) ?? 'en',
    madeAt: new Date(String(version.publishedAt ?? version.approvedAt ?? version.submittedAt ?? now)),
    orientation: 'portrait',
    facts: factsOf(given),
    hasCover: true,
    footer: `${organization}, ${policy.reference} version ${label}, ${valueWord(String(version.status)).toLowerCase()}`,
    pictures: pictures.map(({ fileId: _, ...picture }) => picture),
    blocks: [
      ...markdownOnPaper(String(version.text), (id) => places.get(id)),
      ...(versions.length > 0 ? [heading('Versions'), versionTable(versions)] : []),
      ...(approvals.length > 0 ? [heading('Approvals'), approvalTable(approvals)] : []),
    ],
  }
}

function factsOf({ organization, policy, version }: PolicyOnPaper): readonly Fact[] {
  const facts: readonly (readonly [string, unknown])[] = [
    ['Organization', organization],
    ['Reference', policy.reference],
    ['Version', version.label],
    ['Status', valueWord(String(version.status))],
    ['Owner', nameIn(policy.owner)],
    ['Classification', policy.classification && valueWord(String(policy.classification))],
    ['Published', version.publishedAt && dayOf(version.publishedAt)],
    ['In force from', version.status === 'published' ? policy.effectiveDate : null],
    ['Next review', version.status === 'published' ? policy.reviewDate : null],
  ]
  return [
    ...facts.flatMap(([name, value]) => (value ? [{ name, value: String(value) }] : [])),
    { name: 'SHA-256 of the text', value: String(version.contentSha256), isWide: true },
  ]
}

const heading = (text: string): Block => ({ form: 'heading', level: 1, text })

const versionTable = (versions: readonly Values[]): Block => ({
  form: 'table',
  columns: [
    { title: 'Version', share: 10, isBold: true },
    { title: 'Published', share: 14 },
    { title: 'Author', share: 22 },
    { title: 'What changed', share: 54 },
  ],
  rows: versions.map(
    ({ label, publishedAt, author, changelog }): Row => ({
      cells: [String(label), dayOf(publishedAt), nameIn(author), String(changelog ?? '')],
    }),
  ),
})

const approvalTable = (approvals: readonly Values[]): Block => ({
  form: 'table',
  columns: [
    { title: 'Approved by', share: 26, isBold: true },
    { title: 'On', share: 22 },
    { title: 'Comment', share: 52 },
  ],
  rows: approvals.map(
    ({ approver, decidedAt, comment }): Row => ({
      cells: [nameIn(approver), momentOf(decidedAt), String(comment ?? '')],
    }),
  ),
})

const nameIn = (one: unknown): string => (one as { displayName: string } | null)?.displayName ?? ''

/* The same wherever it is read. */
const dayOf = (moment: unknown): string => new Date(String(moment)).toISOString().slice(0, 10)
const momentOf = (moment: unknown): string =>
  `${new Date(String(moment)).toISOString().slice(0, 16).replace('T', ' ')} UTC`
