import { columnOf } from '../../model/column-names.ts'
import { type Fact, type Facts, NO_FACTS } from '../../model/fact.ts'
import { isChild } from '../../model/family.ts'
import type { Kind } from '../../model/kind.ts'
import { actingUserOf } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'

/**
 * What the rules of a kind are given beside the record (model/fact.ts): one statement each, all sent together, and with
 * whatever else the caller has sent.
 * @param record its id and its parent's: of a new one the parent's alone, of one that stands its own alone
 */
export async function readFacts(
  { tx, caller }: Pick<TransactionContext, 'tx' | 'caller'>,
  kind: Kind,
  record: { readonly id: string } | { readonly parent: unknown },
): Promise<Facts> {
  const facts = Object.entries(kind.facts)
  if (facts.length === 0) return NO_FACTS
  const [isNew, subject] = 'id' in record ? [false, record.id] : [true, record.parent ?? null]
  const user = actingUserOf(caller)
  const read = await Promise.all(
    facts.map(async ([name, one]) => {
      const [row = null] = await tx.read(statementOf(kind, one, isNew)(tx.organizationId, subject, user))
      return [name, one.schema.parse(row)] as const
    }),
  )
  return Object.fromEntries(read)
}

const statements = new Map<Fact, Map<boolean, ReturnType<typeof statement>>>()

function statementOf(kind: Kind, fact: Fact, isNew: boolean): ReturnType<typeof statement> {
  const both = statements.get(fact) ?? new Map<boolean, ReturnType<typeof statement>>()
  statements.set(fact, both)
  const known = both.get(isNew)
  if (known) return known
  const parent = isChild(kind)
    ? `(select r.${columnOf(kind.under.field)} from ${kind.table} r, asked where r.organization_id = asked.organization and r.id = asked.record)`
    : 'null::text'
  const asked = isNew
    ? 'null::text as record, $2::text as parent'
    : '$2::text as record, null::text as parent'
  const places: Readonly<Record<string, string>> = {
    organization: '(select organization from asked)',
    record: '(select record from asked)',
    user: '(select acting_user from asked)',
    parent: isNew ? '(select parent from asked)' : parent,
  }
  const sql = fact.sql.replace(/\{(\w+)\}/g, (_, name: string) => places[name]!)
  const made = statement(
    `with asked as materialized (select $1::text as organization, ${asked}, $3::text as acting_user) select facts.* from (${sql}) facts`,
  )
  both.set(isNew, made)
  return made
}
