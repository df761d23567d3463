import { createHash } from 'node:crypto'
import { z } from 'zod'
import { day, instant } from '../../model/fields.ts'
import { actor, type Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { leastRole } from '../../model/needs.ts'
import { Streamed, streamed } from '../bytes.ts'
import { actorOf } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { operation } from '../operation.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from '../records/schemas.ts'
import { changeRecord } from '../records/store.ts'
import { lockRecord } from '../records/stored-record.ts'
import { tableOf } from '../records/table.ts'
import { invalid, notFound } from '../refusal.ts'
import { wholeFile } from '../sheets/whole-file.ts'
import { readStatement } from './statement.ts'
import { type StatementRow, statementRow } from './statement-row.ts'
import { statementSheet } from './statement-sheet.ts'

const framework = kinds.framework as unknown as Kind
const needs = kinds.framework.access.read
const path = '/v1/frameworks/{id}/statement-of-applicability'

const approval = z
  .object({
    version: z.int().describe('From 1; each approval is another'),
    approvedAt: instant('Approved'),
    approvedBy: actor,
    sha256: z.string().describe('Of the JSON of `framework` and `rows` as they were approved'),
  })
  .meta({ id: 'StatementApproval' })

const WHICH = {
  id: ID,
  asOf: day('As of').optional().describe('As it was at the end of this day; now, where it is left out'),
  version: z.int().min(1).optional().describe('As it was approved under this number, in place of asOf'),
}

const stated = z.object({
  framework: z.object({
    id: z.string(),
    key: z.string(),
    edition: z.string(),
    name: z.string(),
    implementationGroup: z.string().nullable(),
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
  title: 'Read the statement of applicability of a framework',
  description:
    'Each requirement in scope in its order: whether it applies and why, its result, and the controls it is met by; as of now, of a day, or as it was approved.',
  input: z.strictObject(WHICH),
  output: stated
    .extend({
      asOf: z.string().nullable(),
      approval: approval.nullable().describe('Of the version asked for, or else the last one'),
    })
    .meta({ id: 'StatementOfApplicability' }),
  run: async ({ tx }, which) => (await find(tx, which)) as never,
})

export const exportStatementOfApplicability = operation({
  name: 'exportStatementOfApplicability',
  method: 'GET',
  path: `${path}/file`,
  needs,
  writes: false,
  title: 'Export the statement of applicability as a file',
  input: z.strictObject({
    ...WHICH,
    format: z
      .enum(['xlsx', 'csv'])
      .default('xlsx')
      .meta({ title: 'Format' })
      .describe('xlsx for people, csv for programs'),
  }),
  answers: 'stream',
  output: streamed,
  run: async ({ tx }, { format, ...which }) => {
    const found = await find(tx, which)
    const bytes = await wholeFile(format, statementSheet(found))
    return new Streamed({
      name: `statement-of-applicability-${found.framework.key}-${found.framework.edition}.${format}`,
      type:
        format === 'csv'
          ? 'text/csv; charset=utf-8'
          : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      bytes: bytes.length,
      open: async function* () {
        yield bytes
      },
    })
  },
})

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
    button: 'Approve the statement of applicability',
    when: { status: ['active', 'retiring'] },
  },
  title: 'Approve the statement of applicability of a framework',
  description:
    'Keeps it as it stands now, under the next number and with its hash: what changes later changes no version.',
  input: z.strictObject({ id: ID, ifMatch: IF_MATCH }),
  output: recordSchema(framework),
  headers: IF_MATCH_HEADER,
  refusals: ['version_mismatch', 'conflict'],
  example: { id: 'fwk_01k9f8qxk2e9mbz6w0h5t4v3ra' },
  run: async (context, { id, ifMatch }) => {
    const { tx, caller } = context
    const { before, time } = await lockRecord(context, tableOf(framework), id, ifMatch)
    const { framework: said, rows } = await readStatement(tx, id)
    refuseUnanswered(rows)
    const content = JSON.stringify({ framework: said, rows })
    const approval = {
      version: ((before.statement as { version: number } | null)?.version ?? 0) + 1,
      approvedAt: time,
      approvedBy: actorOf(caller),
      sha256: createHash('sha256').update(content).digest('hex'),
    }
    const { version, approvedBy, sha256 } = approval
    tx.write(keep(tx.organizationId, id, version, time, JSON.stringify(approvedBy), sha256, content))
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

/** @throws {Refusal} `not_found` */
async function find(tx: Transaction, { id, asOf, version }: Which) {
  const [[approved], [last]] = await Promise.all([
    tx.read<{ content: string }>(findContent(tx.organizationId, id, version ?? 0)),
    tx.read(findVersion(tx.organizationId, id, version ?? null)),
  ])
  if (version !== undefined && !approved)
    throw invalid({
      path: 'version',
      message: 'is none that was approved: listStatementsOfApplicability has those',
    })
  const said = approved
    ? (JSON.parse(approved.content) as z.output<typeof stated>)
    : await readStatement(tx, id, asOf)
  return {
    ...said,
    asOf: approved ? null : (asOf ?? null),
    approval: (last ?? null) as z.output<typeof approval> | null,
  }
}

const APPROVAL = `version, approved_at as "approvedAt", approved_by as "approvedBy", sha256
  from applicability_statements where organization_id = $1 and framework_id = $2`

const findThere = statement(`select from frameworks where organization_id = $1 and id = $2`)
const listVersions = statement(`select ${APPROVAL} order by version desc`)
const findVersion = statement(
  `select ${APPROVAL} and ($3::int is null or version = $3) order by version desc limit 1`,
)
const findContent = statement(
  `select content from applicability_statements where organization_id = $1 and framework_id = $2 and version = $3::int`,
)
const keep = statement(`
  insert into applicability_statements (organization_id, framework_id, version, approved_at, approved_by, sha256, content)
  values ($1, $2, $3::int, $4, $5::jsonb, $6, $7)`)
