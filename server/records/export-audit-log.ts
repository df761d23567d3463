import { sign } from 'node:crypto'
import { z } from 'zod'
import { moment, momentBefore } from '../../model/fields.ts'
import { type Row, statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { AUDIT_COLUMNS, audit } from '../journal/audit.ts'
import { checkpointOf, shown, writeCheckpoint } from '../journal/checkpoints.ts'
import { ENTRY_FIELDS, exportBytes, hex } from '../journal/seal.ts'
import { sealOrganization, unsealedOf } from '../journal/sealer.ts'
import { publicKeys, type SigningKey, signingKey } from '../journal/signing-keys.ts'
import { andAuditors, capability, type OwnContext, operation, type TransactionContext } from '../operation.ts'
import { Refusal } from '../refusal.ts'
import { inExportTurn } from './export-turns.ts'
import { PAGE } from './paging.ts'

/**
 * The audit log with its seals, as a file that anybody can verify: its pages are the file's lines, to be written one
 * after another (docs/audit-log.md has the format). The first page seals what is not sealed yet and signs from where
 * to where the file will go; what is committed later is not in it, but for entries that were there and could not be
 * sealed, which stand at the end and say so.
 */
export const exportAuditLog = operation({
  name: 'exportAuditLog',
  method: 'POST',
  path: '/v1/audit-log/export',
  needs: andAuditors(capability('settings.manage')),
  writes: 'own',
  title: 'Export the audit log with its seals',
  description:
    'Answers the lines of a file, page by page, which `plumbline audit verify` checks without this service. With a span of time it is an excerpt: every seal from the first to the last that falls into it.',
  input: z.strictObject({
    from: moment().optional().describe('At or after'),
    to: momentBefore(),
    limit: z.int().min(1).max(1_000).default(500).meta({ title: 'Page size' }),
    cursor: PAGE.cursor,
  }),
  output: z.object({
    lines: z.array(z.string()).describe('To be written as they are, each with a line feed behind it'),
    nextCursor: z.string().nullable(),
  }),
  run: (context, input) => inExportTurn(() => exportPage(context, input)),
})

interface Asked extends Span {
  readonly limit: number
  readonly cursor?: string | undefined
}

async function exportPage(context: OwnContext, { limit, cursor, ...span }: Asked) {
  if (cursor === undefined) await context.transaction(noteExport)
  const begun =
    cursor === undefined ? await begin(context, span) : { place: read(cursor, context), lines: [] }
  const { transaction } = context
  const { place } = begun
  const page = await transaction(({ tx }) => readPage(tx, place, limit))
  const lines = [...begun.lines, ...page.lines]
  const next: Place = {
    ...place,
    after: page.to,
    sealed: place.sealed + page.sealed,
    checkpoints: place.checkpoints + page.checkpoints,
  }
  if (page.to < place.last) return { lines: lines.map(textOf), nextCursor: write(context, next) }
  const younger = await unsealedLines(context, place)
  const footer = {
    organizationId: context.caller.organizationId,
    lastSeq: place.last,
    sealed: next.sealed,
    checkpoints: next.checkpoints,
    unsealed: younger.map(({ entryHash }) => entryHash),
  }
  const end = signed('footer', footer, await signingKey(context.parts))
  return { lines: [...lines, ...younger, end].map(textOf), nextCursor: null }
}

/** Before the file is begun, so that it holds the entry. */
async function noteExport({ tx, caller }: TransactionContext): Promise<void> {
  const { organizationId } = tx
  audit(tx, caller, {
    time: await tx.now,
    action: 'audit_log.export',
    subject: { type: 'audit_log', id: organizationId },
  })
}

interface Span {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/**
 * Where an export is: fixed when it began, but for `after` and what is counted. Nothing was sealed where `last` is 0.
 */
const Place = z.strictObject({
  organizationId: z.string(),
  from: z.string().optional(),
  to: z.string().optional(),
  last: z.int().min(0),
  after: z.int().min(0),
  sealed: z.int().min(0),
  checkpoints: z.int().min(0),
})
type Place = z.output<typeof Place>

async function begin({ parts, caller, transaction }: OwnContext, span: Span) {
  const { organizationId } = caller
  await sealOrganization(parts.database.engine, organizationId)
  const { first, last, now } = await transaction(async ({ tx }) => {
    // The time comes before the range: a checkpoint of another export that is older than this one is then in the range.
    const now = await tx.now
    const [range] = await tx.read(
      span.from || span.to
        ? rangeOf(organizationId, span.from ?? null, span.to ?? null)
        : wholeRange(organizationId),
    )
    return { ...(range as { first: number; last: number }), now }
  })
  if (last > 0) await writeCheckpoint(parts, organizationId, last)
  const key = await signingKey(parts)
  const header = {
    format: 'plumbline audit log v1',
    organizationId,
    exportedAt: now,
    from: span.from ?? null,
    to: span.to ?? null,
    firstSeq: first,
    lastSeq: last,
    publicKeys: await publicKeys(parts),
  }
  return {
    place: { organizationId, ...span, last, after: Math.max(0, first - 1), sealed: 0, checkpoints: 0 },
    lines: [signed('header', header, key)],
  }
}

function signed(part: 'header' | 'footer', told: object, { id, privateKey }: SigningKey): object {
  const value = { ...told, keyId: id }
  const signature = sign(null, exportBytes(part, textOf(value)), privateKey)
  return { [part]: value, signature: signature.toString('base64') }
}

/** Seals from `after` on, and each checkpoint behind the seal that it is of. */
async function readPage(tx: Transaction, { after, last }: Place, limit: number) {
  const { organizationId } = tx
  const sealed = await tx.read(readSealed(organizationId, after, last, limit))
  const to = sealed.length < limit ? last : (sealed.at(-1)!.seq as number)
  const checkpoints = (await tx.read(readCheckpoints(organizationId, after, to))).map(checkpointOf)
  const ofSeq = Map.groupBy(checkpoints, ({ seq }) => seq)
  const lines = sealed.map((row) => {
    const signed = ofSeq.get(row.seq as number) ?? []
    return [lineOf(row), ...signed.map((one) => ({ checkpoint: shown(one) }))]
  })
  const all: object[] = lines.flat()
  return { lines: all, to, sealed: sealed.length, checkpoints: all.length - sealed.length }
}

async function unsealedLines({ parts, caller, transaction }: OwnContext, { from, to }: Place) {
  const ids = await unsealedOf(parts.database.engine, caller.organizationId)
  if (ids.length === 0) return []
  const rows = await transaction(({ tx }) =>
    tx.read(readUnsealed(tx.organizationId, ids, from ?? null, to ?? null)),
  )
  return rows.map(lineOf)
}

/** An entry that somebody took out of the table leaves its seal, and a line that says so. */
function lineOf(row: Row) {
  const entry = Object.fromEntries(ENTRY_FIELDS.map((field, index) => [field, row[AUDIT_COLUMNS[index]!]]))
  const seal = { seq: row.seq, entryId: row.entry_id, sealedAt: row.sealed_at }
  return {
    entry: row.id === null ? null : entry,
    entryHash: row.id === null ? null : hex(row.hash as Buffer),
    seal:
      row.seq === null
        ? null
        : { ...seal, prevHash: hex(row.prev_hash as Buffer), hash: hex(row.seal_hash as Buffer) },
  }
}

const textOf = (line: object): string => JSON.stringify(line)

/** The end of the file is signed by what a cursor has counted, so it carries a keyed hash: nobody can make one. */
function write({ parts }: OwnContext, place: Place): string {
  const told = Buffer.from(JSON.stringify(place)).toString('base64url')
  return `${told}.${parts.keyring.hash(forHash(told)).toString('base64url')}`
}

const forHash = (told: string) => JSON.stringify(['audit log export', told])

function read(cursor: string, { caller, parts }: OwnContext): Place {
  const [told = '', given = ''] = cursor.split('.')
  const isOurs = parts.keyring.hashes(forHash(told)).some((hash) => hash.toString('base64url') === given)
  const place = Place.safeParse(isOurs ? parsed(told) : null)
  if (!place.success || place.data.organizationId !== caller.organizationId)
    throw new Refusal('malformed_request', 'The cursor is not one of this export: start again without it.')
  return place.data
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}

/** Text as it was hashed: PostgreSQL keeps `json` letter by letter. */
const JSON_COLUMNS = ['actor', 'subject', 'changes']
const ENTRY = AUDIT_COLUMNS.map((name) =>
  JSON_COLUMNS.includes(name) ? `e.${name}::text as ${name}` : `e.${name}`,
).join(', ')
const SEAL = 's.seq, s.entry_id, s.prev_hash, s.hash as seal_hash, s.sealed_at'
const JOINED = 'e.organization_id = s.organization_id and e.id = s.entry_id'

const RANGE = 'select coalesce(min(s.seq), 0) as first, coalesce(max(s.seq), 0) as last'
const wholeRange = statement(`${RANGE} from audit_seals s where s.organization_id = $1`)
const rangeOf = statement(`
  ${RANGE} from audit_entries e join audit_seals s on ${JOINED}
   where e.organization_id = $1 and e.time >= coalesce($2, '-infinity'::timestamptz)
     and e.time < coalesce($3, 'infinity'::timestamptz)`)

const readSealed = statement(`
  select ${ENTRY}, ${SEAL} from audit_seals s left join audit_entries e on ${JOINED}
   where s.organization_id = $1 and s.seq > $2 and s.seq <= $3 order by s.seq limit $4`)

const readCheckpoints = statement(`
  select * from audit_checkpoints c
   where c.organization_id = $1 and c.seq > $2 and c.seq <= $3 order by c.seq, c.time`)

const readUnsealed = statement(`
  select ${ENTRY}, null as seq from audit_entries e
   where e.organization_id = $1 and e.id = any($2) and e.time >= coalesce($3, '-infinity'::timestamptz)
     and e.time < coalesce($4, 'infinity'::timestamptz) order by e.id`)
