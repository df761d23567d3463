import { z } from 'zod'
import { ORGANIZATION_FIELDS } from '../../model/organization.ts'
import type { Caller } from '../caller/caller.ts'
import { operator } from '../caller/operator.ts'
import { type Database, type Row, statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { type Transaction, transaction } from '../database/transaction.ts'
import { password } from '../identity/passwords.ts'
import { email, keepPerson, newMemberId, personOf } from '../identity/people.ts'
import { parseInput } from '../input.ts'
import { audit, movedBetween } from '../journal/audit.ts'
import type { Parts } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { MEMBER_FIELDS } from './members.ts'
import { ORGANIZATION_COLUMNS } from './organization.ts'

/** What precedes every caller: the organizations themselves, as the operator of the service sees them. */
export interface NewOrganization {
  readonly name: string
  readonly adminEmail: string
  readonly adminName?: string | undefined
  /** Required for a person who is new here; for one who is known, theirs or none. */
  readonly adminPassword?: string | undefined
  /** How it writes dates and numbers; what is not said is as for every organization that says nothing. */
  readonly locale?: string
  readonly timezone?: string
}

const shape = z.strictObject({
  name: ORGANIZATION_FIELDS.name,
  adminEmail: email,
  adminName: MEMBER_FIELDS.name.optional(),
  adminPassword: password.optional(),
  locale: ORGANIZATION_FIELDS.locale.optional(),
  timezone: ORGANIZATION_FIELDS.timezone.optional(),
})

type Given = z.output<typeof shape>

/**
 * Makes an organization and its first admin, in one transaction with its audit entries. A person who is
 * known already joins with the password they have, so that nobody takes over a login by naming its e-mail.
 * @param by who makes it, once it has an id
 * @param alongside what else is to happen in that transaction, first
 * @throws {Refusal} `validation_failed`, with the field named
 */
export async function createOrganization(
  parts: Parts,
  given: NewOrganization,
  by: (organizationId: string) => Caller = operator,
  alongside: (tx: Transaction) => Promise<void> = async () => {},
): Promise<{ organizationId: string; userId: string; accountId: string }> {
  const { name, adminEmail, adminPassword, ...others } = parseInput({ input: shape }, given) as Given
  const { adminName = adminEmail.split('@')[0]!, ...formats } = others
  const person = await personOf(
    parts.database,
    { email: adminEmail, password: adminPassword, names: [name, adminName] },
    'adminPassword',
  )
  if (!person.known && adminPassword === undefined)
    throw invalid({ path: 'adminPassword', message: `${adminEmail} is new here: give a password` })

  const organizationId = newId('org')
  const userId = newMemberId()
  const caller = by(organizationId)
  await transaction(parts.database.tenant, organizationId, async (tx) => {
    await alongside(tx)
    const time = await tx.now
    await tx.readAsGate(
      insertOrganization(organizationId, name, time, formats.locale ?? 'en', formats.timezone ?? 'UTC'),
    )
    const accountId = await keepPerson(tx, person)
    tx.write(insertAdmin(organizationId, userId, accountId, adminName, time))
    audit(tx, caller, {
      time,
      action: 'organization.create',
      subject: { type: 'organization', id: organizationId, title: name },
      changes: { name: { from: null, to: name } },
    })
    const admin = { email: person.email, name: adminName, role: 'admin', status: 'active' }
    audit(tx, caller, {
      time,
      action: 'user.create',
      subject: { type: 'user', id: userId, title: adminName },
      changes: movedBetween(Object.keys(admin), {}, admin),
    })
  })
  return { organizationId, userId, accountId: person.id }
}

/** Every organization of the service, the oldest first. */
export async function listOrganizations(database: Database): Promise<Row[]> {
  return (await database.gate.query(list())).rows
}

/**
 * @param wanted an id, or the exact name where only one organization has it
 * @throws {Refusal} `not_found`, or `conflict` where the name is not enough
 */
export async function findOrganization(
  database: Database,
  wanted: string,
): Promise<{ id: string; features: Caller['features'] }> {
  const { rows } = await database.gate.query(find(wanted))
  if (rows.length > 1)
    throw new Refusal(
      'conflict',
      `${rows.length} organizations are called ${wanted}: give the id of the one you mean.`,
      {
        ids: rows.map((row) => row.id),
      },
    )
  if (!rows[0])
    throw new Refusal(
      'not_found',
      `There is no organization ${wanted}: \`organization list\` shows all of them.`,
    )
  return rows[0]
}

const insertOrganization = statement(
  'insert into organizations (id, name, created_at, updated_at, locale, timezone) values ($1, $2, $3, $3, $4, $5)',
)

const insertAdmin = statement(`
  insert into members (organization_id, user_id, account_id, name, role, status, created_at, updated_at)
  values ($1, $2, $3, $4, 'admin', 'active', $5, $5)`)

const list = statement(`select ${ORGANIZATION_COLUMNS} from organizations order by created_at, id`)

const find = statement(`
  select id, features from organizations
   where id = $1 or (normalize(name) = normalize($1) and not exists (select from organizations where id = $1))
   order by created_at, id`)
