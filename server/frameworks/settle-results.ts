import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { resultsOf } from '../../model/kinds/requirement-result.ts'
import { serviceCaller } from '../caller/service.ts'
import { tryPart } from '../clock/losses.ts'
import { statement } from '../database/connect.ts'
import { transaction } from '../database/transaction.ts'
import type { Parts, TransactionContext } from '../operation.ts'
import { changeRecord } from '../records/change-record.ts'
import { Refusal } from '../refusal.ts'
import { inUnit } from '../unit-of-work.ts'

/*
 * Keeps the results of requirements.
 *
 * What a result follows from (model/kinds/requirement-result.ts) changes elsewhere: a control falls back, evidence expires,
 * a framework is activated. Lists and charts read results from the rows of requirements, so somebody has to bring these
 * up. Whatever moves a control, evidence, a link or a mapping appends to `coverage_changes` in its own transaction
 * (0088-coverage-changes.sql). This takes what was appended, organization by organization, asks which requirements it can
 * have moved, and writes those whose result is another by now: as the service, with an entry that says why. It is done
 * within a second; what a process that is killed had taken is taken again.
 */

const EVERY_MS = 500
/** Changes that are taken at once, and requirements that are written in one transaction. */
const CHANGES = 5_000
const REQUIREMENTS = 200

const requirement = kinds.requirement as unknown as Kind

/** The service itself, as entries name it. */
const KEEPER = { id: 'results', displayName: 'Coverage' }

export interface ResultKeeper {
  /** Finishes the transaction that is under way. */
  stop(): Promise<void>
}

/** Brings results up to what they follow from, twice a second. */
export function startResultKeeper(parts: Parts): ResultKeeper {
  let running: Promise<unknown> | null = null
  let isOver = false
  const timer = setInterval(() => {
    if (running) return
    running = inUnit('task', 'results of requirements', () => settleResults(parts, () => isOver))
      .catch((err) => parts.log.warn({ err }, 'results of requirements could not be brought up; trying on'))
      .finally(() => {
        running = null
      })
  }, EVERY_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      isOver = true
      await running
    },
  }
}

/**
 * Takes what has changed in every organization until nothing is left.
 * @param isOver asked between two transactions
 */
export async function settleResults(parts: Parts, isOver: () => boolean = () => false): Promise<void> {
  for (;;) {
    const { rows } = await parts.database.engine.query(findChanged())
    let taken = 0
    for (const { organizationId } of rows as { organizationId: string }[]) {
      if (isOver()) return
      // An organization that cannot be settled keeps no other. Its changes stay.
      taken +=
        (await tryPart(parts, 'results of requirements', organizationId, () =>
          settleOrganization(parts, organizationId),
        )) ?? 0
    }
    if (taken === 0) return
  }
}

/**
 * Takes what has changed in an organization by now, and brings up what it moved: some requirements in each transaction, in
 * the order of their ids, and the changes go with the last.
 * @returns how many were taken; none, where another process is at this organization
 */
async function settleOrganization(parts: Parts, organizationId: string): Promise<number> {
  let changed: readonly Changed[] | null = null
  let after: string | null = ''
  while (after !== null)
    after = await transaction(parts.database.tenant, organizationId, async (tx) => {
      const context = { tx, caller: serviceCaller(organizationId, KEEPER), parts }
      const [mine] = await tx.read<{ mine: boolean }>(hold(organizationId))
      if (!mine!.mine) return null
      changed ??= await tx.read<Changed>(look(organizationId, CHANGES))
      const moved = await tx.read<{ id: string }>(
        findMoved(organizationId, ...affectedBy(changed), after, REQUIREMENTS),
      )
      for (const { id } of moved) await bringUp(context, id)
      if (moved.length === REQUIREMENTS) return moved.at(-1)!.id
      const taken = changed.map(({ id }) => id)
      tx.write(take(organizationId, taken))
      return null
    })
  return (changed as readonly Changed[] | null)?.length ?? 0
}

interface Changed {
  readonly id: string
  readonly kind: 'requirement' | 'control' | 'evidence' | 'framework'
  readonly recordId: string
}

/**
 * Its rules say what it comes to, by what stands for it as they lock it. One that they refuse is nobody's to wait for:
 * it stays as it is, and says so in the log.
 */
async function bringUp(context: TransactionContext, id: string): Promise<void> {
  try {
    await changeRecord(context, requirement, id, { reason: 'What stands for it has changed' })
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
    context.parts.log.warn({ err, id }, 'the result of a requirement could not be brought up')
  }
}

const affectedBy = (changed: readonly Changed[]) =>
  (['requirement', 'control', 'evidence', 'framework'] as const).map((kind) => [
    ...new Set(changed.filter((one) => one.kind === kind).map(({ recordId }) => recordId)),
  ])

const findChanged = statement(
  'select distinct organization_id as "organizationId" from coverage_changes limit 1000',
)

/** Nobody waits for it but itself. */
const hold = statement(
  `select pg_try_advisory_xact_lock(hashtextextended('results of ' || $1::text, 0)) as mine`,
)

const look = statement(`
  select id, kind, record_id as "recordId" from coverage_changes where organization_id = $1 order by id limit $2::int`)

const take = statement(`delete from coverage_changes where organization_id = $1 and id = any($2::bigint[])`)

/**
 * Of the requirements that changes can have moved ($2 of requirements, $3 controls, $4 evidence, $5 frameworks) those behind
 * $6 whose result is another by now. What is mapped with one that is touched may be moved by it.
 */
const findMoved = statement(`
  with controls_touched as (
    select unnest($3::text[]) as id
    union
    select control_id from evidence_controls where organization_id = $1 and evidence_id = any($4)),
  touched as materialized (
    select unnest($2::text[]) as id
    union
    select l.requirement_id from control_requirements l join controls_touched c on c.id = l.control_id
     where l.organization_id = $1
    union
    select id from requirements where organization_id = $1 and framework_id = any($5)),
  affected as materialized (
    select id from touched
    union
    select m.mapping_target_id from requirement_mappings m join touched t on t.id = m.mapping_source_id
     where m.organization_id = $1
    union
    select m.mapping_source_id from requirement_mappings m join touched t on t.id = m.mapping_target_id
     where m.organization_id = $1),
  results as (${resultsOf('$1', 'select id from affected')})
  select r.id
    from affected a
    join requirements r on r.organization_id = $1 and r.id = a.id
    left join results s on s.requirement_id = r.id
   where not r.result_pinned and r.archived_at is null
     and (case when r.applicability = 'not_applicable' then 'not_applicable'
               else coalesce(s.result, 'not_assessed') end <> r.result
       or (r.applicability <> 'not_applicable' and coalesce(s.unproven, false)) <> coalesce(r.unproven, false))
     and r.id > $6
   order by r.id limit $7::int`)
