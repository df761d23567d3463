import { columnOf } from '../../model/column-names.ts'
import type { Values } from '../../model/complaint.ts'
import { type Fact, type Facts, NO_FACTS } from '../../model/fact.ts'
import { isChild } from '../../model/family.ts'
import { storageOf } from '../../model/fields.ts'
import { type Kind, principalFields } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { principalColumns } from '../../model/roles.ts'
import { actingUserOf, isPerson } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { TransactionContext } from '../operation.ts'

/**
 * What the rules of a kind are given beside the record (model/fact.ts): one statement each, all sent together, and with
 * whatever else the caller has sent. What asks for the organization alone is read once in a transaction, and so is what
 * asks besides for a record that is not there yet, which is the same for all of these.
 * @param record its id and its parent's: of a new one the parent's alone, of one that stands its own alone
 * @param wanted the values that it is to have, where they are others than it has
 */
export async function readFacts(
  { tx, caller }: Pick<TransactionContext, 'tx' | 'caller'>,
  kind: Kind,
  record: { readonly id: string } | { readonly parent: unknown },
  wanted: Values,
): Promise<Facts> {
  const facts = Object.entries(kind.facts)
  if (facts.length === 0) return NO_FACTS
  const [isNew, subject] = 'id' in record ? [false, record.id] : [true, record.parent ?? null]
  const user = actingUserOf(caller)
  const person = isPerson(caller) ? user : null
  const read = await Promise.all(
    facts.map(async ([name, one]) => {
      const { ask, fields, isOfOrganization } = askedOf(kind, one, isNew)
      const read = async () => {
        const values = fields.flatMap((field) => [field in wanted, textOf(wanted[field])])
        const [row = null] = await tx.read(ask(tx.organizationId, subject, user, person, ...values))
        return one.schema.parse(row)
      }
      return [name, await (isOfOrganization ? onceIn(tx, ask, read) : read())] as const
    }),
  )
  return Object.fromEntries(read)
}

/** An id or another text; of a principal their id, and several ids with spaces between them. */
const textOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.join(' ')
    : (typeof value === 'object' && (value as { refId?: string } | null)?.refId) || (value ?? null)

const known = new WeakMap<Transaction, Map<Asked['ask'], Promise<unknown>>>()

function onceIn(tx: Transaction, ask: Asked['ask'], read: () => Promise<unknown>): Promise<unknown> {
  const before = known.get(tx) ?? new Map<Asked['ask'], Promise<unknown>>()
  known.set(tx, before)
  const row = before.get(ask) ?? read()
  before.set(ask, row)
  return row
}

/**
 * A fact, asked of $1, the organization, $2, the record or the parent, $3, the user, and $4, the same in person; and then
 * two values a field.
 */
interface Asked {
  readonly ask: ReturnType<typeof statement>
  /** Those it names: whether each is given another value, and which. */
  readonly fields: readonly string[]
  /** Whether it tells of nothing else, so that all records of a transaction are told the same. */
  readonly isOfOrganization: boolean
}

const askedOf = (kind: Kind, fact: Fact, isNew: boolean): Asked =>
  (isNew ? ofNew : ofStanding)(kind).get(fact)!
const ofNew = once((kind: Kind) => askedOfEach(kind, true))
const ofStanding = once((kind: Kind) => askedOfEach(kind, false))
const askedOfEach = (kind: Kind, isNew: boolean): ReadonlyMap<Fact, Asked> =>
  new Map(Object.values(kind.facts).map((fact) => [fact, makeAsked(kind, fact, isNew)]))

function makeAsked(kind: Kind, fact: Fact, isNew: boolean): Asked {
  const of = (field: string) =>
    `(select ${valueIn(kind, field)} from ${kind.table} r, asked where r.organization_id = asked.organization and r.id = asked.record)`
  const parent = isChild(kind) ? of(kind.under.field) : 'null::text'
  const asked = isNew
    ? 'null::text as record, $2::text as parent'
    : '$2::text as record, null::text as parent'
  const places: Readonly<Record<string, string>> = {
    organization: '(select organization from asked)',
    record: '(select record from asked)',
    user: '(select acting_user from asked)',
    person: '(select in_person from asked)',
    parent: isNew ? '(select parent from asked)' : parent,
  }
  const named = [...fact.sql.matchAll(PLACE)].map(([, name]) => name!)
  const fields = [...new Set(named.filter((name) => !(name in places)))]
  const placeOf = (field: string): number => 5 + 2 * fields.indexOf(field)
  const isGiven = (field: string): string => `$${placeOf(field)}::boolean`
  const willHold = (field: string): string =>
    `(case when ${isGiven(field)} then $${placeOf(field) + 1}::text else ${isNew ? 'null' : of(field)} end)`
  const sql = fact.sql.replace(
    PLACE,
    (_, name: string, asks?: string) => places[name] ?? (asks ? isGiven(name) : willHold(name)),
  )
  const ask = statement(
    `with asked as materialized (select $1::text as organization, ${asked}, $3::text as acting_user, $4::text as in_person) select facts.* from (${sql}) facts`,
  )
  return {
    ask,
    fields,
    isOfOrganization: named.every((name) => name === 'organization' || (isNew && name === 'record')),
  }
}

/** What a field holds, in a row `r`. */
function valueIn(kind: Kind, field: string): string {
  if (storageOf(kind.fields[field]!) === 'text[]') return `array_to_string(r.${columnOf(field)}, ' ')`
  if (!principalFields(kind).includes(field)) return `r.${columnOf(field)}`
  const { user, personnel } = principalColumns(field)
  return `coalesce(r.${user}, r.${personnel})`
}

/** Whether its facts tell of the organization alone, so that many of its records are told the same. */
export const tellOfOrganization = (kind: Kind): boolean =>
  Object.values(kind.facts).every((fact) => askedOf(kind, fact, false).isOfOrganization)

const PLACE = /\{(\w+)(\?)?\}/g
