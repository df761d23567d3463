import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../server/caller/caller.ts'
import { calendarOf } from '../server/deadlines/icalendar.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * Promise: at an address of their own a person's calendar program reads what is due for them, by what they may read now;
 * it ends when they make another, when they say so, and when they leave.
 */

let one: TestService
let door: Door
let acme: TestOrganization
beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
})
afterAll(() => one.close())

const call = async (caller: Caller, name: string, input: object) =>
  (await one.call(caller, name, input)).body as { id: string; url: string; feed: unknown }
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })
const addressOf = async (who: Caller, whose?: string) => {
  const { url } = await call(who, 'createCalendarFeed', whose ? { whose } : {})
  return `${door.base}${new URL(url).pathname}`
}
const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Its lines as RFC 5545 unfolds them. */
const read = async (address: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(address, { headers })
  const text = await answer.text()
  return { answer, text, lines: text.replaceAll('\r\n ', '').split('\r\n') }
}

test('it has what is theirs to see to, one year back and two ahead, each under one id', async () => {
  const [ada, ben] = [await acme.person('editor'), await acme.person('editor')]
  const add = (who: Caller, title: string, days: number) =>
    call(ada, 'createRiskTreatment', {
      riskId: risk.id,
      action: title,
      owner: user(who),
      dueDate: soon(days),
    })
  const risk = await call(ada, 'createRisk', { title: 'Old gateway', owner: user(ada) })
  const mine = await add(ada, 'Replace; it, and\\or\nend it', 20)
  await add(ben, 'Theirs', 20)
  await add(ada, 'Long over', -400)
  await add(ada, 'Far ahead', 800)
  const address = await addressOf(ada)
  const { answer, lines } = await read(address)
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(lines.filter((line) => line.startsWith('SUMMARY'))).toEqual([
    expect.stringMatching(/^SUMMARY:Due: RTR-\d+ Replace\\; it\\, and\\\\or\\nend it$/),
  ])
  expect(lines).toContain(`UID:${mine.id}-due@plumbline`)
  expect(lines).toContain(`DTSTART;VALUE=DATE:${soon(20).replaceAll('-', '')}`)
  const all = await read(await addressOf(ben, 'everybody'))
  expect(all.lines.filter((line) => line.startsWith('SUMMARY'))).toHaveLength(2)
})

test('what is due by the end of a day is on that day, where the organization is, and what has a time at that time', async () => {
  const globe = await one.organization()
  const ada = await globe.person('editor')
  for (const timezone of ['Pacific/Auckland', 'America/Los_Angeles', 'UTC']) {
    await call(globe.admin, 'updateOrganization', { timezone })
    const day = soon(20)
    const whole = await call(ada, 'createRisk', { title: 'By a day', owner: user(ada), dueDate: day })
    const timed = await call(ada, 'createRisk', {
      title: 'By a time',
      owner: user(ada),
      dueDate: `${day}T10:00:00Z`,
    })
    const { text } = await read(await addressOf(ada))
    const startOf = (id: string) =>
      new RegExp(`UID:${id}-due@plumbline\r\n[^\r]*\r\n(DTSTART[^\r]*)`).exec(text)?.[1]
    const compact = day.replaceAll('-', '')
    expect([timezone, startOf(whole.id)]).toEqual([timezone, `DTSTART;VALUE=DATE:${compact}`])
    expect([timezone, startOf(timed.id)]).toEqual([timezone, `DTSTART:${compact}T100000Z`])
  }
})

test('what a program has already it is not sent again, until something moves', async () => {
  const ada = await acme.person('editor')
  const risk = await call(ada, 'createRisk', { title: 'Known', owner: user(ada), reviewDate: soon(10) })
  const address = await addressOf(ada)
  const tag = (await read(address)).answer.headers.get('etag')!
  expect((await read(address, { 'if-none-match': tag })).answer.status).toBe(304)
  await call(ada, 'updateRisk', { id: risk.id, reviewDate: soon(11) })
  const moved = await read(address, { 'if-none-match': tag })
  expect(moved.answer.status).toBe(200)
  expect(moved.text).toContain(soon(11).replaceAll('-', ''))
})

test('it ends with another, by word, and with whoever it is of', async () => {
  const ada = await acme.person('editor')
  const first = await addressOf(ada)
  expect((await read(first)).answer.status).toBe(200)
  const second = await addressOf(ada)
  const gone = async (address: string) => {
    const { answer, text } = await read(address)
    return [answer.status, JSON.parse(text).code]
  }
  const ended = await gone(first)
  expect(ended[1]).toBe('not_found')
  await call(ada, 'endCalendarFeed', {})
  expect(await gone(second)).toEqual(ended)
  expect((await call(ada, 'getCalendarFeed', {})).feed).toBeNull()
  const third = await addressOf(ada)
  const turn =
    (off: string, on: string, ...of: string[]) =>
    async () => {
      await one.administrator.query(off, of)
      expect(await gone(third)).toEqual(ended)
      await one.administrator.query(on, of)
      expect((await read(third)).answer.status).toBe(200)
    }
  await turn(
    'update users set disabled_at = clock_now() where id = $1',
    'update users set disabled_at = null where id = $1',
    ada.accountId,
  )()
  await turn(
    `update organizations set status = 'suspended' where id = $1`,
    `update organizations set status = 'active' where id = $1`,
    acme.id,
  )()
  await call(acme.admin, 'removeUser', { id: ada.userId })
  expect(await gone(third)).toEqual(ended)
  // Who comes back begins from nothing.
  await one.administrator.query(`update members set status = 'active' where user_id = $1`, [ada.userId])
  expect(await gone(third)).toEqual(ended)
  expect(await gone(`${door.base}/ical/${'x'.repeat(43)}.ics`)).toEqual(ended)
  expect(await gone(`${door.base}/ical/../secret`)).not.toBeNull()
})

test('whoever has yet to set up the second factor that is asked for reads none', async () => {
  const there = await one.organization()
  const eve = await there.person('editor')
  const address = await addressOf(eve)
  const require = (is: boolean) =>
    one.administrator.query('update organizations set second_factor_required = $1 where id = $2', [
      is,
      there.id,
    ])
  await require(true)
  expect((await read(address)).answer.status).toBe(404)
  await one.administrator.query('update users set has_second_factor = true where id = $1', [eve.accountId])
  expect((await read(address)).answer.status).toBe(200)
})

test('of more than a calendar takes it has what comes next, then the latest of the past, and says so', async () => {
  const there = await one.organization()
  const titles = ['late', 'older', 'next']
  for (const [at, days] of [-2, -300, 20].entries())
    await call(there.admin, 'createRisk', {
      title: titles[at],
      reviewDate: soon(days),
      owner: user(there.admin),
    })
  // As many as fill it, all on one day.
  await one.administrator.query(
    `insert into known_records (organization_id, id, kind, called, texts)
     select organization_id, 'risk_' || lpad(n::text, 26, '0'), kind, called, texts
       from known_records, generate_series(1, 4998) n where organization_id = $1 and called = 'next'`,
    [there.id],
  )
  await one.administrator.query(
    `insert into deadlines (organization_id, record_id, name, kind, day, ends_at, owner_id, due_at)
     select d.organization_id, 'risk_' || lpad(n::text, 26, '0'), d.name, d.kind, d.day, d.ends_at, d.owner_id, null
       from deadlines d, generate_series(1, 4998) n where organization_id = $1 and day = $2`,
    [there.id, soon(20)],
  )
  const { lines } = await read(await addressOf(there.admin))
  const said = lines.filter((line) => line.startsWith('SUMMARY')).map((line) => line.slice('SUMMARY:'.length))
  expect(said).toHaveLength(5_001)
  expect(said.filter((one) => one.endsWith('late') || one.endsWith('older'))).toHaveLength(1)
  expect(said[0]).toMatch(/late$/)
  expect(said.at(-1)).toBe('Only 5000 dates are shown here')
})

test('the address of one organization has nothing of another, and its secret is kept nowhere', async () => {
  const other = await one.organization()
  await call(other.admin, 'createRisk', {
    title: 'Foreign',
    owner: user(other.admin),
    reviewDate: soon(5),
  })
  const address = await addressOf(acme.admin, 'everybody')
  expect((await read(address)).text).not.toContain('Foreign')
  const again = await one.call(acme.admin, 'createCalendarFeed', {}, 'a key of the caller')
  const { rows: answers } = await one.administrator.query('select * from idempotency_answers')
  expect(JSON.stringify(answers)).not.toContain((again.body as { url: string }).url)
  const secret = /ical\/([\w-]+)\.ics/.exec(address)![1]!
  const { rows } = await one.administrator.query(
    `select 1 from calendar_feeds where encode(secret_hash, 'escape') like '%' || $1 || '%'
     union all select 1 from audit_entries where changes::text like '%' || $1 || '%'`,
    [secret],
  )
  expect(rows).toEqual([])
})

test('no line is longer than 75 bytes or cut within a letter, and no text begins a property', () => {
  const texts = [
    '😀'.repeat(60),
    `a\r\nBEGIN:VALARM\rX`,
    '\u2028ATTACH:x',
    'é'.repeat(200),
    '\u0000\u0007 bell',
    '\\;,',
  ]
  for (const text of texts) {
    const event = {
      uid: 'a@b',
      date: '2026-01-01',
      summary: text,
      description: text,
      url: 'https://a.example/x',
    }
    const lines = calendarOf(text, '2026-01-01', [event]).split('\r\n')
    for (const line of lines) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(Buffer.from(line).toString()).toBe(line)
      expect(line.isWellFormed()).toBe(true)
      expect(line).toMatch(/^( |[A-Z-]+[:;])|^$/)
    }
    expect(lines.filter((line) => /^(BEGIN|ATTACH)/.test(line))).toEqual(['BEGIN:VCALENDAR', 'BEGIN:VEVENT'])
  }
})
