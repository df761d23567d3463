import { endedBecauseWords } from '../../model/attestation.ts'
import type { Block, PaperDocument, Row } from '../documents/document.ts'
import type { CertifiedVersion, Line, Missing } from './certificate-lines.ts'
import { PROOFS } from './said.ts'

type Counts = Readonly<Record<'asked' | 'acknowledged' | 'open' | 'overdue' | 'exempt' | 'ended', number>>

export interface CertificateOnPaper {
  readonly organization: string
  readonly reference: string
  readonly title: string
  readonly madeAt: string
  readonly versions: readonly (Counts & CertifiedVersion)[]
  readonly lines: readonly Line[]
  readonly missing: readonly Missing[]
}

/** A certificate as it is handed over on paper: of each version who acknowledged it, when, as whom, and the hash of that. */
export function certificateDocument(given: CertificateOnPaper): PaperDocument {
  const { organization, reference, title, versions, madeAt, lines, missing } = given
  const labels = versions.flatMap(({ corrects, version }) => [...corrects, version])
  return {
    title,
    subtitle: 'Certificate of acknowledgements',
    author: organization,
    language: 'en',
    madeAt: new Date(madeAt),
    orientation: 'landscape',
    facts: [
      { name: 'Organization', value: organization },
      { name: 'Reference', value: reference },
      {
        name: labels.length === 1 ? 'Version' : 'Versions',
        value: labels.join(', ') || 'None that anybody was asked about',
      },
      { name: 'Made', value: momentOf(madeAt) },
    ],
    hasCover: false,
    footer: `${organization}, ${reference}, acknowledgements up to ${momentOf(madeAt)}`,
    blocks: [
      ...(versions.length > 0 ? [tableOfCounts(versions)] : []),
      { form: 'paragraph', text: HOW_TO_CHECK },
      ...(lines.length > 0 ? [tableOf(lines)] : []),
      ...(missing.length > 0
        ? [{ form: 'heading', level: 1, text: 'Not acknowledged' } as const, tableOfMissing(missing)]
        : []),
    ],
  }
}

/** Of each version, with its corrections, how many people: whoever is asked anew about a later one counts there again. */
const tableOfCounts = (versions: CertificateOnPaper['versions']): Block => ({
  form: 'table',
  columns: [
    { title: 'Version', share: 2, isBold: true },
    { title: 'People asked', share: 2 },
    { title: 'Acknowledged', share: 2 },
    { title: 'Not yet', share: 4 },
    { title: 'Exempted', share: 2 },
    { title: 'Request ended', share: 2 },
  ],
  rows: versions.map((each) => ({
    cells: [
      each.corrects.length > 0 ? `${each.version}, with ${each.corrects.join(' and ')}` : each.version,
      ...[each.asked, each.acknowledged, notYet(each), each.exempt, each.ended].map(String),
    ],
  })),
})

const notYet = ({ open, overdue }: Counts): string =>
  overdue === 0 ? String(open) : `${open + overdue}, ${overdue} of them overdue`

const HOW_TO_CHECK =
  'The SHA-256 of this file stands in the audit log, in the entry of its download. That of each line was made when it was said, and stands in the entry of that moment. It covers the browser as well, which the same certificate names as JSON or CSV.'

const tableOf = (lines: readonly Line[]): Block => ({
  form: 'table',
  columns: [
    { title: 'Person', share: 4, isBold: true },
    { title: 'Address', share: 5 },
    { title: 'When', share: 4 },
    { title: 'Acted as', share: 5 },
    { title: 'End in sight', share: 2 },
    { title: 'From', share: 3 },
    { title: 'SHA-256 of the line', share: 8 },
  ],
  rows: [...Map.groupBy(lines, ({ version }) => version).values()].flatMap(([first, ...more]) => [
    sectionOf(first!),
    ...[first!, ...more].map(rowOf),
  ]),
})

const sectionOf = ({ version, contentSha256, consentText }: Line): Row => ({
  section: `Version ${version}. ${consentText} SHA-256 of the text: ${contentSha256}`,
  level: 1,
})

const rowOf = (line: Line): Row => ({
  cells: [
    line.person,
    line.email,
    momentOf(String(line.acknowledgedAt)),
    actedAs(line),
    line.reachedEnd ? 'Yes' : 'No',
    line.ip,
    line.sha256,
  ].map((value) => String(value ?? '')),
})

/** The person stands in the first column: here is what they showed, a login or a link. */
function actedAs({ acknowledgedBy }: Line): string {
  const said = String(acknowledgedBy)
  if (!said.startsWith('guest ')) return `Signed in: ${nameIn(said)}`
  if (said.endsWith(PROOFS.mailbox)) return 'Their link, and a code from their mailbox'
  return said.endsWith(PROOFS.link) ? 'Their link alone' : 'Their link'
}

/** A login may be called otherwise than the person of the directory who is said to have it. */
const nameIn = (said: string): string => /\((.*)\)$/s.exec(said)?.[1] ?? said

const tableOfMissing = (missing: readonly Missing[]): Block => ({
  form: 'table',
  columns: [
    { title: 'Person', share: 4, isBold: true },
    { title: 'Address', share: 5 },
    { title: 'Version', share: 2 },
    { title: 'Due', share: 3 },
    { title: 'State', share: 3 },
    { title: 'Why not', share: 8 },
  ],
  rows: missing.map(({ person, email, version, dueDate, status, exemptReason, endedBecause }) => ({
    cells: [
      ...[person, email, version, dueDate, STATES[status]],
      exemptReason ?? (endedBecause ? endedBecauseWords[endedBecause] : ''),
    ],
  })),
})

const STATES = { open: 'Open', overdue: 'Overdue', exempt: 'Exempted', ended: 'Request ended' } as const

/** To the second, in UTC. */
const momentOf = (time: string): string => `${time.slice(0, 19).replace('T', ' ')} UTC`
