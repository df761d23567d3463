import { z } from 'zod'
import { needsToRead } from '../../model/access.ts'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import type { Caller } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import { jobKind } from '../jobs/job-kind.ts'
import { findJob, jobDetail } from '../jobs/job-record.ts'
import { sendMail } from '../jobs/send-mail.ts'
import { startJob, startJobOfNone } from '../jobs/start-job.ts'
import { exportReadyMail } from '../mail/messages.ts'
import { operation, scope, type TransactionContext } from '../operation.ts'
import { countRecords, parseFilters } from '../records/list.ts'
import { needsOfFilters } from '../records/readable.ts'
import { kindByName } from './bulk-change.ts'
import { EXPORT_SHAPE, fileName } from './exports.ts'
import { childrenShown, sidesShown } from './rows.ts'
import { type ExportPlace, FORMATS, typeOf, writePiece } from './write-export.ts'

/*
 * An export of any size: a job writes the file, which is kept for some days. It is for whoever asked for it and nobody
 * else, and only while they may read all that stands in it.
 */

/** For so long the file can be had. */
const KEPT_DAYS = 3
/** Who waited longer than this may do something else meanwhile, and is told by mail. */
const MAILED_AFTER_MS = 60_000

interface Place {
  readonly since: string
  readonly at: ExportPlace
}

const Input = z.strictObject({
  type: z.string(),
  format: z.enum(FORMATS),
  words: z.enum(['shown', 'keys']),
  filters: z.record(z.string(), z.unknown()),
  total: z.int(),
  /** The kinds of all records that stand in the file or are named there. */
  reads: z.array(z.string()),
})

export const exportRecords = jobKind<typeof Input, Place>({
  name: 'exportRecords',
  title: 'Export a list',
  input: Input,
  needs: scope(),
  needsFor: ({ type, reads, filters }) => [
    ...reads.map((name) => needsToRead(kindByName(name))),
    ...needsOfFilters(kindByName(type), filters),
  ],
  isPrivate: true,
  perOrganization: 1,
  waitingAtMost: 100,
  waitingAtMostEach: 10,
  keptDays: KEPT_DAYS,
  run: async ({ input: { type, format, words, filters, total }, step }) => {
    const kind = kindByName(type)
    const exported = { kind, filters, asWords: words }
    const piece = () =>
      step(async (context) => {
        const { place } = context
        const now = await context.tx.now
        const { parts, next, done } = await writePiece(context, format, exported, place?.at ?? null)
        for (const { section, bytes } of parts) context.append(bytes, section)
        context.progress(done, next ? Math.max(total, done) : done)
        const since = place?.since ?? now
        if (next) return { since, at: next }
        context.result({ name: fileName(kind, format, now), type: typeOf(format) })
        if (Date.parse(now) - Date.parse(since) > MAILED_AFTER_MS) await mail(context, kind)
        return null
      })
    while (await piece());
    return undefined
  },
})

/** Tells whoever started it; a program asks by itself. */
async function mail({ tx, caller, parts }: TransactionContext, kind: Kind): Promise<void> {
  if (!parts.mail || caller.credential.type !== 'session') return
  const [to] = await tx.readAsGate<{ email: string; organization: string }>(
    findPerson(tx.organizationId, caller.userId),
  )
  const address = new URL('/account/jobs', parts.config.publicUrl).href
  const given = { what: kind.noun.many, address, days: KEPT_DAYS }
  if (to)
    await startJobOfNone(
      parts,
      tx,
      sendMail,
      exportReadyMail(to.email, { organization: to.organization, ...given }),
    )
}

const findPerson = statement(`
  select u.email, o.name as organization
    from members m join users u on u.id = m.account_id join organizations o on o.id = m.organization_id
   where m.organization_id = $1 and m.user_id = $2`)

export const startExport = operation({
  name: 'startExport',
  method: 'POST',
  path: '/v1/exports',
  needs: scope(...new Set(everyKind.flatMap((kind) => needsToRead(kind).anyOf))),
  needsFor: (input) => {
    const kind = everyKind.find(({ name }) => name === input.type)
    return kind ? [needsToRead(kind), ...needsOfFilters(kind, (input.filters ?? {}) as Values)] : []
  },
  writes: true,
  title: 'Export a list of any length',
  description: `A job makes the file: ask getJob until it has succeeded, and getJobResult for the file within ${KEPT_DAYS} days. It is for whoever started it alone.`,
  input: z.strictObject({
    type: z
      .enum(everyKind.map(({ name }) => name) as [string, ...string[]])
      .meta({ title: 'Type' })
      .describe('The kind of the records'),
    filters: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ title: 'Filters' })
      .describe('Those of its list, and its sort'),
    ...EXPORT_SHAPE,
  }),
  output: jobDetail,
  example: { type: 'risk', filters: { status: ['identified'], sort: 'createdAt' }, format: 'xlsx' },
  refusals: ['conflict'],
  location: ({ id }) => `/v1/jobs/${id}`,
  run: async (context, { type, filters, format, words }) => {
    const kind = kindByName(type)
    const given = parseFilters(kind, filters ?? {})
    const id = await startJob(context, exportRecords, {
      ...{ type, format, words, filters: given },
      total: await countRecords(context, kind, given),
      reads: readFor(context.caller, kind),
    })
    return findJob(context, id)
  },
})

/** Whose records an export names, as far as its caller may read them. */
const readFor = (caller: Caller, kind: Kind): string[] => {
  const all = [kind, ...childrenShown(caller, kind), ...sidesShown(caller, kind).map(({ other }) => other)]
  return [...new Set(all.map(({ name }) => name))]
}
