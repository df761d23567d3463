import { createHash } from 'node:crypto'
import { z } from 'zod'
import { needsToRead } from '../../model/access.ts'
import { csvHead, csvRow } from '../../model/csv.ts'
import { idOf } from '../../model/fields.ts'
import { kinds } from '../../model/kinds/index.ts'
import { compareNaturally } from '../../model/natural-order.ts'
import { Streamed, streamed } from '../bytes.ts'
import { refuseUnlessAllowed } from '../caller/rights.ts'
import { statement } from '../database/connect.ts'
import { type Transaction, transaction } from '../database/transaction.ts'
import { writePdf } from '../documents/write-document.ts'
import { audit } from '../journal/audit.ts'
import { andAuditors, operation, type Parts, scope } from '../operation.ts'
import { notFound, Refusal } from '../refusal.ts'
import { certificateDocument } from './certificate-document.ts'
import {
  type Acknowledged,
  type CertifiedVersion,
  type Line,
  lineOf,
  type Missing,
  readLines,
  readMissing,
} from './certificate-lines.ts'
import { SAID } from './said.ts'

/*
 * A certificate of acknowledgements: who agreed to which words about which text, and when, as one file for an auditor, and
 * who was asked and did not, since whether it is everybody is what an auditor asks first. Its last line is the SHA-256 of all bytes before it, and an audit entry of the download has the same hash. Every line
 * has that which was made when it was said, which stands in the entry of that moment, and the hash of each text is that
 * of its version. The audit log is sealed; so a character that was changed is found, whoever changed it, and whatever
 * hashes they made anew (docs/acknowledgement.md).
 *
 * It is made twice, a page at a time and never whole in memory: once for its hash, which is noted, and once for whoever
 * gets it. Which lines it has, and who is missing, is settled before. Where a link to it is asked for, it is neither made
 * nor noted until somebody follows that. As a PDF it is for people to leaf through: what is noted is the hash of
 * its bytes.
 */

const FORMATS = ['json', 'csv', 'pdf'] as const
type TextFormat = Exclude<(typeof FORMATS)[number], 'pdf'>

const PAGE = 500

export const downloadAttestationCertificate = operation({
  name: 'downloadAttestationCertificate',
  method: 'GET',
  path: '/v1/policies/{policyId}/attestations/certificate',
  needs: andAuditors(scope('read:policies')),
  // That it was taken out is noted.
  writes: 'own',
  isAside: true,
  answers: 'stream',
  title: 'Download a certificate of acknowledgements',
  description:
    'Who acknowledged which version, with the words they agreed to and the hash of the text. Its last line has the SHA-256 of all before it, which is noted in the audit log. Names people: takes the right to read personnel.',
  input: z.strictObject({
    policyId: idOf('pol').meta({ title: 'Policy', refersTo: 'pol' }).describe('The id of a policy'),
    versionId: idOf('polv')
      .meta({ title: 'Version', refersTo: 'polv' })
      .optional()
      .describe('Of this version, and of those of the same whole number: corrections, which ask nobody anew'),
    format: z
      .enum(FORMATS)
      .default('json')
      .meta({ title: 'Format' })
      .describe('csv: the lines alone; pdf: to be handed over'),
  }),
  output: streamed,
  refusals: ['conflict'],
  run: async (context, { policyId, versionId = null, format }) => {
    const { caller, parts } = context
    const certified = await context.transaction(({ tx }) => begin(tx, policyId, versionId))
    refuseUnlessAllowed(needsToRead(kinds.personnel), caller, {})
    const read = (ids: readonly string[]) =>
      transaction(parts.database.tenant, caller.organizationId, (tx) =>
        tx.read<Acknowledged>(readLines(tx.organizationId, ids)),
      )
    const { madeAt, version, ids, reference, title } = certified
    const told = {
      name: `acknowledgements-${reference}${version === null ? '' : `-${version}`}-${madeAt.slice(0, 10)}.${format}`,
      type: TYPES[format],
      bytes: null,
    }
    if (!context.sendsBytes) return new Streamed({ ...told, open: () => notMade() })
    const { sha256, open } = await madeAs(parts, format, caller.organizationId, certified, read)
    await context.transaction(async ({ tx }) =>
      audit(tx, caller, {
        time: await tx.now,
        action: 'attestation.certify',
        subject: { type: 'policy', id: policyId, reference, title },
        changes: {
          ...(version === null ? {} : { version: { from: null, to: version } }),
          asked: { from: null, to: certified.counts.asked },
          acknowledgements: { from: null, to: ids.length },
          format: { from: null, to: format },
          sha256: { from: null, to: sha256 },
        },
      }),
    )
    return new Streamed({ ...told, open })
  },
})

function notMade(): never {
  throw new Error('a certificate that a link was made of is made when the link is followed')
}

const TYPES = { json: 'application/json', csv: 'text/csv; charset=utf-8', pdf: 'application/pdf' } as const

type ReadLines = (ids: readonly string[]) => Promise<Acknowledged[]>

interface Made {
  /** Of a PDF of all its bytes; of others of all but the last line, which says it. */
  readonly sha256: string
  readonly open: () => AsyncIterable<Uint8Array>
}

async function madeAs(
  parts: Parts,
  format: (typeof FORMATS)[number],
  organizationId: string,
  certified: Certified,
  read: ReadLines,
): Promise<Made> {
  if (format === 'pdf') return asPdf(parts, organizationId, certified, read)
  const text = () => textOf(format, certified, read)
  return { sha256: await hashOf(text()), open: () => bytesOf(text()) }
}

/** Beyond these nobody leafs. */
const LINES_ON_PAPER = 3_000

/** @throws {Refusal} `conflict`, where it has too many lines */
async function asPdf(
  parts: Parts,
  organizationId: string,
  certified: Certified,
  read: ReadLines,
): Promise<Made> {
  const { ids, ...told } = certified
  if (ids.length + told.missing.length > LINES_ON_PAPER)
    throw new Refusal(
      'conflict',
      `A PDF has ${LINES_ON_PAPER} lines at most: take it of one version, or as JSON or CSV.`,
    )
  const bytes = await writePdf(
    parts,
    organizationId,
    certificateDocument({ ...told, lines: (await read(ids)).map(lineOf) }),
  )
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const open = async function* () {
    yield bytes
  }
  return { sha256, open }
}

interface Certified {
  readonly organization: string
  readonly reference: string
  readonly title: string
  /** Its number, where one was asked for. */
  readonly version: string | null
  readonly madeAt: string
  /** Of all that it is of. */
  readonly counts: Counts
  /** Of each version with its corrections, in their order: people are asked once about all of them. */
  readonly versions: readonly (Counts & CertifiedVersion)[]
  /** Of the acknowledgements, in the order in which they were said. */
  readonly ids: readonly string[]
  readonly missing: readonly Missing[]
}

/** People, each at the version that they acknowledged, or that they were asked about last. */
export interface Counts {
  readonly asked: number
  readonly acknowledged: number
  readonly open: number
  readonly overdue: number
  readonly exempt: number
  /** Of whom nothing is asked any more. */
  readonly ended: number
}

/** @throws {Refusal} `not_found` */
async function begin(tx: Transaction, policyId: string, versionId: string | null): Promise<Certified> {
  const [found] = await tx.read<
    Pick<Certified, 'organization' | 'reference' | 'title' | 'version'> & { round: number | null }
  >(readPolicy(tx.organizationId, policyId, versionId))
  if (!found || (versionId !== null && found.version === null)) throw notFound()
  const { round, ...policy } = found
  const [acknowledged, missing, madeAt] = await Promise.all([
    tx.read<OfVersion>(findAcknowledged(tx.organizationId, policyId, round)),
    tx.read<Missing>(readMissing(tx.organizationId, policyId, round)),
    tx.now,
  ])
  const counts = countsOf(acknowledged, missing)
  const labels = [...new Set([...acknowledged, ...missing].map((each) => each.version))]
  const versions = [...Map.groupBy(labels.toSorted(compareNaturally), wholeNumberOf)].map(([whole, all]) => {
    const isOfThem = (each: { readonly version: string }) => wholeNumberOf(each.version) === whole
    const counts = countsOf(acknowledged.filter(isOfThem), missing.filter(isOfThem))
    return { version: all.at(-1)!, corrects: all.slice(0, -1), ...counts }
  })
  return { ...policy, madeAt, counts, versions, ids: acknowledged.map(({ id }) => id), missing }
}

/** An acknowledgement, at the version that it is of. */
interface OfVersion {
  readonly id: string
  readonly version: string
}

const wholeNumberOf = (label: string): string => label.split('.')[0]!

function countsOf({ length: acknowledged }: readonly unknown[], missing: readonly Missing[]): Counts {
  const of = (wanted: Missing['status']) => missing.filter(({ status }) => status === wanted).length
  return {
    asked: acknowledged + missing.length,
    acknowledged,
    ...{ open: of('open'), overdue: of('overdue'), exempt: of('exempt'), ended: of('ended') },
  }
}

/** Who has not said it has a status and none of what is said. */
const COLUMNS_OF_CSV = [...SAID, 'sha256', 'status', 'dueDate', 'exemptReason', 'endedBecause'] as const

const csvLine = (line: Partial<Record<(typeof COLUMNS_OF_CSV)[number], string | boolean | null>>): string =>
  csvRow(COLUMNS_OF_CSV.map((name) => line[name] ?? null))

/** How each format begins, has its lines, and ends before the hash; and the line of that. */
const FORMS: Readonly<
  Record<
    TextFormat,
    {
      readonly head: (certified: Certified) => string
      readonly line: (line: Line, isFirst: boolean) => string
      readonly foot: (missing: readonly Missing[]) => string
      readonly seal: (sha256: string) => string
    }
  >
> = {
  json: {
    head: ({ ids: _, missing: __, ...told }) => {
      const head = JSON.stringify({ format: 'plumbline certificate v1', ...told, hashedFields: SAID })
      return `${head.slice(0, -1)},"acknowledgements":[`
    },
    line: (line, isFirst) => `${isFirst ? '' : ','}\n${JSON.stringify(line)}`,
    foot: (missing) => `\n],"missing":[${missing.map((each) => `\n${JSON.stringify(each)}`).join(',')}\n],\n`,
    seal: (sha256) => `"sha256":"${sha256}"}\n`,
  },
  csv: {
    head: () => csvHead(COLUMNS_OF_CSV),
    line: (line) => csvLine({ ...line, status: 'acknowledged' }),
    foot: (missing) => missing.map(csvLine).join(''),
    seal: (sha256) =>
      csvRow(COLUMNS_OF_CSV.map((_, at) => ['SHA-256 of all lines above', sha256][at] ?? null)),
  },
}

/** @returns the hash that its last line has */
async function* textOf(
  format: TextFormat,
  certified: Certified,
  read: ReadLines,
): AsyncGenerator<string, string> {
  const { head, line, foot, seal } = FORMS[format]
  const hash = createHash('sha256')
  const hashed = (text: string): string => {
    hash.update(text, 'utf8')
    return text
  }
  yield hashed(head(certified))
  const { ids, missing } = certified
  for (let from = 0; from < ids.length; from += PAGE) {
    const rows = await read(ids.slice(from, from + PAGE))
    yield hashed(rows.map((row, at) => line(lineOf(row), from + at === 0)).join(''))
  }
  yield hashed(foot(missing))
  const sha256 = hash.digest('hex')
  yield seal(sha256)
  return sha256
}

async function hashOf(text: AsyncGenerator<string, string>): Promise<string> {
  for (;;) {
    const { done, value } = await text.next()
    if (done) return value
  }
}

async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const part of text) yield Buffer.from(part, 'utf8')
}

const readPolicy = statement(`
  select o.name as organization, k.reference, k.called as title, v.label as version, v.major as round
    from known_records k join organizations o on o.id = k.organization_id
    left join policy_versions v on v.organization_id = k.organization_id and v.policy_id = k.id and v.id = $3
   where k.organization_id = $1 and k.id = $2 and k.kind = 'policy'`)

const findAcknowledged = statement(`
  select a.id, v.label as version from attestations a
    join policy_versions v on v.organization_id = a.organization_id and v.id = a.version_id
   where a.organization_id = $1 and a.policy_id = $2 and a.status = 'acknowledged' and ($3::int is null or a.round = $3)
   order by a.acknowledged_at, a.id`)
