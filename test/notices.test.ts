import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { noticeKinds } from '../model/notice-kinds.ts'
import type { Caller } from '../server/caller/caller.ts'
import { transaction } from '../server/database/transaction.ts'
import { takeTurn } from '../server/deadlines/turn.ts'
import { jobKind } from '../server/jobs/job-kind.ts'
import { startJob } from '../server/jobs/start-job.ts'
import { person } from '../server/operation.ts'
import type { Refusal } from '../server/refusal.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

/* Promise: whoever a change concerns is told of it in the app, once, and as long as they may read the record. */

/** Made two minutes ago, if it is said to be slow. */
const counted = jobKind({
  name: 'countStars',
  title: 'Count the stars',
  input: z.object({ isSlow: z.boolean(), failure: z.string().nullable(), errors: z.int() }),
  needs: person(),
  perOrganization: 1,
  keptDays: 1,
  isTold: true,
  run: async ({ job, input: { isSlow, failure, errors }, step }) => {
    const earlier = "update jobs set created_at = created_at - interval '2 minutes' where id = $1"
    if (isSlow) await one.administrator.query(earlier, [job.id])
    if (failure) return { failed: failure }
    await step(async (piece) => {
      for (let row = 1; row <= errors; row++) piece.error({ row, message: 'It shines too brightly' })
      return null
    })
    return undefined
  },
})

let one: TestService
let acme: TestOrganization
let ada: Caller
let ben: Caller
beforeAll(async () => {
  one = await startTestService({}, [], [counted])
  acme = await one.organization()
  ada = await acme.person('editor')
  ben = await acme.person('editor')
})
afterAll(() => one.close())

interface Notice {
  id: string
  kind: string
  words: string
  count: number
  earlier: number
  record: { id: string; title: string } | null
  page: string
  createdAt: string
  readAt: string | null
}

/** Each call is one of its own, as a door makes it. */
let calls = 0
const as = async <Body = { id: string }>(caller: Caller, name: string, input: object = {}): Promise<Body> => {
  calls += 1
  return (await one.call({ ...caller, requestId: `${caller.requestId} ${calls}` }, name, input)).body as Body
}
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Refusal) => error.code,
  )
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })
const notices = async (caller: Caller, show = 'unread') =>
  (await as<{ data: Notice[] }>(caller, 'listNotices', { show })).data
/** What somebody is told of that they have not seen, which they see by that. */
async function news(caller: Caller): Promise<Notice[]> {
  const all = await notices(caller)
  await as(caller, 'readAllNotices')
  return all
}
const nameOf = ({ credential }: Caller) => (credential as { name: string }).name

test('the page on notices has each kind, whom it tells and how it is mailed', async () => {
  const page = await readFile(new URL('../docs/notices.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)].slice(1)
  expect(rows.map(([, title, who, mail]) => [title, who, mail?.replace(' ', '_')]).slice(1)).toEqual(
    Object.values(noticeKinds).map(({ title, who, mail }) => [title, who, mail]),
  )
})

test('whoever is given a record is told, and nobody of what they did themselves', async () => {
  const { id } = await as(ada, 'createRisk', { title: 'Unpatched gateway', owner: user(ben) })
  expect(await news(ben)).toMatchObject([
    {
      kind: 'assigned',
      words: `${nameOf(ada)} gave you a risk`,
      count: 1,
      record: { id, title: 'Unpatched gateway' },
      page: `/risks/${id}`,
    },
  ])
  await as(ben, 'updateRisk', { id, title: 'Unpatched gateways' })
  await as(ben, 'updateRisk', { id, owner: user(ada) })
  await as(ada, 'updateRisk', { id, owner: user(ada) })
  expect(await news(ada)).toMatchObject([{ words: `${nameOf(ben)} gave you a risk` }])
  await as(ada, 'createRisk', { title: 'Mine', owner: user(ada) })
  expect([...(await news(ada)), ...(await news(ben))]).toEqual([])
  // A key is no person: whoever made it is told what it does.
  await as(
    { ...ada, credential: { type: 'api_key', id: 'key_1', name: 'CI', prefix: '', expiresAt: null } },
    'updateRisk',
    {
      id,
      owner: user(ben),
    },
  )
  expect((await news(ben))[0]?.words).toBe('The API key “CI” gave you a risk')
})

test('a person of the directory is told as the user whom they sign in as', async () => {
  const { id } = await as(acme.admin, 'createPersonnel', { fullName: 'Ben', workEmail: 'ben@example.com' })
  const given = { owner: { type: 'personnel', refId: id } }
  await as(ada, 'createRisk', { title: 'Nobody signs in', ...given })
  expect(await news(ben)).toEqual([])
  await one.administrator.query('update personnel set user_id = $1 where id = $2', [ben.userId, id])
  await as(ada, 'createRisk', { title: 'Ben does', ...given })
  const told = await news(ben)
  expect(told).toMatchObject([{ record: { title: 'Ben does' } }])
})

test('who is to decide is asked, and who asked is told', async () => {
  const risk = await as(ada, 'createRisk', {
    ...{ title: 'Old gateway', status: 'assessed', likelihood: 'likely', impact: 'major' },
  })
  const asking = { riskId: risk.id, justification: 'Replaced soon', expiresAt: '2100-01-01T00:00:00.000Z' }
  const { id } = await as(ada, 'createRiskAcceptance', { ...asking, approver: user(ben) })
  expect(await news(ben)).toMatchObject([
    {
      kind: 'asked_to_decide',
      words: `${nameOf(ada)} asks you to decide on a risk acceptance`,
      record: { id },
    },
  ])
  await as(ben, 'approveRiskAcceptance', { id })
  expect(await news(ada)).toMatchObject([
    {
      kind: 'decided',
      words: `${nameOf(ben)} approved your request: a risk acceptance`,
      record: { id },
    },
  ])
  const evidence = await as(acme.admin, 'createEvidence', {
    ...{ title: 'Access review', status: 'requested', requestDueDate: '2100-01-01' },
    ...{ owner: user(ada), requestedFrom: user(ben), reviewer: user(acme.admin) },
  })
  expect((await news(ben)).map(({ kind }) => kind)).toEqual(['asked_to_hand_in'])
  // Its reviewer is asked once it waits for them.
  expect((await news(ada)).map(({ kind }) => kind)).toEqual(['assigned'])
  await as(ben, 'updateEvidence', { id: evidence.id, status: 'draft', text: 'All of it' })
  expect(await news(ada)).toEqual([])
  await as(ben, 'submitEvidence', { id: evidence.id })
  expect((await news(ada)).map(({ kind }) => kind)).toEqual(['handed_in'])
  expect(await news(ben)).toEqual([])
  // What comes back is told once.
  await as(acme.admin, 'rejectEvidence', { id: evidence.id, rejectionReason: 'The second half is missing' })
  for (const who of [ada, ben])
    expect(await news(who)).toMatchObject([
      // Whose it is asked nobody to decide.
      { kind: 'decided', words: `${nameOf(acme.admin)} rejected evidence of yours` },
    ])
})

test('a task is told of when it is given, taken in one’s name, or laid out with a plan', async () => {
  await as(ada, 'createTask', { title: 'Given', status: 'open', assignee: user(ben) })
  expect((await news(ben)).map(({ kind }) => kind)).toEqual(['assigned'])
  const suggested = await as(ada, 'createTask', { title: 'Suggested', assignee: user(ben) })
  expect((await news(ben)).map(({ kind }) => kind)).toEqual(['asked_to_decide'])
  await as(ada, 'updateTask', { id: suggested.id, status: 'open' })
  expect((await news(ben)).map(({ kind }) => kind)).toEqual(['assigned'])
  // A question that was answered, or is another's now, is no longer one.
  const asked = await as(ada, 'createTask', { title: 'Answered', assignee: user(ben) })
  await as(ada, 'updateTask', { id: asked.id, status: 'open' })
  expect((await news(ben)).map(({ kind }) => kind)).toEqual(['assigned'])
  const passed = await as(ada, 'createTask', { title: 'Passed on', assignee: user(ben) })
  await as(ada, 'updateTask', { id: passed.id, assignee: user(acme.admin) })
  expect(await news(ben)).toEqual([])
  expect((await news(acme.admin)).map(({ kind }) => kind)).toContain('asked_to_decide')
  // A task is whose it is to decide on, whatever their role; who may not decide on a risk is told, and not asked.
  const viewer = await acme.person('viewer')
  await as(ada, 'createTask', { title: 'Of a viewer', assignee: user(viewer) })
  expect(await news(viewer)).toMatchObject([
    { kind: 'asked_to_decide', words: `${nameOf(ada)} asks you to decide on a task` },
  ])
  const plan = await as(ben, 'createCompliancePlan', { title: 'A year', owner: user(ben) })
  await as(ada, 'layOutCompliancePlan', { id: plan.id, template: 'soc_2', startDate: '2031-01-01' })
  expect(await news(ben)).toMatchObject([{ kind: 'assigned', count: expect.any(Number) }])
})

test('what one call gives to somebody is one notice, which counts', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => ({ title: `Risk ${at}`, owner: user(ben) }))
  await as(ada, 'createRiskBatch', { records: rows })
  const [told, ...others] = await news(ben)
  expect(others).toEqual([])
  expect(told).toMatchObject({
    words: `${nameOf(ada)} gave you 30 risks`,
    count: 30,
    record: null,
    page: expect.stringMatching(/^\/risks\?reference=RSK-\d+&reference=.+&sort=dueDate$/),
  })
  // It leads to just those, also where one has gone meanwhile.
  const { searchParams } = new URL(told!.page, 'http://localhost')
  const reference = searchParams.getAll('reference')
  expect(reference).toHaveLength(30)
  const those = await as<{ data: { id: string; title: string }[] }>(ben, 'listRisks', {
    reference,
    limit: 50,
  })
  expect(new Set(those.data.map(({ title }) => title))).toEqual(new Set(rows.map(({ title }) => title)))
  await as(acme.admin, 'deleteRisk', { id: those.data[0]!.id })
  const [again] = await notices(ben, 'read')
  expect(again!.page.split('reference=')).toHaveLength(30)
})

test('what is told of one record stands together, and is put away together', async () => {
  const eve = await acme.person('editor')
  const { id } = await as(ada, 'createRisk', { title: 'Told of thrice', owner: user(eve) })
  const said = ['First', 'Second']
  for (const text of said) await as(ada, 'createComment', { recordId: id, text })
  await as(ada, 'createRisk', { title: 'Another', owner: user(eve) })
  expect(await notices(eve)).toMatchObject([
    { record: { title: 'Another' }, earlier: 0 },
    { kind: 'commented', record: { id }, earlier: 2 },
  ])
  expect(await as(eve, 'countUnreadNotices')).toEqual({ unread: 2 })
  const one = { show: 'inbox', recordId: id }
  const { data } = await as<{ data: Notice[] }>(eve, 'listNotices', one)
  expect(data.map(({ kind }) => kind)).toEqual(['commented', 'commented', 'assigned'])
  expect((await as<{ data: Notice[] }>(ben, 'listNotices', one)).data).toEqual([])
  await as(eve, 'updateNotice', { id: data[0]!.id, isRead: true, andEarlier: true })
  expect(await notices(eve)).toMatchObject([{ record: { title: 'Another' } }])
  // What is new about it stands for what was read.
  await as(ada, 'createComment', { recordId: id, text: 'Third' })
  expect((await notices(eve))[0]).toMatchObject({ kind: 'commented', earlier: 3 })
  expect(await notices(eve, 'read')).toEqual([])
  await as(eve, 'updateNotice', { id: (await notices(eve))[0]!.id, isArchived: true, andEarlier: true })
  expect(await notices(eve, 'archived')).toMatchObject([{ record: { id }, earlier: 3 }])
  expect(await as(eve, 'countUnreadNotices')).toEqual({ unread: 1 })
})

test('whoever is asked for something, and whoever asked, is told when the day of it is moved', async () => {
  const asked = {
    title: 'A log',
    status: 'requested',
    requestDueDate: '2100-01-01',
    requestedFrom: user(ben),
  }
  const { id } = await as(ada, 'createEvidence', { ...asked, owner: user(ada) })
  for (const who of [ada, ben]) await news(who)
  await as(ben, 'updateEvidence', { id, requestDueDate: '2100-01-02' })
  expect(await news(ada)).toMatchObject([
    { kind: 'moved', words: `${nameOf(ben)} moved the day of evidence that you asked for`, record: { id } },
  ])
  await as(ada, 'updateEvidence', { id, requestDueDate: '2100-01-03' })
  expect(await news(ben)).toMatchObject([{ kind: 'moved', record: { id } }])
  await as(ben, 'updateEvidence', { id, status: 'draft', text: 'Here', requestDueDate: '2100-01-04' })
  expect((await news(ada)).map(({ kind }) => kind)).not.toContain('moved')
})

test('who waited for more than a minute is told how a job ended, and nobody else is', async () => {
  const run = async (by: Caller, isSlow: boolean, failure: string | null, errors = 0) => {
    const id = await transaction(one.service.database.tenant, acme.id, (tx) =>
      startJob({ tx, caller: by, parts: one.service }, counted, { isSlow, failure, errors }),
    )
    await until(async () => {
      const { rows } = await one.administrator.query('select ended_at from jobs where id = $1', [id])
      return rows[0].ended_at !== null
    })
  }
  await run(ben, false, null)
  await run(ben, false, 'There are none')
  expect(await news(ben)).toEqual([])
  await run(ben, true, null)
  await run(ben, true, 'There are none')
  await run(ben, true, null, 3)
  expect((await news(ben)).map(({ words, page }) => [words, page])).toEqual([
    ['Done, with 3 errors: Count the stars', '/account/jobs'],
    ['Could not be done: Count the stars', '/account/jobs'],
    ['Done: Count the stars', '/account/jobs'],
  ])
  expect(await news(ada)).toEqual([])
})

test('a change that is not made is told to nobody', async () => {
  const { id } = await as(ada, 'createRisk', { title: 'Old', owner: user(ada) })
  expect(await refused(as(ada, 'updateRisk', { id, owner: user(ben), title: '' }))).toBe('validation_failed')
  expect(await refused(as(ada, 'updateRisk', { id, owner: user(ben), ifMatch: 7 }))).toBe('version_mismatch')
  expect(await news(ben)).toEqual([])
})

test('whose date comes, passes or ends something is told, and what comes alike counts', async () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  for (const title of ['One', 'Two'])
    await as(ada, 'createRisk', { title, owner: user(ben), dueDate: day(5) })
  await news(ben)
  await takeTurn(one.service)
  const [told, ...others] = await news(ben)
  expect(others).toEqual([])
  expect(told).toMatchObject({ kind: 'due', words: 'Due in 5 days: 2 risks of yours', count: 2 })
  await takeTurn(one.service)
  expect(await news(ben)).toEqual([])
  // It stands in the inbox for days, and says each day how many are left.
  await one.moveClock(2 * 86_400_000)
  expect((await notices(ben, 'read'))[0]).toMatchObject({ words: 'Due in 3 days: 2 risks of yours' })
  await one.moveClock(4 * 86_400_000)
  expect((await notices(ben, 'read'))[0]).toMatchObject({ words: 'Overdue: 2 risks of yours' })
  await takeTurn(one.service)
  expect((await news(ben)).map(({ words }) => words)).toEqual(['Overdue: 2 risks of yours'])
})

test('what was kept, moved or passed on is news no more, and what is still due is', async () => {
  const dan = await acme.person('editor')
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const task = (title: string) =>
    as(ada, 'createTask', { title, status: 'open', assignee: user(dan), dueDate: day(-20) })
  const [done, moved, passed, left] = [
    await task('Done'),
    await task('Moved'),
    await task('Passed on'),
    await task('Left'),
  ]
  await news(dan)
  for (const { id } of [done, moved, passed, left])
    await one.administrator.query(
      `insert into notices (organization_id, id, user_id, kind, record_kind, record_id, facts, count, gathered_by, created_at)
       values ($1, 'ntc_' || right($2, 26), $3, 'overdue', 'task', $2, '{"as":"Due"}', 1, $2, clock_now())`,
      [acme.id, id, dan.userId],
    )
  await as(ada, 'updateTask', { id: left.id, title: 'Left as it is' })
  expect(await notices(dan)).toHaveLength(4)
  await as(ada, 'updateTask', { id: done.id, status: 'done' })
  await as(ada, 'updateTask', { id: moved.id, dueDate: '2100-01-01' })
  await as(ada, 'updateTask', { id: passed.id, assignee: user(acme.admin) })
  expect((await notices(dan)).map(({ record }) => record!.id)).toEqual([left.id])
})

test('what was given to somebody and is theirs no longer is news no more, of several one by one', async () => {
  const [dan, eve] = [await acme.person('editor'), await acme.person('editor')]
  const { id } = await as(ada, 'createRisk', { title: 'Passed on', owner: user(dan) })
  await as(ada, 'updateRisk', { id, title: 'Passed on soon' })
  expect(await notices(dan)).toHaveLength(1)
  await as(ada, 'updateRisk', { id, owner: user(eve) })
  expect(await notices(dan)).toEqual([])
  expect(await notices(eve)).toMatchObject([{ kind: 'assigned', record: { id } }])
  const asking = ['One', 'Two', 'Three'].map((title) => ({ title, assignee: user(dan) }))
  const owned = ['Four', 'Five'].map((title) => ({ title, owner: user(dan) }))
  const made = async (name: string, records: object[]) =>
    (await as<{ data: { record: { id: string } }[] }>(ada, name, { records })).data.map(
      ({ record }) => record.id,
    )
  const tasks = await made('createTaskBatch', asking)
  const risks = await made('createRiskBatch', owned)
  const told = async () => (await notices(dan)).map(({ words }) => words)
  expect(await told()).toEqual([
    `${nameOf(ada)} gave you 2 risks`,
    `${nameOf(ada)} asks you to decide on 3 tasks`,
  ])
  await as(ada, 'updateTask', { id: tasks[0]!, assignee: user(eve) })
  await as(dan, 'updateTask', { id: tasks[1]!, status: 'open' })
  await as(ada, 'updateRisk', { id: risks[0]!, owner: null })
  const [risk, task] = await notices(dan)
  expect(risk).toMatchObject({ words: `${nameOf(ada)} gave you a risk`, count: 1 })
  expect(task).toMatchObject({ words: `${nameOf(ada)} asks you to decide on a task`, count: 1 })
  expect(risk!.page.match(/reference=/g)).toHaveLength(1)
  await as(ada, 'updateRisk', { id: risks[1]!, owner: user(eve) })
  expect(await told()).toEqual([`${nameOf(ada)} asks you to decide on a task`])
  // As whoever they sign in as, who is in the directory.
  const entry = await as(acme.admin, 'createPersonnel', { fullName: 'Dan', workEmail: 'dan@example.com' })
  await one.administrator.query('update personnel set user_id = $1 where id = $2', [dan.userId, entry.id])
  const given = { owner: { type: 'personnel', refId: entry.id } }
  const theirs = await made('createRiskBatch', [
    { title: 'Six', ...given },
    { title: 'Seven', ...given },
  ])
  expect(await told()).toHaveLength(2)
  for (const id of theirs) await as(ada, 'updateRisk', { id, owner: user(ada) })
  expect(await told()).toHaveLength(1)
})

test('a date is told by the name of its field', async () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const cat = await acme.person('editor')
  const { timezone } = await as<{ timezone: string }>(acme.admin, 'getOrganization')
  expect(timezone).toBe('UTC')
  const now = Date.parse(
    ((await one.administrator.query('select clock_now() as at')).rows[0] as { at: string }).at,
  )
  const on = (days: number) => day((now - Date.now()) / 86_400_000 + days)
  await as(ada, 'createAsset', { name: 'Router', type: 'server', owner: user(cat), endOfSupport: on(5) })
  await as(ada, 'createRisk', { title: 'Late', owner: user(cat), reviewDate: on(-5) })
  await news(cat)
  await takeTurn(one.service)
  expect((await news(cat)).map(({ words }) => words).sort()).toEqual([
    'End of support in 5 days: an asset of yours',
    'Next review has passed: a risk of yours',
  ])
})

test('an inbox is one person’s: read, archived, and snoozed until its time', async () => {
  const record = await as(ada, 'createRisk', { title: 'Late', owner: user(ben) })
  const [told] = await notices(ben)
  expect(await as(ben, 'countUnreadNotices')).toEqual({ unread: 1 })
  const { id } = told!
  const others = await one.organization()
  for (const stranger of [ada, acme.admin, others.admin]) {
    expect((await notices(stranger)).map((notice) => notice.id)).not.toContain(id)
    expect(await refused(as(stranger, 'updateNotice', { id, isRead: true }))).toBe('not_found')
  }
  const { secret } = await acme.key(['read:risks'])
  const door = await one.listen()
  expect((await door.send(secret, 'GET', '/v1/notices')).status).toBe(403)

  const now = Date.parse(told!.createdAt)
  const snoozedUntil = new Date(now + 3_600_000).toISOString()
  expect(await refused(as(ben, 'updateNotice', { id, snoozedUntil: '2000-01-01T00:00:00.000Z' }))).toBe(
    'validation_failed',
  )
  await as(ben, 'updateNotice', { id, snoozedUntil })
  expect(await notices(ben)).toEqual([])
  expect(await notices(ben, 'snoozed')).toMatchObject([{ id }])
  await one.moveClock(3_600_000)
  expect(await notices(ben)).toMatchObject([{ id, readAt: null }])

  await as(ben, 'updateNotice', { id, isRead: true })
  expect((await notices(ben, 'read')).map((notice) => notice.id)).toContain(id)
  await as(ben, 'updateNotice', { id, isArchived: true })
  expect(await notices(ben, 'archived')).toMatchObject([{ id }])
  await as(ben, 'updateNotice', { id, isArchived: false, isRead: false })
  expect(await as(ben, 'countUnreadNotices')).toEqual({ unread: 1 })

  // It goes with its record.
  await as(acme.admin, 'deleteRisk', { id: record.id })
  expect(await notices(ben)).toEqual([])
})

test('what somebody may not read any more is not shown, and comes back with the right', async () => {
  const rows = ['createRisk', 'createVendor'] as const
  await as(ada, rows[0], { title: 'Seen', owner: user(ben) })
  await as(ada, rows[1], { name: 'Unseen', owner: user(ben) })
  const withoutVendors = {
    ...ben,
    granted: new Set([...ben.granted].filter((one) => one !== 'read:vendors')),
  }
  expect((await notices(ben)).map(({ record }) => record?.title)).toEqual(['Unseen', 'Seen'])
  expect((await notices(withoutVendors)).map(({ record }) => record?.title)).toEqual(['Seen'])
  expect(await as(withoutVendors, 'countUnreadNotices')).toEqual({ unread: 1 })
  expect(await as(withoutVendors, 'readAllNotices')).toEqual({ count: 1 })
  expect((await news(ben)).map(({ record }) => record?.title)).toEqual(['Unseen'])
})
