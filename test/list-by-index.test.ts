import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareNaturally } from '../model/natural-order.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: a list in the order of an index has the same rows as any other list, wherever in that order they are: among
 * the first ones that are searched, behind them, or both.
 */

const RISKS = 6_000

interface Risk {
  readonly id: string
  readonly title: string
  readonly riskScore: number | null
}

let one: TestService
let organization: TestOrganization
let risks: Risk[]

beforeAll(async () => {
  one = await startTestService()
  organization = await one.organization()
  const other = await one.organization()
  for (const { id, admin } of [organization, other])
    await one.administrator.query(
      `insert into risks (organization_id, id, reference_number, title, status, category, treatment_strategy, source,
         risk_score, archived_at, version, created_at, created_by, updated_at, updated_by)
       select $1, 'risk_' || lpad(n::text, 26, '0'), n,
         'Risk ' || n * 7919 % $3::int || case when n % 2 = 0 then ' common' else '' end
           || case when n * 7919 % $3::int in (3, 2800, 5900) then ' rare' else '' end
           || case when n * 7919 % $3::int > 5000 then ' late' else '' end,
         'identified', 'technical', 'mitigate', 'person', nullif(n % 26, 0), case when n % 50 = 0 then now() end, 1,
         now(), actor, now(), actor
       from generate_series(1, $3::int) n, lateral (select jsonb_build_object('type', 'user', 'id', $2::text,
         'displayName', 'Ada Example') as actor) one`,
      [id, admin.userId, RISKS],
    )
  await one.administrator.query('vacuum analyze risks')
  const { rows } = await one.administrator.query(
    'select id, title, risk_score as "riskScore" from risks where organization_id = $1 and archived_at is null',
    [organization.id],
  )
  risks = rows
})
afterAll(() => one.close())

async function pages(input: object, limit: number, atMost: number): Promise<Risk[]> {
  const found: Risk[] = []
  let cursor: string | undefined
  do {
    const { body } = await one.call(organization.admin, 'listRisks', {
      ...input,
      limit,
      ...(cursor ? { cursor } : {}),
    })
    const page = body as { data: Risk[]; nextCursor: string | null }
    found.push(...page.data)
    cursor = page.nextCursor ?? undefined
  } while (cursor && found.length < atMost)
  return found
}

const byTitle = (one: Risk, other: Risk) => compareNaturally(one.title, other.title)
/** Highest first, those without a score last. */
const byScore = (one: Risk, other: Risk) =>
  (other.riskScore ?? 0) - (one.riskScore ?? 0) || (one.id < other.id ? 1 : -1)
const ids = (rows: readonly Risk[]) => rows.map(({ id }) => id)
const having = (word: string) => risks.filter(({ title }) => title.split(' ').includes(word))

const SORTS = [
  ['title', byTitle],
  ['-riskScore', byScore],
] as const

test.each(SORTS)('pages of all risks by %s', async (sort, compare) => {
  expect(ids(await pages({ sort }, 200, RISKS))).toEqual(ids(risks.toSorted(compare)))
})

test.each(SORTS)('pages of the risks with a word by %s', async (sort, compare) => {
  for (const [word, limit] of [
    ['common', 200],
    ['late', 200],
    ['rare', 1],
    ['absent', 50],
  ] as const)
    expect(ids(await pages({ sort, q: word }, limit, RISKS)), word).toEqual(
      ids(having(word).toSorted(compare)),
    )
})
