import { afterAll, beforeAll, expect, test } from 'vitest'
import { overhear } from '../bench/overheard.ts'
import { kinds } from '../model/kinds/index.ts'
import type { Caller } from '../server/caller/caller.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* One search finds records of all kinds, and none that its reader may not read. */

let one: TestService
let door: Door
let acme: TestOrganization
let all: string
beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  all = (await acme.key(['read:risks', 'read:controls', 'read:personnel'])).secret
})
afterAll(() => one.close())

interface Made {
  id: string
  reference: string
}

const make = async (name: string, input: object, by: Caller = acme.admin): Promise<Made> =>
  (await one.call(by, name, input)).body as never
const risk = (title: string, values: object = {}, by?: Caller) => make('createRisk', { title, ...values }, by)
const control = (code: string, title: string, values: object = {}, by?: Caller) =>
  make('createControl', { code, title, ...values }, by)
const found = async (q: string, secret = all): Promise<{ id: string; title: string; type: string }[]> =>
  (await door.send(secret, 'GET', `/v1/search?q=${encodeURIComponent(q)}`)).body.data
const titles = async (q: string, secret?: string) => (await found(q, secret)).map(({ title }) => title)

test('records of all kinds are found by name, code, description and reference', async () => {
  const aged = await risk('Turbine without spare parts', { likelihood: 'likely', impact: 'major' })
  await control('TRB-7', 'Spares are kept', { description: 'For each turbine a set of blades.' })
  await make('createPersonnel', { fullName: 'Tuula Turbinen', workEmail: 'tuula@example.com' })
  expect(await found('turbin')).toEqual([
    {
      type: 'risk',
      id: aged.id,
      reference: aged.reference,
      title: 'Turbine without spare parts',
      state: 'identified',
      level: 'high',
      archived: false,
      attention: [],
    },
    expect.objectContaining({ type: 'personnel', title: 'Tuula Turbinen', state: 'active', level: null }),
    expect.objectContaining({ type: 'control', title: 'Spares are kept', state: 'not_started' }),
  ])
  expect(await titles('trb-7')).toEqual(['Spares are kept'])
  expect((await titles(aged.reference.toLowerCase()))[0]).toBe('Turbine without spare parts')
  expect(await titles('parts TURBINE')).toEqual(['Turbine without spare parts'])
  expect(await titles('turbine nobodyhasthisword')).toEqual([])
})

test('the better it fits the earlier it comes, and what is archived comes last', async () => {
  await risk('Something else', { description: 'About a zeppelin, at length.' })
  await risk('Parked zeppelin')
  await risk('Zeppelin over the roof')
  const best = await risk('Zeppelin')
  await risk('Superzeppelins')
  expect(await titles('zeppelin')).toEqual([
    'Zeppelin',
    'Zeppelin over the roof',
    'Parked zeppelin',
    'Superzeppelins',
    'Something else',
  ])
  await one.administrator.query('update known_records set archived_at = clock_now() where id = $1', [best.id])
  expect((await found('zeppelin')).at(-1)).toMatchObject({ id: best.id, archived: true })
})

test('accents, case and the letters of other scripts make no difference', async () => {
  await risk('Überwachung fehlt')
  await risk('Потеря ноутбука')
  await risk('仮名の漢字')
  expect(await titles('uberwach')).toEqual(['Überwachung fehlt'])
  expect(await titles('ÜBERWACHUNG')).toEqual(['Überwachung fehlt'])
  expect(await titles('НОУТБУК')).toEqual(['Потеря ноутбука'])
  expect(await titles('漢字')).toEqual(['仮名の漢字'])
  expect(await titles('100%')).toEqual([])
})

test('what a record is called now is what it is found by, and what is gone is not found', async () => {
  const { id } = await risk('Lighthouse keeper')
  const version = async () =>
    (
      await one.administrator.query(
        'select xmin::text as by, called, level from known_records where id = $1',
        [id],
      )
    ).rows[0]
  const before = await version()
  await make('updateRisk', { id, threat: 'Storm' })
  expect(await version(), 'left alone by a change of anything else').toEqual(before)
  await make('updateRisk', { id, title: 'Harbour master', likelihood: 'rare', impact: 'minor' })
  expect(await version()).toMatchObject({ called: 'Harbour master', level: 'low' })
  expect([await titles('lighthouse'), await titles('harbour mas')]).toEqual([[], ['Harbour master']])
  await make('deleteRisk', { id })
  expect([await titles('harbour'), await version()]).toEqual([[], undefined])
})

test('nobody finds what they may not read, or what another organization has', async () => {
  const other = await one.organization()
  await risk('Observatory dome', {}, other.admin)
  await risk('Observatory lens')
  await control('OBS-1', 'Observatory is locked')
  const { secret: risksAlone } = await acme.key(['read:risks'])
  const { secret: theirs } = await other.key(['read:risks', 'read:controls'])
  expect(await titles('observatory', risksAlone)).toEqual(['Observatory lens'])
  expect(await titles('obs-1', risksAlone)).toEqual([])
  expect(await titles('observatory', theirs)).toEqual(['Observatory dome'])
  const { secret: none } = await acme.key(['read:organization'])
  expect((await door.send(none, 'GET', '/v1/search?q=observatory')).body).toMatchObject({
    code: 'insufficient_scope',
  })
})

test('what somebody may not read stands in the place of nothing that they may', async () => {
  const crowd = await one.organization()
  await control('ACC-1', 'Zone of access', { description: 'The oldest of many.' }, crowd.admin)
  await fill(crowd.id, 'Locked door', 500, 'control')
  await fill(crowd.id, 'Access to a room', 500)
  const { secret } = await crowd.key(['read:controls'])
  // To the end of the table, behind all others.
  const rename = (called: string) =>
    one.administrator.query(
      `with it as (delete from known_records where organization_id = $1 and id ~ '^ctl_0' returning *)
       insert into known_records select r.* from it, jsonb_populate_record(null::known_records, to_jsonb(it) || jsonb_build_object('called', $2::text)) r`,
      [crowd.id, called],
    )
  for (const called of ['Zone of access', 'Access, zoned']) {
    await rename(called)
    expect(await titles('access', secret)).toEqual([called])
  }
})

test('what is not searched for is refused with what would be', async () => {
  for (const [query, path] of [
    ['', 'q'],
    ['?q=', 'q'],
    [`?q=${'word%20'.repeat(21).replace(/word/g, () => Math.random().toString(36).slice(2, 8))}`, 'q'],
  ])
    expect((await door.send(all, 'GET', `/v1/search${query}`)).body, query).toMatchObject({
      code: 'validation_failed',
      errors: [{ path }],
    })
})

test('however many records there are, few of them are read', async () => {
  const busy = await one.organization()
  const neighbour = await one.organization()
  await fill(busy.id, 'Common gateway', 60_000)
  await fill(neighbour.id, 'Rare submarine', 20_000)
  await one.administrator.query('vacuum analyze known_records')
  for (const q of [
    'gateway',
    'gateway 4711',
    '59999',
    'submarine',
    'RSK-4711',
    'ga',
    'x',
    '%',
    'gate submarine',
  ])
    expect(await pagesRead(busy.admin, q), q).toBeLessThan(1_200)
})

/** Rows as records have them, without the records; made after all that calls make. */
const fill = (organizationId: string, called: string, count: number, of: 'risk' | 'control' = 'risk') =>
  one.administrator.query(
    `insert into known_records (organization_id, id, kind, reference, called, state, texts)
     select $1, $4 || '_z' || lpad(n::text, 25, '0'), $5, $6 || '-' || n, $2 || ' ' || n, 'identified',
            ' ' || lower($6) || '-' || n || ' ' || lower($2) || ' ' || n || repeat(' what could happen, and to whom.', 4)
       from generate_series(2, $3::int + 1) n`,
    [organizationId, called, count, kinds[of].idPrefix, of, kinds[of].referencePrefix],
  )

/** Of PostgreSQL's memory, by the statements of a search. */
async function pagesRead(as: Caller, q: string): Promise<number> {
  const heard = await overhear(one.service, () => one.call(as, 'search', { q }))
  const client = await one.service.database.tenant.connect()
  let read = 0
  await client.query('begin')
  for (const query of heard.filter(({ text }) => !/^(begin|commit)$/.test(text))) {
    if (!query.text.includes('known_records')) {
      await client.query(query)
      continue
    }
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${query.text}`, query.values)
    const { Plan: plan } = rows[0]['QUERY PLAN'][0]
    read += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }
  await client.query('rollback')
  client.release()
  return read
}
