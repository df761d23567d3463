import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, entryOf } from '../model/describe-kind.ts'
import { hasInput } from '../model/described-field.ts'
import { type DescribedKind, describedKind } from '../model/described-kind.ts'
import { NONE, NOT_SET } from '../model/filter-names.ts'
import { type Kind, kind as makeKind } from '../model/kind.ts'
import { kinds } from '../model/kinds/index.ts'
import { nameOf } from '../model/roles.ts'
import { refuseStates } from '../model/states.ts'
import { actOf } from '../web/client/act-of.ts'
import { fieldsOf } from '../web/client/fields.ts'
import { answersTo, isAskedAnew, nextStates, offered, wantedBefore } from '../web/client/states.ts'
import { fits } from '../web/components/fits.ts'
import { isPending } from '../web/components/is-late.ts'
import { type Section, sectionsOf } from '../web/components/kind-sections.ts'
import { colourOf } from '../web/components/level-tone.ts'
import { cardValues } from '../web/components/record-list/card-values.ts'
import { tableWidths } from '../web/components/record-list/column-widths.ts'
import { filtersOf, groupsOf, nextSort } from '../web/components/record-list/view.ts'
import { progressOf } from '../web/components/state-progress.ts'
import { stateRows } from '../web/pages/help/state-rows.ts'
import { standingFields } from '../web/pages/record/head-fields.ts'
import { errand } from './support/errand.ts'
import type { TestOrganization, TestService } from './support/service.ts'
import { undertaking } from './support/undertaking.ts'
import { openUndertakings, type Reply, type Undertakings } from './support/undertakings.ts'

/*
 * A kind whose fields are called as those of no other goes through whatever is made from kinds: it says what names its
 * records, whose they are, when they are due, what is unique among them, and what their states are.
 */

const kind = undertaking as unknown as Kind
const asPagesHaveIt = (one: Kind) => describedKind(entryOf(one), dataOf(one), one.rules)
const pages = asPagesHaveIt(kind)
const DAY = 86_400_000

let world: Undertakings
let one: TestService
let acme: TestOrganization
let asAdmin: Record<string, string>
let asEditor: Record<string, string>

beforeAll(async () => {
  world = await openUndertakings()
  one = world.one
  acme = world.acme
  asAdmin = await world.sessionOf(acme.admin)
  asEditor = await world.sessionOf(await acme.person('editor'))
})
afterAll(() => world.close())

const send: Undertakings['send'] = (...asked) => world.send(...asked)
const add = async (action: string, more: object = {}) =>
  (await send('POST', '/v1/undertakings', { action, ...more })).body
const change = (id: string, body: object, as?: Record<string, string>) =>
  as
    ? send('POST', '/web/updateUndertaking', { id, ...body }, as)
    : send('PATCH', `/v1/undertakings/${id}`, body)
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

test('its calls are titled with its noun', async () => {
  const { body } = await send('GET', '/v1/openapi.json')
  const { get, post } = body.paths['/v1/undertakings']
  expect([get.summary, post.summary]).toEqual(['List undertakings', 'Add an undertaking'])
})

test('it is added, read, changed, listed and removed, and its history calls it by its name', async () => {
  const { id, reference } = await add('Move the archive')
  expect((await change(id, { action: 'Move the whole archive' })).status).toBe(200)
  expect((await send('GET', `/v1/undertakings/${id}`)).body.action).toBe('Move the whole archive')
  const listed = await send('GET', `/v1/undertakings?reference=${reference}&sort=-action`)
  expect(listed.body.data).toHaveLength(1)
  const { body: history } = await send('GET', `/v1/undertakings/${id}/history`)
  expect(history.data[0].changes.action).toEqual({ from: 'Move the archive', to: 'Move the whole archive' })
  expect((await send('DELETE', `/v1/undertakings/${id}`)).status).toBe(204)
  const { rows } = await one.administrator.query(
    "select distinct subject->>'title' as title from audit_entries where subject_id = $1",
    [id],
  )
  expect(rows.map(({ title }) => title).sort()).toEqual(['Move the archive', 'Move the whole archive'])
})

test('it is found by the words of its name, and by who it is assigned to', async () => {
  const person = (
    await send('POST', '/v1/personnel', { fullName: 'Iris Vogt', workEmail: 'iris@example.com' })
  ).body
  const { id } = await add('Sweep the cellar', { assignee: { type: 'personnel', refId: person.id } })
  const found = async (query: string) =>
    (await send('GET', `/v1/undertakings?${query}`)).body.data.map((row: { id: string }) => row.id)
  expect(await found('q=cellar')).toEqual([id])
  expect(await found('q=iris')).toEqual([id])
  expect(await found(`assigneeId=${person.id}`)).toEqual([id])
  expect(await found('owned=true')).toEqual([id])
  expect(await found(`assigneeId=${NONE}&owned=true`)).toEqual([])
  const { body: owns } = await send('GET', `/v1/personnel/${person.id}/responsibilities`)
  expect(owns.data).toEqual([
    expect.objectContaining({ type: 'undertaking', id, title: 'Sweep the cellar', field: 'assignee' }),
  ])
  expect((await send('DELETE', `/v1/personnel/${person.id}`)).body.counts).toEqual({ undertaking: 1 })
})

test('a choice that is called none is found, and what has none of the choices beside it', async () => {
  const q = 'q=exposed'
  const none = await add('Exposed to nothing', { exposure: 'none' })
  const slight = await add('Exposed', { exposure: 'slight' })
  const unset = await add('Exposed, or not')
  const found = async (query: string) =>
    (await send('GET', `/v1/undertakings?${q}&${query}`)).body.data.map((row: { id: string }) => row.id)
  expect(await found('exposure=none')).toEqual([none.id])
  expect(await found('exposure=not_set')).toEqual([unset.id])
  expect(await found('exposure=none&exposure=slight')).toEqual([slight.id, none.id])
  const { body: summary } = await send('GET', `/v1/undertakings/summary?${q}&counted=exposure`)
  expect(summary.counts.exposure).toEqual(
    expect.arrayContaining([
      { value: 'none', count: 1 },
      { value: null, count: 1 },
    ]),
  )
  const { body } = await send('GET', '/v1/openapi.json')
  const told = Object.values<{ name: string; description?: string }>(body.components.parameters)
  expect(told.find(({ name }) => name === 'exposure')?.description).toBe(
    'none is a choice; not_set: without a value',
  )
})

test('a field of any form is found by what it has, and by having nothing', async () => {
  const q = 'q=abroad'
  const near = await add('Abroad', { countries: ['AT', 'DE'], seat: 'AT' })
  const nowhere = await add('Abroad, or not', { countries: [] })
  const found = async (query: string) =>
    (await send('GET', `/v1/undertakings?${q}&${query}`)).body.data?.map((row: { id: string }) => row.id)
  expect(await found('countries=AT')).toEqual([near.id])
  expect(await found('countries=FR&countries=none')).toEqual([nowhere.id])
  expect(await found('seat=AT&seat=none')).toEqual([nowhere.id, near.id])
  const { body } = await send('GET', '/v1/undertakings?countries=XX')
  expect(body.errors).toEqual([
    {
      path: 'countries',
      message: 'no such country: give two capital letters of ISO 3166-1, such as AT',
    },
  ])
})

test('it is overdue by its own deadline, until it is over, and counted by who it is assigned to', async () => {
  const q = 'q=deadline'
  const late = await add('Deadline missed', { expiresOn: inDays(-2) })
  const soon = await add('Deadline near', {
    expiresOn: inDays(3),
    assignee: { type: 'user', refId: acme.admin.userId },
  })
  await add('Deadline far', { expiresOn: inDays(90) })
  await add('Deadline missed, and done', { expiresOn: inDays(-2), phase: 'over' })
  const ids = async (due: string) =>
    (await send('GET', `/v1/undertakings?${q}&due=${due}`)).body.data.map((row: { id: string }) => row.id)
  expect(await ids('overdue')).toEqual([late.id])
  expect(await ids('soon')).toEqual([soon.id])
  const { body: summary } = await send('GET', `/v1/undertakings/summary?${q}`)
  expect(summary).toMatchObject({ total: 4, due: { overdue: 1, soon: 1 }, ownerless: 2 })
  const { body: owners } = await send('GET', `/v1/undertakings/summary?${q}&counted=assigneeId`)
  expect(owners.counts.assigneeId).toContainEqual(
    expect.objectContaining({ value: acme.admin.userId, count: 1, name: acme.admin.credential.name }),
  )
})

test('what is unique among several fields is a conflict that names the field', async () => {
  const first = await add('First', { plan: 'P', step: '1' })
  expect((await add('Second', { plan: 'P', step: '2' })).id).toBeDefined()
  const again = await send('POST', '/v1/undertakings', { action: 'Third', plan: 'P', step: '1' })
  expect([again.status, again.body.code, again.body.field]).toEqual([409, 'conflict', 'step'])

  // PostgreSQL keeps the word "order" for itself; nobody outside it notices.
  const ordered = await add('Fourth', { order: 'foremost' })
  const twice = await send('POST', '/v1/undertakings', { action: 'Fifth', order: 'foremost' })
  expect([twice.status, twice.body.field]).toEqual([409, 'order'])
  const { body: found } = await send('GET', '/v1/undertakings?q=foremost')
  expect(found.data).toMatchObject([{ id: ordered.id, order: 'foremost' }])
  const own = await send('POST', '/v1/undertakings', { action: 'A', externalId: 'x1' })
  expect(own.status).toBe(201)
  const same = await change(first.id, { externalId: 'x1' })
  expect([same.status, same.body.field]).toEqual([409, 'externalId'])
})

test('each of its two states goes its own way, asks what it asks, and is taken back alone', async () => {
  const { id } = await add('Two ways')
  const refused = async (body: object) => {
    const answer = await change(id, body)
    return [answer.status, answer.body.code, answer.body.path ?? answer.body.errors?.[0].path]
  }
  expect(await refused({ consent: 'withdrawn' })).toEqual([409, 'invalid_transition', 'consent'])
  expect(await refused({ phase: 'halted' })).toEqual([422, 'validation_failed', 'haltedBecause'])
  const halted = await change(id, { phase: 'halted', haltedBecause: 'No room', consent: 'given' })
  expect(halted.body).toMatchObject({ phase: 'halted', consent: 'given' })
  expect(await refused({ phase: 'over' })).toEqual([409, 'invalid_transition', 'phase'])
  // The reason goes with the state that it was for, and with no other.
  const begun = await change(id, { phase: 'begun' })
  expect(begun.body).toMatchObject({ phase: 'begun', haltedBecause: null, consent: 'given' })
  expect((await change(id, { consent: 'withdrawn' })).body.code).toBe('session_required')
  expect((await change(id, { consent: 'withdrawn' }, asEditor)).body.code).toBe('capability_required')
  const withdrawn = await change(id, { consent: 'withdrawn', phase: 'over' }, asAdmin)
  expect(withdrawn.status).toBe(200)
  const { version } = withdrawn.body
  const back = await change(id, { ifMatch: version, consent: 'given', phase: 'begun' }, asAdmin)
  expect(back.body).toMatchObject({ consent: 'given', phase: 'begun' })
  expect((await send('POST', '/web/getRecentActivity', {}, asAdmin)).body.data[0]).toMatchObject({
    action: 'undertaking.update',
    subject: { title: 'Two ways' },
  })
})

test('what is taken back in one of its states leaves the other, whatever led to that', async () => {
  const refused = await send('POST', '/v1/undertakings', { action: 'Waived at once', consent: 'waived' })
  expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'consent'])
  const { id } = await add('Waived in between')
  await one.administrator.query("update undertakings set consent = 'waived' where id = $1", [id])
  const { version } = (await change(id, { phase: 'over' }, asAdmin)).body
  expect((await change(id, { phase: 'begun' }, asAdmin)).body.code).toBe('invalid_transition')
  const back = await change(id, { ifMatch: version, phase: 'begun' }, asAdmin)
  expect(back.body).toMatchObject({ phase: 'begun', consent: 'waived' })
})

test('the web app draws it from the same', () => {
  const record = {
    id: 'und_1',
    reference: 'UND-1',
    action: 'Draw',
    phase: 'begun',
    consent: 'given',
  } as never
  const names = filtersOf(pages).map(({ name }) => name)
  expect(nameOf(pages, record)).toBe('Draw')
  expect(names).toEqual(expect.arrayContaining(['assigneeId', 'owned', 'due', 'phase', 'consent']))
  expect(groupsOf(pages).map(({ name }) => name)).toEqual(['phase', 'consent', 'assignee', 'exposure'])
  expect(standingFields(pages, record)).toEqual(['exposure', 'phase', 'consent', 'assignee', 'expiresOn'])
  expect(nextSort(fieldsOf(pages).get('expiresOn')!, '-createdAt')).toBe('expiresOn')
  const exposure = filtersOf(pages).find(({ name }) => name === 'exposure')!
  expect(exposure.options).toEqual(['none', 'slight', 'grave', NOT_SET])
  const [phase, consent] = kind.states as [Kind['states'][number], Kind['states'][number]]
  expect(nextStates(phase, record, [])).toEqual(['halted', 'over'])
  expect(nextStates(consent, record, [])).toEqual([])
  expect(nextStates(consent, record, ['settings.manage'])).toEqual(['withdrawn'])
  const halted = { phase: 'halted' }
  const halting = { ...(record as object), haltedBecause: 'Once before' }
  expect(isAskedAnew(pages, halting, halted, 'haltedBecause')).toBe(true)
  expect(isAskedAnew(pages, halting, halted, 'action')).toBe(false)
  expect(offered(pages, 'consent', ['asked', 'waived'])).toEqual(['asked'])
})

test('a state that an operation alone leads to is told with it', async () => {
  const [, consent] = undertaking.states as unknown as [Kind['states'][number], Kind['states'][number]]
  const waive = { name: 'waiveUndertaking', button: 'Waive', when: { consent: ['given'] } }
  const rows = stateRows(consent, [waive])
  const chosen = (...states: string[]) => states.map((state) => ({ state, by: [] }))
  expect(rows).toEqual([
    { id: 'asked', next: chosen('given'), only: null },
    { id: 'given', next: [{ state: 'waived', by: ['Waive'] }, ...chosen('withdrawn')], only: null },
    { id: 'withdrawn', next: [], only: null },
    { id: 'waived', next: [], only: ['Waive'] },
  ])
  // The journal tells it as an edit; what it was follows from where it led.
  const waived = { consent: { from: 'given', to: 'waived' }, phase: { from: 'begun', to: 'over' } }
  expect(actOf(pages, waived)).toEqual({ verb: 'Waive', field: 'consent', state: 'waived' })
  expect(actOf(pages, { consent: { from: 'waived', to: 'given' } })).toBeNull()
  // Nothing leads there yet.
  const open = stateRows({ ...consent, byAction: { waived: [] } }, [])
  expect(open.map(({ id }) => id)).toEqual(['asked', 'given', 'withdrawn'])

  const { body: added } = await send('POST', '/v1/undertakings', { action: 'Waive', consent: 'waived' })
  expect(added.errors).toEqual([
    {
      path: 'consent',
      message:
        'only waiveUndertaking leads to waived: add it in another state first, and then call waiveUndertaking',
    },
  ])
  const { id } = await add('Waive later')
  const { body: changed } = await change(id, { consent: 'waived' })
  expect(changed).toMatchObject({
    code: 'invalid_transition',
    from: 'asked',
    to: 'waived',
    allowed: ['given'],
  })
  expect(changed.detail).toBe(
    'consent cannot go from asked to waived: it can go to given, and only waiveUndertaking leads to waived: call waiveUndertaking instead.',
  )
})

test('a link that is made from the other end says so', async () => {
  const { id } = await add('Link it')
  const { body: risk } = await send('POST', '/v1/risks', { title: 'Lost keys' })
  expect((await send('PUT', `/v1/undertakings/${id}/links/risk/${risk.id}`, {})).status).toBe(200)
  const { body: turned } = await send('PUT', `/v1/risks/${risk.id}/links/undertaking/${id}`, {})
  expect(turned.errors).toEqual([
    {
      path: 'targetKind',
      message:
        'links with undertakings are made and ended by the undertaking: give its id as id, with targetKind risk and this one as targetId',
    },
  ])
  const { body: listed } = await world.tell('tools/list', {})
  const tools: { name: string; description: string }[] = listed.result.tools
  for (const name of ['linkRecords', 'unlinkRecords'])
    expect(tools.find((tool) => tool.name === name)!.description).toMatch(
      /Of risks: targetKind is requirement or control or vendor or asset\..*Of undertakings: targetKind is risk or aftermath or control or successor\./,
    )
})

test('an address of the web is taken, and nothing that a browser would run', async () => {
  const page = `https://example.com/${'a'.repeat(400)}`
  expect(await add('With a page', { page })).toMatchObject({ page })
  for (const other of ['javascript:alert(1)', 'ftp://example.com/', 'example.com']) {
    const { status, body } = await send('POST', '/v1/undertakings', { action: 'Without', page: other })
    expect([status, body.errors?.[0].path]).toEqual([422, 'page'])
  }
})

test('a field is offered where it has an input, and shown as what it is', () => {
  const fields = fieldsOf(pages)
  expect(fields.get('page')!.form).toBe('url')
  const { form, parts } = fields.get('witnesses')!
  expect([form, parts.map(({ title }) => title)]).toEqual(['objects', ['Full name', 'Since']])
  const [[title, offered]] = sectionsOf(pages, hasInput) as [Section]
  expect(title).toBe('Other fields')
  const names = offered.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['haltedBecause', 'page', 'witnesses', 'labels', 'customFields']),
  )
})

test('a value that its field could not have is no reason for a page to fail', () => {
  expect(fits('day', 'some day')).toBe(false)
  expect(fits('objects', [{ fullName: 'Ada' }, 'Bo'])).toBe(false)
  expect(fits('object', ['Ada'])).toBe(false)
  expect(fits('day', '2026-05-17')).toBe(true)
})

test('a level has the colour of its place among two to six', () => {
  expect(fieldsOf(pages).get('exposure')!.isLevel).toBe(true)
  expect(standingFields(pages, {})[0]).toBe('exposure')
  const colours = (...levels: string[]) => levels.map((level) => colourOf(level, levels))
  // A value that says that there is none is no level among them.
  expect(colours('none', 'slight', 'grave')).toEqual([undefined, 'teal', 'red'])
  expect(colours('unrated', 'low', 'medium', 'high', 'critical')).toEqual([
    undefined,
    ...colours('low', 'medium', 'high', 'critical'),
  ])
  expect(colours('low', 'medium', 'high', 'critical')).toEqual(['teal', 'yellow', 'orange', 'red'])
  const six = colours('negligible', 'informational', 'low', 'medium', 'high', 'critical')
  expect(six.slice(2)).toEqual(['teal', 'yellow', 'orange', 'red'])
  expect(new Set(six).size).toBe(6)
  expect(colourOf('none', ['low', 'high'])).toBeUndefined()
})

test('a card shows what is overdue, however many values come before it', () => {
  const first = ['phase', 'consent', 'exposure', 'plan', 'step', 'seat']
  const columns = [...first, 'expiresOn'].map((name) => fieldsOf(pages).get(name)!)
  const record = { phase: 'begun', consent: 'given', exposure: 'slight', plan: 'P', step: '1', seat: 'S' }
  const shown = (more: object) =>
    cardValues(pages, columns, { ...record, ...more } as never).map(({ name }) => name)
  expect(shown({ expiresOn: inDays(-2) })).toEqual(['expiresOn', ...first.slice(0, -1)])
  expect(shown({ expiresOn: inDays(2) })).toEqual(first)
  expect(shown({ expiresOn: inDays(-2), phase: 'over' })).not.toContain('expiresOn')
})

test('columns give way down to a least before a table is scrolled, and states and dates do not', () => {
  const columns = ['phase', 'consent', 'exposure', 'seat', 'assignee', 'expiresOn'].map(
    (name) => fieldsOf(pages).get(name)!,
  )
  const { least, columns: widths } = tableWidths(pages, columns)
  // The room at a width of 1280.
  expect(least).toBeLessThan(1018)
  const isShared = widths.map((width) => width.startsWith('clamp('))
  expect(isShared).toEqual([false, false, false, true, true, false])
})

test('a reference is shown whole, and the name keeps most of the room', () => {
  const widthAt = (longest: number) => Number.parseInt(tableWidths(pages, [], longest).reference, 10)
  expect(widthAt('UND-1234567'.length)).toBeGreaterThan(widthAt('UND-1'.length))
  const control = asPagesHaveIt(kinds.control as unknown as Kind)
  const columns = control.columns.slice(1).map((name) => fieldsOf(control).get(name)!)
  const { least, columns: widths } = tableWidths(control, columns)
  expect(least).toBeLessThan(1018)
  const others = widths.map((width) => Number.parseInt(width.replace('clamp(', ''), 10))
  expect(least - others.reduce((sum, width) => sum + width, 0)).toBeGreaterThan(300)
})

test('what is settled is due no more, and expires all the same', () => {
  const evidence = asPagesHaveIt(kinds.evidence as unknown as Kind)
  const dates = { requestDueDate: inDays(2), expiryDate: inDays(2), archivedAt: null }
  const pending = (status: string) =>
    ['requestDueDate', 'expiryDate'].filter((name) =>
      isPending(evidence, fieldsOf(evidence).get(name)!, { ...dates, status }),
    )
  expect(pending('requested')).toContain('requestDueDate')
  expect(pending('approved')).toEqual(['expiryDate'])
  expect(pending('archived')).toEqual([])
})

test('each state machine shows how far a record has come in it', () => {
  const shown = (of: DescribedKind, field: string, ...states: string[]) =>
    states.map((state) => progressOf(of, field, state))
  expect(shown(pages, 'phase', 'begun', 'halted', 'over')).toEqual(['begun', 'underWay', 'done'])
  const consents = shown(pages, 'consent', 'asked', 'given', 'withdrawn', 'waived')
  expect(consents).toEqual(['begun', 'done', 'ended', 'ended'])
  const stages = { sketched: ['drawn'], drawn: ['built', 'sketched'], built: ['drawn'] }
  const open = { ...pages, states: [{ field: 'stage', next: stages }], defaults: { stage: 'sketched' } }
  expect(shown(open, 'stage', 'sketched', 'drawn', 'built')).toEqual(['begun', 'underWay', 'done'])
  const person = asPagesHaveIt(kinds.personnel as unknown as Kind)
  expect(shown(person, 'status', 'pre_start', 'active', 'on_leave', 'former')).toEqual([
    'begun',
    'done',
    'resting',
    'resting',
  ])
})

test('what a step asks for is asked where an answer would do, in either machine', () => {
  const [phase, consent] = undertaking.states
  const asks = { given: [{ fields: ['phase'], among: ['halted', 'over'], message: 'halt it first' }] }
  const asking = asPagesHaveIt(
    makeKind({ ...undertaking, states: [phase, { ...consent, asks }] } as never) as unknown as Kind,
  )
  const record = { phase: 'begun', consent: 'asked' }
  const given = { consent: 'given' }
  expect(wantedBefore(asking, record, given)).toEqual({ fields: ['phase'], message: 'halt it first' })
  expect(answersTo(asking, record, given, 'phase')).toEqual(['halted', 'over'])
  // From where no state that would do can be reached, nothing is asked: the service says why not.
  const stuck = asPagesHaveIt(
    makeKind({
      ...undertaking,
      states: [
        { ...phase, next: { ...phase!.next, begun: [] } },
        { ...consent, asks },
      ],
    } as never) as unknown as Kind,
  )
  expect(wantedBefore(stuck, record, given)).toBeNull()
})

test('an empty list is nothing where a state asks for one', () => {
  const machine = {
    field: 'phase',
    next: { begun: ['over'], over: [] },
    asks: { over: [{ fields: ['lessons'], message: 'say what was learnt' }] },
  }
  const ends = (lessons: unknown) =>
    refuseStates([machine], { phase: 'begun', lessons: null }, { phase: 'over', lessons }, new Set())
  for (const none of [null, []])
    expect(ends(none)).toEqual({ path: 'lessons', message: 'say what was learnt' })
  expect(ends(['Ask earlier'])).toBeNull()
})

/* A family: errands go with their undertaking, keepsakes stay without one (support/errand.ts). */

const FEATURE = { supplierRiskManagement: true }
let marked = 0
const errandUnder = async (undertakingId: string, more: object = {}, as?: Record<string, string>) =>
  send(
    'POST',
    `/v1/undertakings/${undertakingId}/errands`,
    { chore: 'Fetch', mark: `m.${++marked}`, ...more },
    as,
  )
const errandOf = (address: string) => `/v1/ventures/errands/${encodeURIComponent(address)}`

test('a feature that an organization lacks makes a kind of it not there, for anybody', async () => {
  const { id } = await add('Without errands')
  const refused = [await errandUnder(id), await send('GET', '/v1/ventures/errands')]
  for (const { status, body } of refused) expect([status, body.code]).toEqual([404, 'feature_disabled'])
  await one.call(acme.admin, 'updateOrganization', { features: FEATURE })
  expect((await errandUnder(id)).status).toBe(201)
})

test('a child is made and listed beneath its parent, read and changed at its own path, and stays there', async () => {
  const [first, other] = [await add('First parent'), await add('Other parent')]
  const { status, body: made } = await errandUnder(first.id)
  expect([status, made.undertakingId]).toEqual([201, first.id])
  await errandUnder(other.id)
  const ids = async (path: string) => (await send('GET', path)).body.data.map((row: { id: string }) => row.id)
  expect(await ids(`/v1/undertakings/${first.id}/errands?run=ahead`)).toEqual([made.id])
  expect(await ids(`/v1/undertakings/${first.id}/errands?run=run`)).toEqual([])
  expect(await ids(`/v1/ventures/errands?undertakingId=${first.id}`)).toEqual([made.id])
  expect((await send('GET', errandOf(made.id))).body).toEqual(made)
  const back = await send('PATCH', errandOf(made.id), { ...made, fare: 3 })
  expect([back.status, back.body.fare]).toEqual([200, 3])
  const moved = await send('PATCH', errandOf(made.id), { undertakingId: other.id })
  expect([moved.status, moved.body.errors[0].path]).toEqual([422, 'undertakingId'])
  const gone = 'und_01k9f8qxk2e9mbz6w0h5t4v3ra'
  for (const answer of [await errandUnder(gone), await send('GET', `/v1/undertakings/${gone}/errands`)])
    expect(answer.status).toBe(404)
  const { body: batch } = await send('POST', '/v1/ventures/errands/batch', {
    records: [
      { undertakingId: first.id, chore: 'Carry', mark: 'batch' },
      { chore: 'Carry', mark: 'lost' },
    ],
  })
  expect(batch.data[0].record.undertakingId).toBe(first.id)
  expect(batch.data[1].problem.errors[0].path).toBe('undertakingId')
  const { body: document } = await send('GET', '/v1/openapi.json')
  expect(Object.keys(document.paths['/v1/undertakings/{undertakingId}/errands'])).toEqual(['get', 'post'])
  expect(Object.keys(document.paths['/v1/ventures/errands'])).toEqual(['get'])
})

test('it is kept in step by its external id, alone and many at once, and what hangs on it is counted', async () => {
  const at = '/v1/undertakings/by-external-id/erp:7'
  const first = await send('PUT', at, { action: 'Sink a shaft' })
  const again = await send('PUT', at, { action: 'Sink a deep shaft' })
  expect([first.status, again.status, again.body.version]).toEqual([201, 200, 2])
  const { id } = again.body
  expect(first.body.id).toBe(id)
  const { body: batch } = await send('POST', '/v1/undertakings/batch', {
    mode: 'upsert',
    records: [
      { externalId: 'erp:7', action: 'Fill the shaft' },
      { externalId: 'erp:8', action: 'Prop it' },
      { externalId: 'erp:9' },
    ],
  })
  const became = batch.data.map(({ outcome, problem }: Row) => outcome ?? problem!.errors[0]!.path)
  expect(became).toEqual(['changed', 'created', 'action'])
  expect(batch.data[0].record).toEqual((await send('GET', `/v1/undertakings/${id}`)).body)
  await errandUnder(id)
  const { body: counted } = await send('GET', `/v1/undertakings/${id}/dependents`)
  expect(counted.data).toEqual([{ type: 'errand', as: 'undertakingId', count: 1, onDeletion: 'deleted' }])
})

interface Row {
  readonly outcome?: string
  readonly problem?: { readonly errors: readonly { readonly path: string }[] }
}

test('a record is called by its key wherever it is called by its id', async () => {
  const { body: made } = await errandUnder((await add('Keys')).id, { mark: 'risk_engine.v<2>' })
  const at = errandOf(made.mark)
  expect((await send('GET', at)).body.id).toBe(made.id)
  expect((await send('PATCH', at, { fare: 7 })).body.fare).toBe(7)
  expect((await send('GET', `${at}/history`)).body.data).toHaveLength(2)
  expect((await send('GET', errandOf('no.such.mark'))).status).toBe(404)
  const { body } = await world.tell('tools/call', {
    name: 'getRecord',
    arguments: { type: 'errand', id: made.mark },
  })
  expect(body.result.structuredContent?.id).toBe(made.id)
  const again = await errandUnder(made.undertakingId, { mark: made.mark })
  expect([again.status, again.body.code, again.body.field]).toEqual([409, 'conflict', 'mark'])
  expect((await send('DELETE', `/v1/undertakings/${made.undertakingId}`)).status).toBe(204)
  expect((await send('GET', at)).status).toBe(404)
})

test('its rules are given the facts it names, and a browser goes by none of them', async () => {
  const parent = await add('Facts')
  const { body: made } = await errandUnder(parent.id, { fare: 5 })
  expect([made.zone, made.budget]).toEqual(['UTC', 5])
  expect((await errandUnder(parent.id, { fare: 10 })).body.budget).toBe(15)
  await one.call(acme.admin, 'updateOrganization', { timezone: 'Europe/Vienna' })
  const changed = await send('PATCH', errandOf(made.id), { fare: 6 })
  expect([changed.body.zone, changed.body.budget]).toEqual(['Europe/Vienna', 16])
  await one.call(acme.admin, 'updateOrganization', { timezone: 'UTC' })
  await change(parent.id, { phase: 'over' })
  const refused = await send('PATCH', errandOf(made.id), { run: 'running' })
  expect(refused.body.errors).toEqual([
    { path: 'run', message: 'the undertaking is over: begin none of its errands' },
  ])
  const inPages = asPagesHaveIt(errand as unknown as Kind)
  expect(inPages.derive({ fare: 5 })).toEqual({})
  expect(inPages.refuse({ run: 'ahead' }, { run: 'running' }, new Set(['run']))).toBeNull()
  expect(inPages.refuse({ run: 'ahead' }, { run: 'run' }, new Set(['run']))).not.toBeNull()
})

test('each field is changed by who has what its entry needs, and each verb by who has what that needs', async () => {
  const { body: made } = await errandUnder((await add('Rights')).id)
  const as = (credential: Record<string, string>, body: object) =>
    send('POST', '/web/updateErrand', { id: made.id, ...body }, credential)
  const told = ({ status, body }: Reply) => [status, body.code, body.fields]
  expect(told(await send('PATCH', errandOf(made.id), { chore: 'Bring', fare: 2, verdict: 'Good' }))).toEqual([
    403,
    'field_not_permitted',
    ['chore', 'verdict'],
  ])
  expect((await as(asEditor, { chore: 'Bring', judge: null })).body.chore).toBe('Bring')
  expect(told(await as(asEditor, { verdict: 'Good' }))).toEqual([403, 'field_not_permitted', ['verdict']])
  const judged = await as(asAdmin, { verdict: 'Good' })
  expect(judged.body).toMatchObject({ verdict: 'Good' })
  expect(told(await as(asAdmin, { labels: ['x'] }))).toEqual([403, 'field_not_permitted', ['labels']])
  expect(told(await send('DELETE', errandOf(made.id)))).toEqual([403, 'session_required', undefined])
  const viewer = await world.sessionOf(await acme.person('viewer'))
  const kept = await send('POST', '/web/deleteErrand', { id: made.id }, viewer)
  expect([kept.status, kept.body.code, kept.body.role]).toEqual([403, 'capability_required', 'viewer'])
  expect((await send('POST', '/web/deleteErrand', { id: made.id }, asEditor)).status).toBe(204)
})

test('a deletion takes along what goes with it, and leaves what stays, each with its entry', async () => {
  const { id } = await add('Parent of a family')
  const errands = [await errandUnder(id), await errandUnder(id), await errandUnder(id)].map(
    ({ body }) => body.id,
  )
  const { body: keepsake } = await send('POST', `/v1/undertakings/${id}/keepsakes`, { label: 'Lamp' })
  expect((await send('DELETE', `/v1/undertakings/${id}`)).status).toBe(204)
  for (const errand of errands) expect((await send('GET', errandOf(errand))).status).toBe(404)
  const { body: kept } = await send('GET', `/v1/keepsakes/${keepsake.id}`)
  expect([kept.undertakingId, kept.version]).toEqual([null, 2])
  const { rows } = await one.administrator.query(
    `select action, subject_id, reason from audit_entries
      where action in ('errand.delete', 'undertaking.delete', 'keepsake.update') and organization_id = $1
        and subject_id = any($2) order by action, subject_id`,
    [acme.id, [id, keepsake.id, ...errands]],
  )
  expect(rows.map(({ subject_id }) => subject_id)).toEqual([...errands.toSorted(), keepsake.id, id])
  expect(rows[0]).toMatchObject({ action: 'errand.delete', reason: 'The undertaking was deleted' })
})

test('what a record under the deleted one is pointed at by keeps both', async () => {
  const { id } = await add('Pointed at below')
  const { body: made } = await errandUnder(id)
  const elsewhere = await add('Elsewhere')
  await send('POST', `/v1/undertakings/${elsewhere.id}/keepsakes`, {
    label: 'Of an errand',
    errandId: made.id,
  })
  const refused = await send('DELETE', `/v1/undertakings/${id}`)
  expect([refused.status, refused.body.counts]).toEqual([409, { keepsake: 1 }])
  expect((await send('GET', errandOf(made.id))).status).toBe(200)
})

test('more than a thousand are not deleted with one, and nothing goes', async () => {
  const { id } = await add('A thousand and one')
  await errandUnder(id)
  await one.administrator.query(
    `insert into errands (organization_id, id, reference_number, undertaking_id, chore, mark, run, source, version,
         created_at, created_by, updated_at, updated_by)
     select organization_id, 'err_' || lpad(n::text, 26, '0'), 100000 + n, undertaking_id, chore, 'n' || n, run,
            source, version, created_at, created_by, updated_at, updated_by
       from errands, generate_series(1, 1000) n where undertaking_id = $1`,
    [id],
  )
  const { status, body } = await send('DELETE', `/v1/undertakings/${id}`)
  expect([status, body.code, body.counts]).toEqual([409, 'referenced', { errand: 1001 }])
  expect(body.detail).toContain('1001 errands are under one undertaking, and 1000 go with it at most')
  expect((await send('GET', `/v1/undertakings/${id}/errands?limit=1`)).body.data).toHaveLength(1)
  await one.administrator.query("delete from errands where id = 'err_' || lpad('1', 26, '0')")
  expect((await send('DELETE', `/v1/undertakings/${id}`)).status).toBe(204)
})
