import { z } from 'zod'
import type { FindingSla } from '../../model/finding-sla.ts'
import {
  ALWAYS_SET,
  FINDING_SLA,
  ORGANIZATION_APPROVALS,
  ORGANIZATION_DEADLINES,
  ORGANIZATION_FEATURES,
  ORGANIZATION_FIELDS,
  ORGANIZATION_SECURITY,
} from '../../model/organization.ts'
import type { Caller } from '../caller/caller.ts'
import { type Row, statement } from '../database/connect.ts'
import { lockedRow } from '../database/locked-row.ts'
import type { Transaction } from '../database/transaction.ts'
import { lockFactors } from '../identity/factor-changes.ts'
import { refuseMoved } from '../input.ts'
import { audit, movedBetween } from '../journal/audit.ts'
import { capability, confirmed, operation, scope } from '../operation.ts'
import { timestamp } from '../output.ts'
import { movingDeadlines } from '../records/move-deadlines.ts'
import { lockEndsOfDays } from '../records/move-ends-of-days.ts'
import { IF_MATCH, READ_ONLY } from '../records/schemas.ts'
import { notFound, Refusal } from '../refusal.ts'
import { followSla } from './finding-sla.ts'

const features = z.strictObject(
  Object.fromEntries(
    Object.entries(ORGANIZATION_FEATURES).map(([name, schema]): [string, z.ZodType] => [
      name,
      schema.optional(),
    ]),
  ),
)

const SET_BY_SERVICE = ['status', 'version', 'createdAt', 'updatedAt'] as const
const FIELDS = Object.keys({ ...ORGANIZATION_FIELDS, ...ORGANIZATION_SECURITY, ...ORGANIZATION_APPROVALS })
/** What is given by name: what is not named in them stays as it is. */
const BY_NAME = ['features', 'findingSlaDays'] as const

const organization = z
  .object({
    id: z.string(),
    ...Object.fromEntries(
      Object.entries(ORGANIZATION_FIELDS).map(([field, schema]): [string, z.ZodType] => [
        field,
        ALWAYS_SET.has(field) ? schema : schema.nullable(),
      ]),
    ),
    ...ORGANIZATION_SECURITY,
    ...ORGANIZATION_APPROVALS,
    ...ORGANIZATION_DEADLINES,
    features: z.record(z.string(), z.boolean()),
    status: z.enum(['active', 'suspended', 'closed']),
    version: z.int(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Organization', title: 'Organization' })

export const getOrganization = operation({
  name: 'getOrganization',
  method: 'GET',
  path: '/v1/organization',
  needs: scope('read:organization'),
  writes: false,
  title: 'Read the organization',
  input: z.strictObject({}),
  output: organization,
  run: async ({ tx }) => found(await tx.read(select(tx.organizationId))) as never,
})

export const updateOrganization = operation({
  name: 'updateOrganization',
  method: 'PATCH',
  path: '/v1/organization',
  needs: confirmed(capability('settings.manage'), 'secondFactorRequired'),
  writes: true,
  title: 'Change the organization',
  description:
    'What is absent stays, null clears. A feature or a severity that is not named stays as it is. Due dates that were given as a day stay that day in another time zone. Where findingSlaDays or timezone moves due dates of security findings, a job does that. previewFindingSla counts both before.',
  input: z.strictObject({
    ifMatch: IF_MATCH,
    id: READ_ONLY,
    ...Object.fromEntries(
      Object.entries(ORGANIZATION_FIELDS).map(([field, schema]): [string, z.ZodType] => [
        field,
        ALWAYS_SET.has(field) ? schema.optional() : schema.nullable().optional(),
      ]),
    ),
    secondFactorRequired: ORGANIZATION_SECURITY.secondFactorRequired.optional(),
    allowSelfApproval: ORGANIZATION_APPROVALS.allowSelfApproval.optional(),
    features: features.optional(),
    findingSlaDays: z
      .strictObject(FINDING_SLA)
      .partial()
      .optional()
      .meta({ title: ORGANIZATION_DEADLINES.findingSlaDays.meta()!.title! })
      .describe('By severity, in days; null: no date'),
    ...Object.fromEntries(SET_BY_SERVICE.map((field) => [field, READ_ONLY])),
  }),
  output: organization,
  headers: { ifMatch: 'if-match' },
  refusals: ['conflict'],
  annotations: { idempotent: true },
  run: async (context, { ifMatch, ...input }) => {
    const { tx, caller } = context
    const { before, time } = lockedRow<Row>(await tx.read(lock(tx.organizationId)), ifMatch)
    refuseMoved(['id', ...SET_BY_SERVICE], before, input)
    const given = input as Record<string, unknown>
    const after = {
      ...before,
      ...Object.fromEntries(
        FIELDS.flatMap((field) => (given[field] === undefined ? [] : [[field, given[field]]])),
      ),
      ...Object.fromEntries(
        BY_NAME.map((field) => [
          field,
          { ...(before[field] as object), ...(given[field] as object | undefined) },
        ]),
      ),
    } as Row
    const changes = movedBetween([...FIELDS, ...BY_NAME], before, after)
    if (given.findingSlaDays || changes.timezone) await followSla(context, slaOf(after))
    if (Object.keys(changes).length === 0) return before as never
    const moveEnds = changes.timezone
      ? await lockEndsOfDays(context, String(before.timezone), String(after.timezone))
      : null
    const moveDeadlines = changes.timezone ? movingDeadlines(tx, String(after.timezone)) : null
    if (changes.secondFactorRequired?.to) await refuseWithoutFactor(tx, caller)
    const record = { ...after, version: (before.version as number) + 1, updatedAt: time } as Row
    tx.write(
      update(
        tx.organizationId,
        ...FIELDS.map((field) => record[field] ?? null),
        ...BY_NAME.map((field) => JSON.stringify(record[field])),
        record.version,
        time,
      ),
    )
    await moveEnds?.()
    moveDeadlines?.()
    if (changes.timezone)
      for (const move of moveExpiries) tx.write(move(tx.organizationId, before.timezone, after.timezone))
    audit(tx, caller, {
      time,
      action: 'organization.update',
      subject: { type: 'organization', id: tx.organizationId, title: String(record.name) },
      changes,
    })
    return record as never
  },
})

const slaOf = ({ findingSlaDays, timezone }: Row) =>
  ({ days: findingSlaDays, timezone }) as unknown as FindingSla

/**
 * Who asks everybody for a second factor has one: themselves, or by the provider that vouches for them. The operator
 * of the service asks for the organization, and is nobody in it.
 */
async function refuseWithoutFactor(tx: Transaction, caller: Caller): Promise<void> {
  const { credential } = caller
  if (credential.type === 'operator' || (credential.type === 'session' && credential.providerId)) return
  const { hasSecondFactor } = await lockFactors(tx, caller.accountId)
  if (!hasSecondFactor)
    throw new Refusal(
      'conflict',
      'You have no second factor yourself: set one up under Account, Security, then require one of everyone.',
    )
}

function found([row]: Row[]): Row {
  if (!row) throw notFound()
  return row
}

export const ORGANIZATION_COLUMNS = `id, name, legal_name as "legalName", website, industry, size, country, locale, timezone, currency,
  security_contact as "securityContact", second_factor_required as "secondFactorRequired",
  allow_self_approval as "allowSelfApproval", features, finding_sla_days as "findingSlaDays", status, version, created_at as "createdAt", updated_at as "updatedAt"`

const select = statement(`select ${ORGANIZATION_COLUMNS} from organizations where id = $1`)

/** Credentials that hold until the end of a day: parameters are the organization, and the zones of before and now. */
const moveExpiries = ['api_keys', 'guest_passes'].map((table) =>
  statement(`
    update ${table}
       set expires_at = deadline_moment((expires_at at time zone $2)::date, null, -1, $3) - interval '1 millisecond'
     where organization_id = $1 and expires_at > clock_now() and revoked_at is null
       and expires_at = deadline_moment((expires_at at time zone $2)::date, null, -1, $2) - interval '1 millisecond'`),
)

const lock = statement(`
  select greatest(clock_now(), updated_at + interval '1 millisecond') as write_time, ${ORGANIZATION_COLUMNS}
    from organizations where id = $1 for no key update`)

const update = statement(`
  update organizations
     set name = $2, legal_name = $3, website = $4, industry = $5, size = $6, country = $7, locale = $8,
         timezone = $9, currency = $10, security_contact = $11, second_factor_required = $12, allow_self_approval = $13,
         features = $14, finding_sla_days = $15, version = $16, updated_at = $17
   where id = $1`)
