import { z } from 'zod'
import { day, instant, text } from '../../model/fields.ts'
import { actor, type Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { andAuditors, leastRole } from '../../model/needs.ts'
import { Streamed, streamed } from '../bytes.ts'
import { actorOf, type Caller } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { writePdf } from '../documents/write-document.ts'
import { operation } from '../operation.ts'
import { changeRecord } from '../records/change-record.ts'
import { mayRead } from '../records/readable.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from '../records/schemas.ts'
import { lockRecord } from '../records/stored-record.ts'
import { tableOf } from '../records/table.ts'
import { hashOf, refuseOtherHash } from '../records/whole-text.ts'
import { invalid, notFound } from '../refusal.ts'
import { wholeFile } from '../sheets/whole-file.ts'
import { MOMENT } from './rewind.ts'
import { readStatement } from './statement.ts'
import { statementDocument } from './statement-document.ts'
import { type StatementRow, statementRow } from './statement-row.ts'
import { statementSheets } from './statement-sheet.ts'

const framework = kinds.framework as unknown as Kind
const needs = kinds.framework.access.read
const path = '/v1/frameworks/{id}/statement-of-applicability'

const NOTE = text('Note', 2_000).describe('What is to be known of this approval')

const approval = z
  .object({
    version: z.int().describe('From 1; each approval is another'),
    approvedAt: instant('Approved'),
    approvedBy: actor,
    sha256: z.string().describe('Of the JSON of `framework` and `rows` as they were approved'),
    note: NOTE.nullable(),
  })
  .meta({ id: 'StatementApproval' })

const WHICH = {
  id: ID,
  asOf: day('As of').optional().describe('As it was at the end of this day; now, where it is left out'),
  version: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('As it was approved under this number, in place of asOf'),
}

const stated = z.object({
  framework: z.object({
    id: z.string(),
    key: z.string(),
    edition: z.string(),
    name: z.string(),
    implementationGroup: z.string().nullable(),
    scopeStatement: z
      .string()
      .nullable()
      .optional()
      .describe('Scope of the framework in the organization; absent in versions approved before this field'),
  }),
  rows: z.array(statementRow),
})

type Which = {
  readonly id: string
  readonly asOf?: string | undefined
  readonly version?: number | undefined
}

export const getStatementOfApplicability = operation({
  name: 'getStatementOfApplicability',
  method: 'GET',
  path,
  needs,
  writes: false,
  isLarge: true,
  title: 'Get the statement of applicability of a framework',
  description:
    'Returns the requirements in scope, in order: whether each applies and why, whether it is implemented, its controls and evidence. For a standard with an annex of controls, such as ISO/IEC 27001, it lists the controls; the clauses always apply and are left out. Without asOf and version, returns the current state.',
  input: z.strictObject(WHICH),
  output: stated
    .extend({
      organization: z.string().describe('What it is called; of an approved version, what it was called then'),
      asOf: z.string().nullable(),
      approval: approval
        .nullable()
        .describe('Of the version asked for, or else the last one; as of a day, the last one until then'),
    })
    .meta({ id: 'StatementOfApplicability' }),
  refusals: ['conflict'],
  run: async ({ tx, caller }, which) => forReader(caller, await find(tx, which)) as never,
})

export const exportStatementOfApplicability = operation({
  name: 'exportStatementOfApplicability',
  method: 'GET',
  path: `${path}/file`,
  needs: andAuditors(needs),
  // A PDF is set by another process: nothing waits for that with a transaction.
  writes: 'own',
  title: 'Export the statement of applicability as a file',
  description: 'Of an approved version, the same PDF to the byte each time.',
  input: z.strictObject({
    ...WHICH,
    format: z
      .enum(['xlsx', 'csv', 'pdf'])
      .default('xlsx')
      .meta({ title: 'Format' })
      .describe('pdf for auditors, xlsx for people, csv for programs'),
  }),
  answers: 'stream',
  output: streamed,
  refusals: ['conflict'],
  run: async ({ transaction, caller, parts }, { format, ...which }) => {
    const [read, now] = await transaction(({ tx }) => Promise.all([find(tx, which), tx.now]))
    const found = forReader(caller, read)
    const approved = which.version === undefined ? null : found.approval
    const bytes =
      format === 'pdf'
        ? await writePdf(parts, caller.organizationId, statementDocument({ ...found, approved, now }))
        : await wholeFile(format, ...statementSheets({ ...found, approved }))
    return new Streamed({
      name: `${fileNameOf(found.framework, approved?.version)}.${format}`,
      type: TYPES[format],
      bytes: bytes.length,
      open: async function* () {
        yield bytes
      },
    })
  },
})

/** By what stands last in a key, which may be a URN; a version of it is told from the draft. */
function fileNameOf({ key, edition }: { key: string; edition: string }, version: number | undefined): string {
  const called = `statement-of-applicability-${key.split(':').at(-1)}-${edition}`
  return version === undefined ? called : `${called}-version-${version}`
}

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
} as const

export const listStatementsOfApplicability = operation({
  name: 'listStatementsOfApplicability',
  method: 'GET',
  path: `${path}/versions`,
  needs,
  writes: false,
  title: 'List the approved statements of applicability of a framework',
  description: 'The last one first.',
  input: z.strictObject({ id: ID }),
  output: z.object({ data: z.array(approval) }).meta({ id: 'StatementApprovalList' }),
  run: async ({ tx }, { id }) => {
    const [[there], data] = await Promise.all([
      tx.read(findThere(tx.organizationId, id)),
      tx.read(listVersions(tx.organizationId, id)),
    ])
    if (!there) throw notFound()
    return { data } as never
  },
})

/** What is approved is kept as it is; the framework says which version is the last. */
export const approveStatementOfApplicability = operation({
  name: 'approveStatementOfApplicability',
  method: 'POST',
  path: `${path}/approve`,
  needs: leastRole('admin'),
  writes: true,
  on: {
    kind: 'framework',
    button: 'Approve statement',
    when: { status: ['active', 'retiring'] },
  },
  title: 'Approve the statement of applicability of a framework',
  description:
    'Keeps it as it stands now, under the next number and with its hash: what changes later changes no version.',
  input: z.strictObject({ id: ID, ifMatch: IF_MATCH, note: NOTE.optional() }),
  output: recordSchema(framework),
  headers: IF_MATCH_HEADER,
  refusals: ['version_mismatch', 'conflict'],
  example: { id: 'fwk_01k9f8qxk2e9mbz6w0h5t4v3ra' },
  run: async (context, { id, ifMatch, note }) => {
    const { tx, caller } = context
    const { before, time } = await lockRecord(context, tableOf(framework), id, ifMatch)
    const { framework: said, rows } = await readStatement(tx, id)
    refuseUnanswered(rows)
    const content = JSON.stringify({ framework: said, rows })
    const approval = {
      version: ((before.statement as { version: number } | null)?.version ?? 0) + 1,
      approvedAt: time,
      approvedBy: actorOf(caller),
      sha256: hashOf(content),
    }
    const { version, approvedBy, sha256 } = approval
    tx.write(
      keep(tx.organizationId, id, version, time, JSON.stringify(approvedBy), sha256, content, note ?? null),
    )
    return (await changeRecord(context, framework, id, { set: { statement: approval } })) as never
  },
})

/** @throws {Refusal} `validation_failed`, naming the first that says nothing */
function refuseUnanswered(rows: readonly StatementRow[]): void {
  const asked = rows.filter(({ assessable }) => assessable)
  if (asked.length === 0)
    throw invalid({ path: 'id', message: 'has no requirement in scope: there is nothing to approve' })
  const without = asked.find((row) => row.applicability === 'not_applicable' && !row.justification)
  if (without)
    throw invalid({
      path: 'id',
      message: `leaves out ${without.key} without a justification: give one first`,
    })
}

/** Leaves the references of evidence out for callers that cannot read evidence. */
const forReader = <Found extends { readonly rows: readonly StatementRow[] }>(
  caller: Caller,
  found: Found,
): Found =>
  mayRead(caller, kinds.evidence as unknown as Kind)
    ? found
    : { ...found, rows: found.rows.map(({ evidence: _, ...row }) => row) }

/** @throws {Refusal} `not_found`; `conflict` for a version that was changed past the service */
async function find(tx: Transaction, { id, asOf, version }: Which) {
  if (asOf !== undefined && version !== undefined)
    throw invalid({ path: 'asOf', message: 'is of no approved version: give a day or a version' })
  const [[approved], [last], [organization]] = await Promise.all([
    tx.read<{ content: string }>(findContent(tx.organizationId, id, version ?? 0)),
    tx.read<Approval>(findVersion(tx.organizationId, id, version ?? null, asOf ?? null)),
    tx.read<{ name: string }>(findOrganization(tx.organizationId)),
  ])
  if (version !== undefined && !approved)
    throw invalid({
      path: 'version',
      message: 'is none that was approved: listStatementsOfApplicability has those',
    })
  if (approved) refuseOtherHash(approved.content, last?.sha256, `Version ${version}`)
  const said = approved
    ? (JSON.parse(approved.content) as z.output<typeof stated>)
    : await readStatement(tx, id, asOf)
  return {
    ...said,
    organization: (approved && last?.organizationName) || organization!.name,
    asOf: approved ? null : (asOf ?? null),
    approval: last ?? null,
  }
}

type Approval = z.output<typeof approval> & { readonly organizationName: string | null }

const APPROVAL = `version, approved_at as "approvedAt", approved_by as "approvedBy", sha256, note,
  organization_name as "organizationName"
  from applicability_statements where organization_id = $1 and framework_id = $2`

const findOrganization = statement(`select name from organizations where id = $1`)
const findThere = statement(`select from frameworks where organization_id = $1 and id = $2`)
const listVersions = statement(`select ${APPROVAL} order by version desc`)
const findVersion = statement(
  `select ${APPROVAL} and ($3::int is null or version = $3)
      and ($4::date is null or approved_at < ${MOMENT.replace('$DAY', '$4')})
    order by version desc limit 1`,
)
const findContent = statement(
  `select content from applicability_statements where organization_id = $1 and framework_id = $2 and version = $3::int`,
)
const keep = statement(`
  insert into applicability_statements
    (organization_id, framework_id, version, approved_at, approved_by, sha256, content, note, organization_name)
  select $1, $2, $3::int, $4, $5::jsonb, $6, $7, $8::text, o.name from organizations o where o.id = $1`)
