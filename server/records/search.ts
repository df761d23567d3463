import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { needsToRead } from '../../model/access.ts'
import { text } from '../../model/fields.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { compareNaturally } from '../../model/natural-order.ts'
import { scope } from '../../model/needs.ts'
import { levelsOf } from '../../model/relations.ts'
import { BITMAPS_ALONE } from '../database/bitmaps.ts'
import { build } from '../database/build.ts'
import type { Query } from '../database/connect.ts'
import { NATURALLY } from '../database/natural-order.ts'
import { operation } from '../operation.ts'
import { attentionSchema, withAttention } from './attention.ts'
import { WORDS_AT_MOST, wordsOf } from './list/search.ts'
import { readableKinds } from './readable.ts'

/*
 * One search over the records of all kinds, for whoever types a few letters and wants to be there.
 *
 * It reads known_records as the gate: under the row security of the tenant no index could be used, since what compares
 * texts is not leakproof. The organization is not handed in but taken from the setting of the transaction, as the
 * policies take it.
 *
 * However many records there are, few of them are read. First those that are near: the one with this reference, those
 * whose name begins with what was typed, and among the newest of each kind those that have all words. Where words are
 * as common as that many of the newest have them, these are enough, and to gather all others would take the longer the
 * more there are: the index notes each record that it finds before it hands out the first. Where a few of the newest have
 * them, as many more of these are looked at as that share promises to be enough. Where next to none has, the index has
 * the others, and they are few. What a reader may not read is left out before any of that is counted: else it would stand
 * in the place of what they may.
 */

const ROWS = 20
/** So many of the newest of each kind are looked at; where so many have the words, the words are common. */
const NEWEST_OF_EACH = 400
const COMMON = 60
/** What a smaller share of the newest has is left to the index, which notes at most about that share of all. */
const RARE = 0.005
/** So much more is looked at than that share promises. */
const MARGIN = 1.5
/** Of those that begin alike, and of those that the index has, no more are compared. */
const COMPARED_AT_MOST = 300

/** What the index knows any of: letters and numbers, and signs of other scripts. */
const INDEXED = /[a-z0-9]|[^\0-\x7f]/i

const foundRecord = z
  .object({
    type: z.string().describe('Its kind'),
    id: z.string(),
    reference: z.string().nullable(),
    title: z.string(),
    state: z.string().nullable(),
    level: z.enum([...new Set(everyKind.flatMap(levelsOf))]).nullable(),
    archived: z.boolean(),
    attention: attentionSchema,
  })
  .meta({ id: 'FoundRecord', title: 'A record that a search found' })

/** What the records of all kinds are found by, in one call. */
export const search = operation({
  name: 'search',
  method: 'GET',
  path: '/v1/search',
  needs: scope(...new Set(everyKind.flatMap((kind) => needsToRead(kind).anyOf))),
  writes: false,
  title: 'Find records of any kind',
  description: `By names, references, codes and descriptions: the ${ROWS} that fit best, of the kinds that you may read. To filter or to page, use the list of a kind.`,
  input: z.strictObject({
    q: text('Search')
      .refine((q) => wordsOf(q).length <= WORDS_AT_MOST, `has more than ${WORDS_AT_MOST} words: use fewer`)
      .describe('Words in any order, or a reference such as RSK-12; all of them are in what is found'),
  }),
  output: z.object({ data: z.array(foundRecord) }).meta({ id: 'FoundRecords' }),
  example: { q: 'gateway' },
  run: async ({ tx, caller }, { q }) => {
    const kinds = readableKinds(caller)
    const wanted = {
      q,
      kinds: kinds.map(({ name }) => name),
      prefixes: kinds.map(({ idPrefix }) => idPrefix),
    }
    const near = await tx.readAsGate<Near>(findNear(wanted))
    return { data: await withAttention(tx, ranked([...near, ...(await others())])) }

    async function others(): Promise<Found[]> {
      const { found = 0, looked = 0 } = near[0] ?? {}
      if (found >= COMMON) return []
      if (found > 0 && found >= RARE * looked) {
        const types = new Set(near.map(({ type }) => type))
        const those = kinds.filter(({ name }) => types.has(name))
        const each = Math.ceil((MARGIN * COMMON * looked) / found / those.length)
        return tx.readAsGate<Found>(
          findNewest(
            q,
            those.map(({ idPrefix }) => idPrefix),
            each,
          ),
        )
      }
      if (!INDEXED.test(q)) return []
      tx.write(BITMAPS_ALONE)
      return tx.readAsGate<Found>(findEverywhere(wanted))
    }
  },
})

export interface Wanted {
  readonly q: string
  /** What may be found: names of kinds, and in the same order the prefixes of their ids. */
  readonly kinds: readonly string[]
  readonly prefixes: readonly string[]
}

interface Found extends Omit<z.input<typeof foundRecord>, 'attention'> {
  /** How well it fits, from 0. */
  readonly rank: number
  /** How many there are with it. */
  readonly found: number
}

interface Near extends Found {
  /** How many of the newest were looked at. */
  readonly looked: number
}

/** The best of them, each once; what is archived comes last. */
function ranked(rows: readonly Found[]): Found[] {
  const each = [...new Map(rows.map((row) => [row.id, row])).values()]
  const order = (one: Found, other: Found) =>
    Number(one.archived) - Number(other.archived) ||
    one.rank - other.rank ||
    compareNaturally(one.title, other.title) ||
    (one.id < other.id ? -1 : 1)
  return each.sort(order).slice(0, ROWS)
}

/** The record with this reference, those that are called so, and those of the newest that have all words. */
export function findNear({ q, kinds, prefixes }: Wanted): Query {
  const typed = normalized(q.trim())
  const all = sql`select * from known_records where organization_id = current_organization() and kind = any(${kinds})`
  const looked = sql`
    select count(*)::int from unnest(${prefixes}::text[]) prefix, lateral (${newestOf(NEWEST_OF_EACH)}) newest`
  const called = sql`(normalize_for_search(array[called])) collate "C"`
  return build(
    best(
      q,
      sql`
      (${all} and reference = upper(${q.trim()}))
      union all
      (${all} and ${called} >= ${typed} and ${called} < ${typed} || chr(1114111)
        order by ${called} limit ${COMPARED_AT_MOST})
      union all
      (${newestThatHave(q, prefixes, NEWEST_OF_EACH)})`,
      looked,
    ),
  )
}

/** Those of the newest of each kind that have all words, as far as they are needed. */
const findNewest = (q: string, prefixes: readonly string[], ofEach: number): Query =>
  build(best(q, sql`${newestThatHave(q, prefixes, ofEach)} limit ${COMMON}`))

const newestThatHave = (q: string, prefixes: readonly string[], ofEach: number): RawBuilder<unknown> => sql`
  select newest.* from unnest(${prefixes}::text[]) prefix, lateral (${newestOf(ofEach)}) newest
   where ${hasAll(q, sql`newest.texts`)}`

/** Of the kind whose ids begin with `prefix`. */
const newestOf = (count: number): RawBuilder<unknown> => sql`
  select * from known_records
   where organization_id = current_organization()
     and id > prefix || '_' collate "C" and id < prefix || '_{' collate "C"
   order by id desc limit ${count}`

/** Those that the index over the texts has. */
export const findEverywhere = ({ q, kinds }: Wanted): Query =>
  build(
    best(
      q,
      sql`select * from known_records
           where organization_id = current_organization()
             and kind = any(${kinds}) and ${hasAll(q, sql.ref('texts'))} limit ${COMPARED_AT_MOST}`,
    ),
  )

/** The best of them, each with how well it fits, and how many there are. */
function best(q: string, candidates: RawBuilder<unknown>, looked = sql`select 0`): RawBuilder<unknown> {
  const typed = normalized(q.trim())
  const begins = wordsOf(q).map((word) => sql`strpos(' ' || name, ' ' || ${normalized(word)}) > 0`)
  const isIn = wordsOf(q).map((word) => sql`strpos(name, ${normalized(word)}) > 0`)
  const isWord = wordsOf(q).map(
    (word) => sql`strpos(texts || ' ', ' ' || letters_for_search(${normalized(word)}) || ' ') > 0`,
  )
  return sql`
    select kind as type, id, reference, called as title, state, level, archived_at is not null as archived,
           case when reference = upper(${q.trim()}) then 0
                when name = ${typed} then 1
                when starts_with(name, ${typed}) then 2
                when ${sql.join(begins, sql` and `)} then 3
                when ${sql.join(isIn, sql` and `)} then 4
                when ${sql.join(isWord, sql` and `)} then 5
                else 6 end as rank,
           count(*) over ()::int as found, (${looked}) as looked
      from (select distinct on (id) *, normalize_for_search(array[called]) as name from (${candidates}) candidates) readable
     order by archived, rank, called ${sql.raw(NATURALLY)}, id limit ${ROWS}`
}

const normalized = (typed: string): RawBuilder<unknown> => sql`normalize_for_search(array[${typed}::text])`

/** That a text has all words. */
const hasAll = (q: string, texts: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${sql.join(
    wordsOf(q).map((word) => has(word, texts)),
    sql` and `,
  )})`

/** Of a reference the index is asked for its number alone: the letters before it stand in all records of a kind. */
function has(word: string, texts: RawBuilder<unknown>): RawBuilder<unknown> {
  const [, number] = /^[a-z]+(-\d+)$/i.exec(word) ?? []
  if (!number) return sql`${texts} like search_pattern(${word})`
  return sql`${texts} like ${`%${number}%`} and strpos(${texts}, ${word.toLowerCase()}) > 0`
}
