import type { Block, PaperDocument, Row } from '../documents/document.ts'
import type { Line } from './certificate-lines.ts'

export interface CertificateOnPaper {
  readonly organization: string
  readonly reference: string
  readonly title: string
  /** Its number, where it is of one version. */
  readonly version: string | null
  readonly madeAt: string
  readonly lines: readonly Line[]
}

/** A certificate as it is handed over on paper: of each version who acknowledged it, when, as whom, and the hash of that. */
export function certificateDocument(given: CertificateOnPaper): PaperDocument {
  const { organization, reference, title, version, madeAt, lines } = given
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
      ...(version === null ? [] : [{ name: 'Version', value: version }]),
      { name: 'Made', value: momentOf(madeAt) },
      { name: 'Acknowledgements', value: String(lines.length) },
    ],
    hasCover: false,
    footer: `${organization}, ${reference}, acknowledgements up to ${momentOf(madeAt)}`,
    blocks: [{ form: 'paragraph', text: HOW_TO_CHECK }, tableOf(lines)],
  }
}

const HOW_TO_CHECK =
  'The SHA-256 of this file stands in the audit log, in the entry of its download. That of each line was made when it was said, and stands in the entry of that moment.'

const tableOf = (lines: readonly Line[]): Block => ({
  form: 'table',
  columns: [
    { title: 'Person', share: 4, isBold: true },
    { title: 'Address', share: 5 },
    { title: 'When', share: 4 },
    { title: 'Acted as', share: 5 },
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
    line.acknowledgedBy,
    line.ip,
    line.sha256,
  ].map((value) => String(value ?? '')),
})

/** To the second, in UTC. */
const momentOf = (time: string): string => `${time.slice(0, 19).replace('T', ' ')} UTC`
