import { type RawBuilder, sql } from 'kysely'
import { columnOf } from '../../../model/column-names.ts'
import { type Kind, principalFields } from '../../../model/kind.ts'
import { principalColumns } from '../../../model/roles.ts'

/**
 * A search finds the records that have all of its words, in any order and anywhere in a word: in their texts, external
 * id and labels, as their reference, or in the name of who they belong to. Case and accents make no difference.
 *
 * Each row is looked at. No index could help: row-level security keeps from indexes what is not leakproof, and words
 * may begin in the middle of others. So what is compared stands ready in one column (migrations/0024), and the owners
 * that a word names are found before, once for all rows.
 */
export function matches(kind: Kind, organizationId: string, q: string): RawBuilder<unknown> {
  return sql.join(
    wordsOf(q).map((word) => hasWord(kind, organizationId, word)),
    sql` and `,
  )
}

/** Each is looked for in every row, and among all who may own one. */
export const WORDS_AT_MOST = 20

/** The longest first: it is the one that most rows lack, and no other is looked for in those. */
export const wordsOf = (q: string): string[] =>
  [...new Set(q.split(/\s+/u))].filter((word) => word !== '').sort((a, b) => b.length - a.length)

function hasWord(kind: Kind, organizationId: string, word: string): RawBuilder<unknown> {
  const wanted = sql`(select normalize_for_search(array[${word}::text]))`
  const owned = principalFields(kind)
    .map(principalColumns)
    .flatMap(({ user, personnel }) => [
      sql`${sql.ref(`r.${user}`)} = any(array(
        select m.user_id from members m where m.organization_id = ${organizationId}
           and strpos(normalize_for_search(array[m.name]), ${wanted}) > 0))`,
      // Whoever has it in the name has it in the texts, and those are normalized already.
      sql`${sql.ref(`r.${personnel}`)} = any(array(
        select p.id from personnel p where p.organization_id = ${organizationId}
           and strpos(p.search_text, ${wanted}) > 0
           and strpos(normalize_for_search(array[p.full_name]), ${wanted}) > 0))`,
    ])
  const [number] = numbersOf(kind, [word])
  const any = [
    sql`strpos(r.search_text, ${wanted}) > 0`,
    ...(number === undefined ? [] : [sql`r.reference_number = ${number}`]),
    ...owned,
  ]
  return sql`(${sql.join(any, sql` or `)})`
}

/** Which records are called by one of these references. */
export const isReferred = (kind: Kind, references: readonly string[]): RawBuilder<unknown> =>
  kind.referencedBy
    ? sql`${sql.ref(`r.${columnOf(kind.referencedBy)}`)} = any(${references})`
    : sql`r.reference_number = any(${numbersOf(kind, references)})`

/** The numbers of those that are references of the kind, such as RSK-12. */
const numbersOf = (kind: Kind, references: readonly string[]): number[] =>
  references.flatMap((reference) => {
    const [prefix, number] = reference.split('-')
    const isOne = prefix?.toUpperCase() === kind.referencePrefix && /^\d{1,9}$/.test(number ?? '')
    return isOne ? [Number(number)] : []
  })
