import { z } from 'zod'
import { serviceCaller } from '../caller/service.ts'
import { type Row, statement } from '../database/connect.ts'
import { type Transaction, transaction } from '../database/transaction.ts'
import { jobKind } from '../jobs/job-kind.ts'
import { startJobOfService } from '../jobs/start-job.ts'
import { entryOfService, insertEntry } from '../journal/audit.ts'
import { ADMINS, tell } from '../journal/tell.ts'
import { type Parts, scope } from '../operation.ts'
import { scan } from './clamd.ts'
import { keyOfContent, keyOfInfected } from './keys.ts'

/**
 * The scan of what was sent, as a job. Until it has an answer nobody gets the bytes. What is infected is moved to where
 * nothing looks that gives bytes away, for whoever operates the service to look at, and goes as everything does that
 * nothing points at; its admins are told. It is copied before its row says so, and removed from its old place after
 * that: what a kill leaves in either, the sweep finds.
 *
 * A scanner that is away is asked again, later each time; once the job has given up, the clock begins another.
 */
export const scanFile = jobKind({
  name: 'scanFile',
  title: 'Scan a file',
  input: z.object({ contentId: z.string() }),
  needs: scope(),
  perOrganization: 2,
  keptDays: 1,
  run: async ({ job, input, parts, step, transaction }) => {
    const { filesScan } = parts.config
    const { organizationId } = job
    const { contentId } = input
    const bytes = await transaction(({ tx }) => waiting(tx, contentId))
    // Another job was there first.
    if (bytes === null) return undefined
    const kept = keyOfContent(organizationId, contentId)
    const verdict = filesScan ? await scan(filesScan, parts.files.open(kept)) : null
    const isInfected = verdict !== null && verdict.finding !== null
    if (isInfected)
      await parts.files.put(keyOfInfected(organizationId, contentId), parts.files.open(kept), bytes)
    await step(async ({ tx }) => {
      await write(tx, contentId, verdict)
      return null
    })
    if (isInfected) await parts.files.remove(kept)
    return undefined
  },
})

/** How many bytes there are of what waits for the scanner; null of what does not. */
async function waiting(tx: Transaction, contentId: string): Promise<number | null> {
  const [row] = await tx.read<{ bytes: string }>(readWaiting(tx.organizationId, contentId))
  return row ? Number(row.bytes) : null
}

export async function scanContent(parts: Parts, tx: Transaction, contentId: string): Promise<void> {
  await startJobOfService(parts, tx, scanFile, { contentId })
}

/** Scans anew what has been waiting for long. */
export async function scanWaiting(parts: Parts): Promise<void> {
  const { rows } = await parts.database.gate.query<Row>(takeWaiting())
  for (const { organizationId, id } of rows as unknown as { organizationId: string; id: string }[])
    await transaction(parts.database.tenant, organizationId, (tx) => scanContent(parts, tx, id))
}

/** @param verdict null where the service has no scanner any more */
async function write(
  tx: Transaction,
  contentId: string,
  verdict: { finding: string | null } | null,
): Promise<void> {
  const scanned = verdict === null ? 'unscanned' : verdict.finding === null ? 'clean' : 'infected'
  const finding = verdict?.finding ?? null
  const [rows, time] = await Promise.all([
    tx.read<Row>(note(tx.organizationId, contentId, scanned, finding)),
    tx.now,
  ])
  if (finding === null) return
  for (const { id, name } of rows as unknown as { id: string; name: string }[]) {
    const event = {
      time,
      action: 'file.find_infected',
      subject: { type: 'file', id, title: name },
      reason: finding,
    } as const
    tx.write(insertEntry(...entryOfService(tx.organizationId, SCANNER, event)))
  }
  tell(
    tx,
    serviceCaller(tx.organizationId, SCANNER),
    (rows as unknown as { name: string }[]).map(({ name }) => ({
      kind: 'file_infected',
      who: ADMINS,
      facts: { about: name, finding, page: '/evidence' },
    })),
  )
}

const SCANNER = { id: 'scanner', displayName: 'Virus scanner' }

const readWaiting = statement(
  "select bytes from file_contents where organization_id = $1 and id = $2 and scan = 'waiting'",
)

const note = statement(`
  with content as (
    update file_contents set scan = $3, finding = $4
     where organization_id = $1 and id = $2 and scan = 'waiting' returning id)
  select f.id, f.name from files f join content c on f.content_id = c.id where f.organization_id = $1 order by f.id`)

const takeWaiting = statement(`
  update file_contents set scan_started_at = clock_now()
   where scan = 'waiting' and scan_started_at <= clock_now() - interval '1 hour'
  returning organization_id as "organizationId", id`)
