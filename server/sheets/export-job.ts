import { z } from 'zod'
import { needsToRead } from '../../model/access.ts'
import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import type { Caller } from '../caller/caller.ts'
import { jobKind } from '../jobs/job-kind.ts'
import { findJob, jobDetail } from '../jobs/job-record.ts'
import { startJob } from '../jobs/start-job.ts'
import { andAuditors, operation, scope } from '../operation.ts'
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

const Input = z.strictObject({
  type: z.string(),
  format: z.enum(FORMATS),
  words: z.enum(['shown', 'keys']),
  filters: z.record(z.string(), z.unknown()),
  total: z.int(),
  /** The kinds of all records that stand in the file or are named there. */
  reads: z.array(z.string()),
})

export const exportRecords = jobKind<typeof Input, ExportPlace>({
  name: 'exportRecords',
  title: 'Export a list',
  about: ({ type }) => kindByName(type).noun.many,
  input: Input,
  needs: scope(),
  needsFor: ({ type, reads, filters }) => [
    ...reads.map((name) => needsToRead(kindByName(name))),
    ...needsOfFilters(kindByName(type), filters),
  ],
  writes: false,
  isPrivate: true,
  isTold: true,
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
        const { parts, next, done } = await writePiece(context, format, exported, place)
        for (const { section, bytes } of parts) context.append(bytes, section)
        context.progress(done, next ? Math.max(total, done) : done)
        if (next) return next
        context.result({ name: fileName(kind, format, await context.tx.now), type: typeOf(format) })
        return null
      })
    while (await piece());
    return undefined
  },
})

export const startExport = operation({
  name: 'startExport',
  method: 'POST',
  path: '/v1/exports',
  needs: andAuditors(scope(...new Set(everyKind.flatMap((kind) => needsToRead(kind).anyOf)))),
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
