import { email as emailField } from '../../model/fields.ts'
import type { Role } from '../../model/scopes.ts'
import { type Database, statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { NATURALLY } from '../database/natural-order.ts'
import type { Transaction } from '../database/transaction.ts'
import { invalid } from '../refusal.ts'
import { hashNewPassword, isPassword } from './passwords.ts'

/** In one form, however it was written: the form somebody first gave is told to nobody. */
export const email = emailField('E-mail').toLowerCase()

/** A person as they sign in: one e-mail and one password, however many organizations they belong to. */
export interface Person {
  /** Of the account; each organization calls them by an id of its own (`newMemberId`). */
  readonly id: string
  readonly email: string
  readonly known: boolean
  readonly passwordHash: string | null
}

/** What one organization will call a person: it tells nothing of what they are called in another. */
export const newMemberId = (): string => newId('usr')

/**
 * The person of an e-mail, or a new one with this password. Hashes, so call it outside a transaction.
 *
 * @param given `names`: of the person and the organization, which a new password must not be made of
 * @param path what the password is called where it was given
 * @throws {Refusal} `validation_failed` for a new password that is guessed first; and where they are known and the
 *   password is not theirs: nobody changes the password of somebody else by naming their e-mail. It lets guess, so
 *   it is for whoever holds the database
 */
export async function personOf(
  database: Database,
  given: { email: string; password?: string | undefined; names: readonly string[] },
  path: string,
): Promise<Person> {
  const { rows } = await database.gate.query(find(given.email))
  const known = rows[0] as { id: string; email: string; password_hash: string | null } | undefined
  if (!known) {
    const passwordHash =
      given.password === undefined
        ? null
        : await hashNewPassword(given.password, [given.email, ...given.names], path)
    return { id: newId('acc'), email: given.email, known: false, passwordHash }
  }
  if (given.password !== undefined && !(await isPassword(given.password, known.password_hash)))
    throw invalid({ path, message: `${known.email} is known here already: leave the password out` })
  return { id: known.id, email: known.email, known: true, passwordHash: known.password_hash }
}

/** Writes a person who is new; @throws the e-mail's conflict where somebody was quicker. */
export async function keepPerson(tx: Transaction, person: Person): Promise<string> {
  if (!person.known) await tx.readAsGate(insert(person.id, person.email, person.passwordHash))
  return person.id
}

/**
 * The account of an e-mail that somebody invites, made where there is none. It does the same for who is known
 * here and who is not, in one statement: an organization learns nothing of a person before they join it.
 */
export async function accountOfInvited(tx: Transaction, email: string): Promise<string> {
  const [account] = await tx.readAsGate<{ id: string }>(findOrInsert(newId('acc'), email))
  return account!.id
}

const find = statement('select id, email, password_hash from users where lower(email) = lower($1)')

const insert = statement(
  'insert into users (id, email, password_hash, created_at) values ($1, $2, $3, clock_now())',
)

/** The update changes nothing: it answers with the row that is there. */
const findOrInsert = statement(`
  insert into users as u (id, email, created_at) values ($1, $2, clock_now())
  on conflict (lower(email)) do update set email = u.email
  returning id`)

/** The organizations where a person is active, by name; and whether they lack the second factor it asks for. */
export async function organizationsOf(
  { database }: { database: Database },
  accountId: string,
): Promise<{ id: string; name: string; role: Role; lacksSecondFactor: boolean }[]> {
  return (await database.gate.query(mine(accountId))).rows
}

const mine = statement(`
  select o.id, o.name, m.role, o.second_factor_required and not u.has_second_factor as "lacksSecondFactor"
    from members m join organizations o on o.id = m.organization_id join users u on u.id = m.account_id
   where m.account_id = $1 and m.status = 'active' and o.status = 'active' order by o.name ${NATURALLY}, o.id`)
