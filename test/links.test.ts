import { afterAll, beforeAll, expect, test } from 'vitest'
import { kinds } from '../model/kinds/index.ts'
import { LINKS_AT_MOST } from '../model/relation.ts'
import type { Caller } from '../server/caller/caller.ts'
import { newId } from '../server/database/ids.ts'
import { copyRecord } from './support/copies.ts'
import type { Door } from './support/door.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Risks and controls are linked many to many, within one organization, and both sides tell of it. */

let one: TestService
let door: Door
let acme: TestOrganization
let all: string
beforeAll(async () => {
  one = await startTestService()
  door = await one.listen()
  acme = await one.organization()
  all = (await acme.key(['read:risks', 'write:risks', 'read:controls'])).secret
})
afterAll(() => one.close())

interface Made {
  id: string
  reference: string
  version: number
  updatedAt: string
  [field: string]: unknown
}

const make = async (name: string, input: object, by: Caller = acme.admin): Promise<Made> =>
  (await one.call(by, name, input)).body as never
const risk = (values: object = {}, by?: Caller) => make('createRisk', { title: 'Old gateway', ...values }, by)
const control = (values: object = {}, by?: Caller) =>
  make('createControl', { code: 'NET-4', title: 'Patched within a week', ...values }, by)
const linkOf = (risk: { id: string }, control: { id: string }) =>
  `/v1/risks/${risk.id}/links/control/${control.id}`
const put = (path: string, body: object = {}, secret = all) => door.send(secret, 'PUT', path, { body })
const get = (path: string, secret = all) => door.send(secret, 'GET', path)

interface Entry {
  action: string
  reason: string | null
  changes: Record<string, { from: unknown; to: unknown }>
}
const history = async (path: string, secret = all): Promise<Entry[]> =>
  (await get(`${path}/history`, secret)).body.data

test('a link is made once, changed by being made again, and ended', async () => {
  const [here, there] = [await risk(), await control()]
  const path = linkOf(here, there)
  const made = await put(path)
  expect([made.status, made.body]).toEqual([
    200,
    {
      type: 'control',
      id: there.id,
      role: 'existing',
      linkedAt: expect.any(String),
      linkedBy: { type: 'api_key', id: expect.any(String), displayName: 'test key' },
    },
  ])
  expect((await put(path)).body).toEqual(made.body)
  expect((await put(path, { role: 'planned' })).body).toEqual({ ...made.body, role: 'planned' })
  expect((await put(path)).body.role, 'a link stays what it is').toBe('planned')

  const { body } = await get(`/v1/risks/${here.id}/links`)
  expect(body).toEqual({
    data: [
      {
        ...made.body,
        role: 'planned',
        reference: there.reference,
        title: 'Patched within a week',
        state: 'not_started',
        level: null,
        archived: false,
        attention: [],
      },
    ],
    nextCursor: null,
    counts: expect.objectContaining({ control: 1 }),
  })
  const ended = await door.send(all, 'DELETE', path)
  expect([ended.status, ended.text]).toEqual([204, ''])
  expect((await get(`/v1/risks/${here.id}/links`)).body).toMatchObject({ data: [], counts: { control: 0 } })
  expect((await door.send(all, 'DELETE', path)).body.code).toBe('not_found')
})

test('the other side reads the same, and writes none of it', async () => {
  const there = await control()
  const risks = [await risk({ likelihood: 'likely', impact: 'major' }), await risk()]
  for (const each of risks) await put(linkOf(each, there))
  const { body } = await get(`/v1/controls/${there.id}/links`)
  expect(body.data).toMatchObject(
    risks.toReversed().map(({ id, reference, riskLevel }) => ({
      type: 'risk',
      id,
      reference,
      level: riskLevel,
      state: 'identified',
    })),
  )
  const writer = (await acme.key(['write:controls', 'read:controls', 'read:risks'])).secret
  const path = `/v1/controls/${there.id}/links/risk/${risks[0]!.id}`
  expect([(await put(path, {}, writer)).status, (await door.send(writer, 'DELETE', path)).status]).toEqual([
    404, 404,
  ])
})

test('neither record gets a new version, and no signal leaves', async () => {
  await make('createWebhookEndpoint', {
    address: 'https://receiver.invalid/',
    signalTypes: ['risk.updated', 'control.updated'],
  })
  const [here, there] = [await risk(), await control()]
  await put(linkOf(here, there))
  await put(linkOf(here, there), { role: 'planned' })
  await door.send(all, 'DELETE', linkOf(here, there))
  for (const [path, { id, version, updatedAt }] of [
    ['risks', here],
    ['controls', there],
  ] as const) {
    expect((await get(`/v1/${path}/${id}`)).body).toMatchObject({ version, updatedAt })
    const { body } = await get(`/v1/${path}/${id}/signals`)
    expect(body.data.filter(({ type }: { type: string }) => type.endsWith('.updated'))).toEqual([])
  }
})

test('both histories tell of it, with what was said', async () => {
  const [here, there] = [await risk(), await control()]
  await put(linkOf(here, there))
  await put(linkOf(here, there), { role: 'planned' })
  await put(linkOf(here, there), { role: 'planned' })
  await door.send(all, 'DELETE', linkOf(here, there))
  const told = (record: Made, role: string) => ({
    id: record.id,
    reference: record.reference,
    title: record.title,
    role,
  })
  for (const [path, kind, mine, name, other] of [
    ['risks', 'risk', here, 'control', there],
    ['controls', 'control', there, 'risk', here],
  ] as const) {
    const entries = await history(`/v1/${path}/${mine.id}`)
    expect(entries.slice(0, -1).map(({ action, changes }) => [action, changes])).toEqual([
      [`${kind}.unlink`, { [name]: { from: told(other, 'planned'), to: null } }],
      [`${kind}.link`, { [name]: { from: told(other, 'existing'), to: told(other, 'planned') } }],
      [`${kind}.link`, { [name]: { from: null, to: told(other, 'existing') } }],
    ])
  }
})

test('who may not read the other kind learns only how many there are', async () => {
  const [here, there] = [await risk({ title: 'Secret plan' }), await control({ title: 'Secret wall' })]
  await put(linkOf(here, there))
  for (const [path, mine, other, name, scope] of [
    ['risks', here, there, 'control', 'read:risks'],
    ['controls', there, here, 'risk', 'read:controls'],
  ] as const) {
    const { secret } = await acme.key([scope])
    const links = await get(`/v1/${path}/${mine.id}/links`, secret)
    expect(links.body).toMatchObject({ data: [], nextCursor: null, counts: { [name]: 1 } })
    expect(Object.keys(links.body).sort()).toEqual(['counts', 'data', 'nextCursor'])
    const named = await get(`/v1/${path}/${mine.id}/links?type=${name}`, secret)
    expect(named.body).toEqual(links.body)
    const past = await get(`/v1/${path}/${mine.id}/history`, secret)
    expect(past.body.data).toHaveLength(1)
    for (const { text } of [links, named, past])
      for (const word of [other.id, other.reference, other.title as string]) expect(text).not.toContain(word)
  }
  const writer = (await acme.key(['write:risks'])).secret
  const made = await put(linkOf(here, await control()), {}, writer)
  expect(made.status).toBe(200)
  expect(Object.keys(made.body).sort()).toEqual(['id', 'linkedAt', 'linkedBy', 'role', 'type'])
  expect((await get(`/v1/risks/${here.id}/links`, writer)).body.code).toBe('insufficient_scope')
})

test('without the right to write risks nothing is linked or unlinked', async () => {
  const [here, there] = [await risk(), await control()]
  await put(linkOf(here, there))
  const reader = (await acme.key(['read:risks', 'read:controls', 'write:controls'])).secret
  for (const reply of [
    await put(linkOf(here, await control()), {}, reader),
    await put(linkOf(here, there), { role: 'planned' }, reader),
    await door.send(reader, 'DELETE', linkOf(here, there)),
  ])
    expect([reply.status, reply.body.code]).toEqual([403, 'insufficient_scope'])
  await expect(
    one.call(await acme.person('viewer'), 'unlinkRisk', {
      id: here.id,
      targetKind: 'control',
      targetId: there.id,
    }),
  ).rejects.toMatchObject({ code: 'capability_required' })
  expect((await get(`/v1/risks/${here.id}/links`)).body.counts).toMatchObject({ control: 1 })
})

test('nothing is linked across organizations, by the service or by the database', async () => {
  const theirs = await one.organization()
  const [here, there] = [await risk(), await control()]
  const [theirRisk, theirControl] = [await risk({}, theirs.admin), await control({}, theirs.admin)]
  const bytes = async (path: string, ...ids: string[]) => {
    const { status, text, headers } = await put(path)
    return [
      status,
      ids.reduce((all, id) => all.replaceAll(id, 'ID'), text.replaceAll(headers['request-id']!, '')),
    ]
  }
  const nobody = { id: newId('ctl') }
  const nothing = { id: newId('risk') }
  expect(await bytes(linkOf(here, theirControl))).toEqual(await bytes(linkOf(here, nobody)))
  expect(await bytes(linkOf(theirRisk, there))).toEqual(await bytes(linkOf(nothing, there)))
  expect(await bytes(linkOf(theirRisk, theirControl))).toEqual([404, expect.any(String)])
  const into = `insert into risk_controls (organization_id, risk_id, control_id, role, linked_at, linked_by)
    values ($1, $2, $3, 'existing', clock_now(), '{}')`
  for (const row of [
    [acme.id, here.id, theirControl.id],
    [acme.id, theirRisk.id, there.id],
    [theirs.id, here.id, theirControl.id],
  ])
    await expect(one.administrator.query(into, row)).rejects.toThrow(/foreign key/)
})

test('bad input names the field', async () => {
  const [here, there] = [await risk(), await control()]
  const errors = async (path: string, body: object) => {
    const reply = await put(path, body)
    return [reply.status, reply.body.errors.map(({ path }: { path: string }) => path)]
  }
  expect(await errors(linkOf(here, there), { role: 'wished' })).toEqual([422, ['role']])
  expect(await errors(linkOf(here, there), { rolle: 'planned' })).toEqual([422, ['rolle']])
  expect(await errors(linkOf(here, there), { targetId: newId('ctl') })).toEqual([422, ['targetId']])
  expect(await errors(`/v1/risks/${here.id}/links/controls/${there.id}`, {})).toEqual([422, ['targetKind']])
  expect((await put(`/v1/risks/${here.id}/links/control/${here.id}`)).status).toBe(404)
})

test('pages follow each other, newest link first', async () => {
  const here = await risk()
  const made: string[] = []
  for (let n = 0; n < 7; n++) {
    const { id } = await control()
    await put(linkOf(here, { id }))
    made.unshift(id)
  }
  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await get(`/v1/risks/${here.id}/links?limit=3${cursor}`)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
  } while (cursor)
  expect(seen).toEqual(made)
  expect((await get(`/v1/risks/${here.id}/links?cursor=bm9uZQ`)).body.code).toBe('malformed_request')
})

test('lists show what is linked with a record', async () => {
  const [first, second, there] = [await risk(), await risk(), await control()]
  await put(linkOf(first, there))
  const ids = async (path: string) => (await get(path)).body.data.map(({ id }: { id: string }) => id)
  expect(await ids(`/v1/risks?controlId=${there.id}`)).toEqual([first.id])
  expect(await ids(`/v1/controls?riskId=${first.id}&riskId=${second.id}`)).toEqual([there.id])
  expect(await ids(`/v1/controls?riskId=${second.id}`)).toEqual([])
  expect((await get(`/v1/risks/summary?controlId=${there.id}`)).body.total).toBe(1)
})

test('a control suggests the highest level of the open risks it is linked with', async () => {
  const there = await control()
  const read = async () => (await get(`/v1/controls/${there.id}`)).body as Made
  expect(await read()).toMatchObject({ suggestedRiskLevel: null })
  const low = await risk({ likelihood: 'rare', impact: 'minor' })
  const high = await risk({ likelihood: 'likely', impact: 'major' })
  const closed = await risk({
    likelihood: 'almost_certain',
    impact: 'severe',
    status: 'closed',
    statusReason: 'Sold',
  })
  for (const each of [low, high, closed, await risk()]) await put(linkOf(each, there))
  expect(await read()).toMatchObject({ suggestedRiskLevel: 'high', riskLevel: null })
  const listed = (await get('/v1/controls?limit=200')).body.data as Made[]
  const { suggestedRiskLevel: _notInLists, ...others } = await read()
  expect(listed.find(({ id }) => id === there.id)).toEqual(others)
  await door.send(all, 'DELETE', linkOf(high, there))
  const seen = await read()
  expect(seen.suggestedRiskLevel).toBe('low')

  // What was read can be sent back, also when the risks have moved since; and the signal carries what GET answers.
  await put(linkOf(high, there))
  await make('createWebhookEndpoint', {
    address: 'https://receiver.invalid/',
    signalTypes: ['control.updated'],
  })
  const changed = await make('updateControl', { ...seen, priority: 'high' })
  expect(changed).toEqual(await read())
  const { rows } = await one.administrator.query(
    'select body::json as body from signals where subject_id = $1',
    [there.id],
  )
  expect(rows.map(({ body }) => body.data.record)).toEqual([changed])
})

test('a record takes its links along, and the histories tell why', async () => {
  const [here, gone] = [await risk(), await risk({ title: 'Goes' })]
  const [stays, leaves] = [await control(), await control({ title: 'Leaves' })]
  for (const each of [here, gone]) for (const there of [stays, leaves]) await put(linkOf(each, there))
  await one.call(acme.admin, 'deleteRisk', { id: gone.id })
  expect((await get(`/v1/controls/${stays.id}/links`)).body.counts).toMatchObject({ risk: 1 })
  expect((await history(`/v1/controls/${stays.id}`))[0]).toMatchObject({
    action: 'control.unlink',
    reason: 'The risk was deleted',
    changes: { risk: { from: { id: gone.id, title: 'Goes', role: 'existing' }, to: null } },
  })
  const end = await history(`/v1/risks/${gone.id}`)
  expect(end.slice(0, 3).map(({ action }) => action)).toEqual(['risk.delete', 'risk.unlink', 'risk.unlink'])
  await one.call(acme.admin, 'deleteControl', { id: leaves.id })
  expect((await get(`/v1/risks/${here.id}/links`)).body.data.map(({ id }: Made) => id)).toEqual([stays.id])
  expect((await history(`/v1/risks/${here.id}`))[0]).toMatchObject({
    reason: 'The control was deleted',
    changes: { control: { from: { title: 'Leaves' }, to: null } },
  })
  const { rows } = await one.administrator.query(
    'select from risk_controls where risk_id = $1 or control_id = $2',
    [gone.id, leaves.id],
  )
  expect(rows).toEqual([])
})

test('a record has a number of links that somebody can look at, from both of its sides', async () => {
  const [here, there] = [await risk(), await control()]
  const changes = `jsonb_build_object('id', 'ctl_' || lpad(n::text, 26, '0'), 'reference_number', 100000 + n)`
  await copyRecord(one, kinds.control, { id: there.id, to: LINKS_AT_MOST, changes })
  await one.administrator.query(
    `insert into risk_controls select $1, $2, id, 'existing', clock_now(), '{"type":"user","id":"a","displayName":"a"}'
       from controls where organization_id = $1 and id like 'ctl_0000%'`,
    [acme.id, here.id],
  )
  const full = await put(linkOf(here, there))
  expect([full.status, full.body.code]).toEqual([409, 'link_limit_reached'])
  expect(full.body.detail).toMatch(/risk is linked with 500 controls.*unlink/)
  const [linked] = (await get(`/v1/risks/${here.id}/links?limit=1`)).body.data
  expect((await put(linkOf(here, linked), { role: 'planned' })).status, 'a link that stands').toBe(200)
  await door.send(all, 'DELETE', linkOf(here, linked))
  const more = await Promise.all([put(linkOf(here, there)), put(linkOf(here, linked))])
  expect(more.map(({ status }) => status).sort(), 'the last place is given once').toEqual([200, 409])
  await one.call(acme.admin, 'deleteRisk', { id: here.id })
})

test('many who link, unlink and delete at once leave no half and no double, and nobody waits for ever', async () => {
  const risks = await Promise.all(Array.from({ length: 4 }, () => risk()))
  const controls = await Promise.all(Array.from({ length: 4 }, () => control()))
  const pairs = risks.flatMap((here) => controls.map((there) => [here, there] as const))
  await Promise.all(pairs.map(([here, there]) => put(linkOf(here, there))))
  const replies = await Promise.all([
    ...pairs.flatMap(([here, there], index) => [
      put(linkOf(here, there), { role: index % 2 ? 'planned' : 'existing' }),
      door.send(all, 'DELETE', linkOf(here, there)),
      put(linkOf(here, there)),
    ]),
    ...risks.slice(0, 2).map(({ id }) => one.call(acme.admin, 'deleteRisk', { id })),
    ...controls.slice(0, 2).map(({ id }) => one.call(acme.admin, 'deleteControl', { id })),
  ])
  for (const { status } of replies) expect([200, 204, 404]).toContain(status)
  for (const { id } of risks.slice(2)) {
    const { data } = (await get(`/v1/risks/${id}/links`)).body
    const linked = data.map((row: Made) => row.id)
    expect(new Set(linked).size).toBe(linked.length)
    const alive = controls.slice(2).map((each) => each.id)
    for (const each of linked) expect(alive).toContain(each)
  }
})

test('what records of the other kind are like is told to nobody who may not read them', async () => {
  const [here, there, alone] = [
    await risk({ likelihood: 'likely', impact: 'severe' }),
    await control(),
    await control(),
  ]
  await put(linkOf(here, there))
  const path = `/v1/controls/${there.id}`
  const reader = (await acme.key(['read:controls', 'write:controls'])).secret
  expect((await get(path)).body.suggestedRiskLevel).toBe('critical')
  expect((await get(path, reader)).body).not.toHaveProperty('suggestedRiskLevel')
  const changed = await door.send(reader, 'PATCH', path, { body: { implementationStatus: 'in_progress' } })
  expect([changed.status, 'suggestedRiskLevel' in changed.body]).toEqual([200, false])
  for (const asked of [here.id, newId('risk'), alone.id])
    for (const way of ['', '/summary']) {
      const refused = await get(`/v1/controls${way}?riskId=${asked}`, reader)
      expect([refused.status, refused.body.code, refused.body.required]).toEqual([
        403,
        'insufficient_scope',
        ['read:risks'],
      ])
    }
  const risks = (await acme.key(['read:risks'])).secret
  expect((await get(`/v1/risks?controlId=${there.id}`, risks)).body.required).toEqual(['read:controls'])
  expect((await get(`/v1/risks?controlId=${there.id}`)).body.data).toHaveLength(1)
})
