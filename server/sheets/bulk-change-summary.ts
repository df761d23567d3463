import { z } from 'zod'
import { statement } from '../database/connect.ts'
import { NATURALLY } from '../database/natural-order.ts'
import { operation } from '../operation.ts'
import { id, NEEDS, PATH } from './begin-bulk-change.ts'
import { findBulkChange, mappedColumns } from './bulk-change.ts'
import { isChosen, memorable } from './columns.ts'
import { namesakesIn } from './namesakes.ts'
import { shortened } from './problem-values.ts'
import { choiceProposed } from './take-cell.ts'
import { translatedIn } from './translated-words.ts'

/*
 * What a change of many records comes to, put together: of each field what it would change from and to, and of what is
 * wrong each problem once, with the rows that have it. So ten thousand rows are read at a glance.
 */

/** Of a field, the values that most records have. */
const VALUES_SHOWN = 10
const PROBLEMS_SHOWN = 100
const ROWS_SHOWN = 20
const WORDS_SHOWN = 200
const TRANSLATED_SHOWN = 500

const counted = z.object({ value: z.string(), count: z.int() })

const summary = z
  .object({
    changes: z
      .array(
        z.object({
          field: z.string().describe('The key of its column'),
          count: z.int().describe('Records of which it changes'),
          kinds: z.int().describe('In how many ways'),
          values: z
            .array(z.object({ before: z.string().nullable(), after: z.string().nullable(), count: z.int() }))
            .describe(`What it changes from and to, the most frequent ${VALUES_SHOWN}`),
        }),
      )
      .describe('Of the records that change, by field'),
    problems: z
      .array(
        z.object({
          column: z.int().nullable().describe('Its place in the file, counted from 0'),
          field: z.string().nullable(),
          message: z.string().describe('What is wrong, and what would be right'),
          isAlike: z.boolean().describe('false: it is put differently in some rows, and this is one of them'),
          count: z.int().describe('Rows that have it'),
          rows: z.array(z.int()).describe(`The first ${ROWS_SHOWN} of them`),
          records: z.array(z.string()).describe('Their records, by reference, where they are about any'),
          values: z.array(counted).describe(`What stands there, the most frequent ${ROWS_SHOWN}`),
          unknown: z
            .array(
              counted.extend({
                proposed: z
                  .string()
                  .nullable()
                  .describe('The key of the choice that it probably means; null where there is none'),
              }),
            )
            .describe(
              'The values there that match no choice or record, or not just one person: say what they mean by `meanings` of planImport, or leave them empty by `emptyUnmatched`',
            ),
        }),
      )
      .describe(`What keeps rows from being what they ask for, the most frequent ${PROBLEMS_SHOWN}`),
    emptied: z
      .array(z.object({ column: z.int(), value: z.string(), count: z.int() }))
      .describe(`Values that match nothing and are left empty, the most frequent ${WORDS_SHOWN}`),
    translated: z
      .array(
        z.object({
          column: z.int().describe('Its place in the file, counted from 0'),
          field: z.string().describe('The key of what it is taken for'),
          word: z.string().describe('As it stands there; its letters alone where it stands in no row'),
          choice: z.string().describe('The key of the choice, or the id of the person, that it stands for'),
          title: z.string().describe('What that is called'),
          count: z.int().describe('Rows that have it; 0 where it is remembered from a file before'),
        }),
      )
      .describe(
        `Words that no choice or person is called by and that were said to stand for one, at most ${TRANSLATED_SHOWN}: planImport can be told another, or to forget it`,
      ),
    namesakes: z
      .object({
        field: z.string().describe('The key of the column that names them'),
        title: z.string(),
        isUnique: z.boolean().describe('Whether no two may have the same: then they cannot be added'),
        count: z.int(),
      })
      .nullable()
      .describe(
        'Rows that would add a record, say nothing else of which one they are about, and have the field as one that is here: with field as its identity, planImport takes them for that',
      ),
  })
  .meta({ id: 'BulkChangeSummary', title: 'What a change of many records comes to' })

export const summarizeBulkChange = operation({
  name: 'summarizeBulkChange',
  method: 'GET',
  path: `${PATH}/{id}/summary`,
  needs: NEEDS,
  writes: false,
  title: 'Sum up a change of many records',
  description:
    'Of each field what it would change from and to, and each thing that is wrong with how many rows have it.',
  input: z.strictObject({ id }),
  output: summary,
  run: async (context, { id }) => {
    const { tx } = context
    const bulk = await findBulkChange(context, id)
    const [changes, problems, translated, namesakes, emptied, columns] = await Promise.all([
      tx.read<z.output<typeof summary>['changes'][number]>(changesOf(tx.organizationId, id)),
      tx.read<FoundProblem>(problemsOf(tx.organizationId, id)),
      translatedIn(context, bulk),
      namesakesIn(context, bulk),
      tx.read<z.output<typeof summary>['emptied'][number]>(emptiedOf(tx.organizationId, id)),
      bulk.origin === 'file' ? mappedColumns(context, bulk) : [],
    ])
    const proposed = (place: number | null, word: string): string | null => {
      const column = columns.find(({ index }) => index === place)?.column
      return column && isChosen(column) ? choiceProposed(column, word) : null
    }
    return {
      changes,
      namesakes,
      emptied,
      problems: problems.map((problem) => ({
        ...problem,
        unknown: asOne(problem.unknown).map((one) => ({
          ...one,
          proposed: proposed(problem.column, one.value),
        })),
      })),
      translated: translated.slice(0, TRANSLATED_SHOWN).map((one) => ({ ...one, word: shortened(one.word) })),
    }
  },
})

type Counted = z.output<typeof counted>
type FoundProblem = Omit<z.output<typeof summary>['problems'][number], 'unknown'> & { unknown: Counted[] }

/**
 * Words that differ only in capitals, spaces and signs have one meaning and are asked for once. They are shown in the
 * most frequent spelling; one with capitals goes before one without, since that is how names are written.
 */
function asOne(words: readonly Counted[]): Counted[] {
  const all = new Map<string, Counted>()
  for (const { value, count } of words) {
    const before = all.get(memorable(value))
    const shown = before && (hasCapitals(before.value) || !hasCapitals(value)) ? before.value : value
    all.set(memorable(value), { value: shown, count: (before?.count ?? 0) + count })
  }
  return [...all.values()]
}

const hasCapitals = (word: string): boolean => word !== word.toLowerCase()

const emptiedOf = statement(`
  select (one->>'column')::int as "column", one->>'value' as value, count(*)::int as count
    from bulk_change_rows, jsonb_array_elements(emptied) as one
   where organization_id = $1 and bulk_change_id = $2
   group by one->>'column', one->>'value' order by count(*) desc, one->>'value' limit ${WORDS_SHOWN}`)

const changesOf = statement(`
  with told as (
    select told->>'field' as field, told->>'before' as before, told->>'after' as after
      from bulk_change_rows, jsonb_array_elements(changes) as told
     where organization_id = $1 and bulk_change_id = $2 and planned = 'change'),
  grouped as (
    select field, before, after, count(*)::int as count,
           row_number() over (partition by field order by count(*) desc, before nulls first, after nulls first) as place
      from told group by field, before, after)
  select field, sum(count)::int as count, count(*)::int as kinds,
         json_agg(json_build_object('before', before, 'after', after, 'count', count) order by place)
           filter (where place <= ${VALUES_SHOWN}) as values
    from grouped group by field order by sum(count) desc, field`)

/**
 * Problems are the same where they are put in the same words, but for the value and for numbers: what is said of a
 * hundred names that nobody has is one thing to mend.
 */
const problemsOf = statement(`
  with told as (
    select number, record_id, (problem->>'column')::int as "column", problem->>'field' as field,
           problem->>'value' as value, problem->>'message' as message, problem->'unknown' as unknown,
           regexp_replace(case when problem ? 'unknown' and not problem ? 'isOfOne' then '' when length(problem->>'value') > 2
             then replace(problem->>'message', problem->>'value', '') else problem->>'message' end, '\\d+', '', 'g') as words
      from bulk_change_rows, jsonb_array_elements(problems) as problem
     where organization_id = $1 and bulk_change_id = $2 and (planned = 'error' or done = 'refused')),
  grouped as (
    select "column", field, words, min(message) as message, count(distinct message) = 1 as "isAlike",
           count(*)::int as count, (array_agg(number order by number))[1:${ROWS_SHOWN}] as rows,
           (array_agg(record_id order by number) filter (where record_id is not null))[1:${ROWS_SHOWN}] as ids
      from told group by "column", field, words
     order by count(*) desc, "column" nulls first, words limit ${PROBLEMS_SHOWN})
  select g."column", g.field, g.message, g."isAlike", g.count, g.rows,
         array(select k.reference from unnest(g.ids) with ordinality as of (id, place)
                 join known_records k on k.organization_id = $1 and k.id = of.id order by of.place) as records,
         coalesce((select json_agg(v order by v.count desc, v.value ${NATURALLY}) from (
           select t.value, count(*)::int as count from told t
            where t."column" is not distinct from g."column" and t.field is not distinct from g.field
              and t.words = g.words and t.value is not null
            group by t.value order by count(*) desc, t.value ${NATURALLY} limit ${ROWS_SHOWN}) v), '[]') as values,
         coalesce((select json_agg(u order by u.count desc, u.value ${NATURALLY}) from (
           select word as value, count(*)::int as count from told t, jsonb_array_elements_text(t.unknown) as word
            where t."column" is not distinct from g."column" and t.field is not distinct from g.field
              and t.words = g.words
            group by word order by count(*) desc, word ${NATURALLY} limit ${WORDS_SHOWN}) u), '[]') as unknown
    from grouped g order by g.count desc, g."column" nulls first, g.words`)
