import { z } from 'zod'
import { timeZone } from '../../model/fields.ts'
import type { FindingSla } from '../../model/finding-sla.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { ENDED } from '../../model/kinds/security-finding-rules.ts'
import { FINDING_SLA } from '../../model/organization.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { jobKind } from '../jobs/job-kind.ts'
import { startJob } from '../jobs/start-job.ts'
import { capability, operation, type TransactionContext } from '../operation.ts'
import { countEndsOfDays } from '../records/move-ends-of-days.ts'
import { rederiveRecords } from '../records/rederive.ts'

/*
 * By when security findings are to be resolved, where nobody said it of each: so many days after they were detected,
 * by how grave they are. A finding takes its date from the setting whenever it is written. So a change of the setting
 * is followed by a job that writes those whose date is another now (rederive.ts), each with its entry and its signal. Dates that somebody set stay, and so do those of findings that have ended.
 *
 * None is left out: who writes a finding holds the setting until they are done (the fact of the kind), so that a change
 * of it waits for them, and who comes later reads it as it is then.
 */

const securityFinding = kinds.security_finding as unknown as Kind

/** So many are written in one transaction: others wait for one of them no longer than that takes. */
const PIECE = 50

interface Place {
  /** The id of the last that was moved. */
  readonly after: string
  readonly done: number
  readonly total: number
}

const Nothing = z.strictObject({})

/** Moves the dates of findings to where the setting has them, in the order of their ids. */
export const moveFindingDueDates = jobKind<typeof Nothing, Place>({
  name: 'moveFindingDueDates',
  title: 'Move the due dates of security findings',
  input: Nothing,
  needs: capability('settings.manage'),
  perOrganization: 1,
  keptDays: 30,
  run: async ({ step }) => {
    const piece = () =>
      step(async (context) => {
        const { tx, place, progress } = context
        const sla = await readSla(tx)
        const { after, done, total } = place ?? {
          after: '',
          done: 0,
          total: (await countMoving(tx, sla)).moves,
        }
        const rows = await tx.read<{ id: string }>(selectMoving(...asked(tx, sla), after, PIECE))
        const ids = rows.map(({ id }) => id)
        await rederiveRecords(context, securityFinding, ids, 'The days to resolve findings changed')
        const moved = done + ids.length
        progress(moved, Math.max(moved, total))
        return ids.length === PIECE ? { after: ids.at(-1)!, done: moved, total } : null
      })
    while (await piece());
    return undefined
  },
})

/** Starts the job, where a date is another by this setting. */
export async function followSla(context: TransactionContext, sla: FindingSla): Promise<void> {
  const { moves } = await countMoving(context.tx, sla)
  if (moves > 0) await startJob(context, moveFindingDueDates, {})
}

export const previewFindingSla = operation({
  name: 'previewFindingSla',
  method: 'POST',
  path: '/v1/organization/finding-sla-preview',
  needs: capability('settings.manage'),
  writes: false,
  title: 'Count the due dates that a setting would move',
  description:
    'What updateOrganization would do to security findings with the same values; without any, what is still to be moved. Dates that somebody set, and those of findings that have ended, stay.',
  input: z.strictObject({
    findingSlaDays: z
      .strictObject(FINDING_SLA)
      .partial()
      .optional()
      .describe('Days by severity; those that are not named stay as they are'),
    timezone: timeZone('Time zone').optional(),
  }),
  output: z
    .object({
      moves: z.int().describe('How many findings would have another date'),
      earlier: z.int().describe('How many of these an earlier one'),
      later: z.int().describe('How many of these a later one, or none any more'),
      overdue: z.int().describe('How many of these would be overdue by it'),
      keptDays: z
        .int()
        .describe(
          'How many dates of other records were given as a day and stay that day in the other time zone',
        ),
      shownOtherwise: z
        .int()
        .describe(
          'How many dates of other records are moments, which the other time zone shows on another day',
        ),
    })
    .meta({ id: 'FindingSlaPreview', title: 'What a setting would move' }),
  example: { findingSlaDays: { critical: 3 } },
  run: async ({ tx }, { findingSlaDays, timezone }) => {
    const now = await readSla(tx)
    const zone = timezone ?? now.timezone
    const [moving, [shown], keptDays] = await Promise.all([
      countMoving(tx, { days: { ...now.days, ...findingSlaDays } as FindingSla['days'], timezone: zone }),
      tx.read<{ shownOtherwise: number }>(countShown(tx.organizationId, now.timezone, zone)),
      countEndsOfDays(tx, now.timezone, zone),
    ])
    return { ...moving, ...shown!, keptDays }
  },
})

interface Moving {
  readonly moves: number
  readonly earlier: number
  readonly later: number
  readonly overdue: number
}

async function readSla(tx: Transaction): Promise<FindingSla> {
  const [sla] = await tx.read<FindingSla>(selectSla(tx.organizationId))
  return sla!
}

async function countMoving(tx: Transaction, sla: FindingSla): Promise<Moving> {
  const [counted] = await tx.read<Moving>(count(...asked(tx, sla)))
  return counted!
}

const asked = ({ organizationId }: Transaction, { days, timezone }: FindingSla) =>
  [organizationId, JSON.stringify(days), timezone] as const

const selectSla = statement('select finding_sla_days as days, timezone from organizations where id = $1')

/**
 * Findings whose date is another by a setting: $1 is the organization, $2 the days by severity, $3 the time zone. As
 * dayOfSla has it (model/finding-sla.ts), which every write of a finding goes by.
 */
const MOVING = `
    from (select id, due_date,
                 (detected_at at time zone $3)::date + ($2::jsonb ->> severity)::int as wanted
            from security_findings
           where organization_id = $1 and due_date_source = 'sla'
             and status not in (${ENDED.map((status) => `'${status}'`).join(', ')})) f
   where wanted is distinct from due_date`

const count = statement(`
  select count(*)::int as moves,
         count(*) filter (where wanted < due_date or due_date is null)::int as earlier,
         count(*) filter (where wanted > due_date or wanted is null)::int as later,
         count(*) filter (where wanted < (clock_now() at time zone $3)::date)::int as overdue
  ${MOVING}`)

const selectMoving = statement(`select id ${MOVING} and id > $4 order by id limit $5`)

/** Deadlines that are moments, of what is not done: parameters are the organization, and the zones of now and then. */
const countShown = statement(`
  select count(*)::int as "shownOtherwise" from deadlines
   where organization_id = $1 and day is null
     and ends_at <> (((ends_at at time zone $2)::date + 1)::timestamp at time zone $2) - interval '1 millisecond'
     and (ends_at at time zone $2)::date <> (ends_at at time zone $3)::date`)
