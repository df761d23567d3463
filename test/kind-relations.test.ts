import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestOrganization } from './support/service.ts'
import { openUndertakings, type Reply, type Undertakings } from './support/undertakings.ts'

/*
 * The relations of a kind of the tests' own: two with the same kind, one of a kind with itself, links that say
 * something besides, with words that no relation of the product has.
 */

let world: Undertakings
let acme: TestOrganization
beforeAll(async () => {
  world = await openUndertakings()
  acme = world.acme
})
afterAll(() => world.close())

const made = async (path: string, body: object): Promise<string> =>
  (await world.send('POST', path, body)).body.id
const undertaking = (action = 'Dig') => made('/v1/undertakings', { action })
const risk = () => made('/v1/risks', { title: 'Collapse' })
let codes = 0
const control = async (): Promise<string> => {
  const given = { code: `DIG-${++codes}`, title: 'Shore it up' }
  return ((await world.one.call(acme.admin, 'createControl', given)).body as { id: string }).id
}

const link = (id: string, word: string, target: string, said: object = {}) =>
  world.send('PUT', `/v1/undertakings/${id}/links/${word}/${target}`, said)
const linked = async (path: string): Promise<{ data: Linked[]; counts: Record<string, number> }> =>
  (await world.send('GET', `/v1/${path}/links`)).body
const history = async (path: string): Promise<{ action: string; changes: object }[]> =>
  (await world.send('GET', `/v1/${path}/history`)).body.data
const ids = async (path: string): Promise<string[]> =>
  (await world.send('GET', path)).body.data.map(({ id }: { id: string }) => id)
const complaints = ({ body }: Reply) => body.errors

interface Linked {
  readonly id: string
  readonly relation?: string
  readonly [attribute: string]: unknown
}

test('what a link says is sent with it, stays, and is changed and cleared by being sent again', async () => {
  const [id, target] = [await undertaking(), await risk()]
  const first = await link(id, 'aftermath', target, { seenOn: '2026-05-01' })
  expect(first.body).toMatchObject({
    type: 'risk',
    relation: 'aftermath',
    id: target,
    weight: 'light',
    seenOn: '2026-05-01',
  })
  expect((await link(id, 'aftermath', target)).body).toEqual(first.body)
  const second = await link(id, 'aftermath', target, { weight: 'heavy', seenOn: null })
  expect(second.body).toEqual({ ...first.body, weight: 'heavy', seenOn: null })
  const [row] = (await linked(`undertakings/${id}`)).data
  expect(row).toMatchObject(second.body)
})

test('both histories tell what a link said, before and after', async () => {
  const [id, target] = [await undertaking(), await risk()]
  await link(id, 'aftermath', target)
  await link(id, 'aftermath', target, { weight: 'heavy' })
  await world.send('DELETE', `/v1/undertakings/${id}/links/aftermath/${target}`)
  const said = (weight: string) => expect.objectContaining({ weight, seenOn: null })
  const steps = [
    { from: said('heavy'), to: null },
    { from: said('light'), to: said('heavy') },
    { from: null, to: said('light') },
  ]
  const here = (await history(`undertakings/${id}`)).slice(0, 3)
  const there = (await history(`risks/${target}`)).slice(0, 3)
  expect(here.map(({ changes }) => changes)).toEqual(steps.map((step) => ({ aftermath: step })))
  expect(there.map(({ changes }) => changes)).toEqual(steps.map((step) => ({ origin: step })))
})

test('an agent sends and reads the same', async () => {
  const [id, target] = [await undertaking(), await control()]
  const call = async (name: string, given: object = {}) =>
    (await world.tell('tools/call', { name, arguments: { id, ...given } })).body.result
  const asked = { targetKind: 'control', targetId: target, weight: 40, because: 'It holds the walls.' }
  const said = { id: target, weight: 40, because: 'It holds the walls.' }
  expect((await call('linkRecords', asked)).structuredContent).toMatchObject(said)
  expect((await call('listRecordLinks')).structuredContent.data).toEqual([expect.objectContaining(said)])
  const refused = await call('linkRecords', { ...asked, weight: 101 })
  expect(refused).toMatchObject({ isError: true })
  expect(refused.content[0].text).toContain('weight: ')
})

test('what one relation says is nothing of another, also where both call it alike', async () => {
  const [id, aRisk, aControl] = [await undertaking(), await risk(), await control()]
  expect(complaints(await link(id, 'aftermath', aRisk, { weight: 40 }))).toMatchObject([{ path: 'weight' }])
  expect(complaints(await link(id, 'control', aControl, { weight: 'heavy' }))).toMatchObject([
    { path: 'weight' },
  ])
  expect(complaints(await link(id, 'control', aControl, { seenOn: '2026-05-01' }))).toEqual([
    { path: 'seenOn', message: 'of a link with a control there is none: leave it out' },
  ])
  expect(complaints(await link(id, 'aftermath', aRisk, { weight: null }))).toEqual([
    {
      path: 'weight',
      message: 'of a link with an aftermath it always has a value: give one, or leave it out',
    },
  ])
  expect(await linked(`undertakings/${id}`)).toEqual(expect.objectContaining({ data: [] }))
})

test('two relations with the same kind are kept, counted, filtered and ended apart', async () => {
  const [id, target] = [await undertaking(), await risk()]
  await link(id, 'risk', target)
  await link(id, 'aftermath', target)
  const { data, counts } = await linked(`undertakings/${id}`)
  expect(data.map((row) => row.relation ?? null).sort()).toEqual(['aftermath', null])
  expect(counts).toMatchObject({ risk: 1, aftermath: 1 })
  expect((await linked(`risks/${target}`)).counts).toMatchObject({ undertaking: 1, origin: 1 })
  await world.send('DELETE', `/v1/undertakings/${id}/links/risk/${target}`)
  expect(await ids(`/v1/undertakings?riskId=${target}`)).toEqual([])
  expect(await ids(`/v1/undertakings?aftermathId=${target}`)).toEqual([id])
  expect(await ids(`/v1/risks?originId=${id}`)).toEqual([target])
})

test('a relation of a kind with itself has two words, and leads round to nobody', async () => {
  const [first, second, third] = [await undertaking(), await undertaking(), await undertaking()]
  await link(first, 'successor', second)
  await link(second, 'successor', third)
  expect(await ids(`/v1/undertakings?successorId=${third}`)).toEqual([second])
  expect(await ids(`/v1/undertakings?forerunnerId=${first}`)).toEqual([second])
  expect((await linked(`undertakings/${second}`)).data.map(({ relation }) => relation).sort()).toEqual([
    'forerunner',
    'successor',
  ])
  const round = await link(third, 'successor', first)
  expect([round.status, round.body.code]).toEqual([409, 'cycle'])
  expect((await link(first, 'successor', first)).body.code).toBe('cycle')
  const both = await Promise.all([undertaking(), undertaking()])
  const crosswise = await Promise.all([
    link(both[0], 'successor', both[1]),
    link(both[1], 'successor', both[0]),
  ])
  expect(crosswise.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('it takes no more links than it says, and what it needs beside the right of its kind', async () => {
  const id = await undertaking()
  for (const target of [await control(), await control()])
    expect((await link(id, 'control', target)).status).toBe(200)
  const full = await link(id, 'control', await control())
  expect([full.status, full.body.code]).toEqual([409, 'link_limit_reached'])
  const { secret } = await acme.key(['read:risks', 'write:risks', 'read:controls'])
  const path = `/v1/undertakings/${await undertaking()}/links`
  const as = { authorization: `Bearer ${secret}` }
  const refused = await world.send('PUT', `${path}/control/${await control()}`, {}, as)
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
  expect((await world.send('PUT', `${path}/risk/${await risk()}`, {}, as)).status).toBe(200)
})

test('links go with their record, and both histories say why', async () => {
  const [id, target, next] = [await undertaking(), await risk(), await undertaking()]
  await link(id, 'aftermath', target, { weight: 'heavy' })
  await link(id, 'successor', next)
  expect(
    (await world.send('POST', '/web/deleteUndertaking', { id }, await world.sessionOf(acme.admin))).status,
  ).toBe(204)
  expect((await history(`risks/${target}`))[0]).toMatchObject({
    reason: 'The undertaking was deleted',
    changes: { origin: { from: { id, weight: 'heavy' }, to: null } },
  })
  expect((await history(`undertakings/${next}`))[0]).toMatchObject({
    changes: { forerunner: { from: { id }, to: null } },
  })
})
