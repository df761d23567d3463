import { afterAll, beforeAll, expect, test } from 'vitest'
import { readMarkdown } from '../model/markdown.ts'
import { mentionedIn, partsOf } from '../model/mentions.ts'
import type { Caller } from '../server/caller/caller.ts'
import { sweepFiles } from '../server/files/sweep.ts'
import type { Refusal } from '../server/refusal.ts'
import { programOf } from './support/callers.ts'
import { sendFile } from './support/files.ts'
import { HOSTILE_TEXTS } from './support/hostile-texts.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/* Promise: a record is commented on by who may change it and read by who may read it; whom a comment mentions is told,
 * and nobody is who may not read the record. */

let one: TestService
let acme: TestOrganization
let ada: Caller
let ben: Caller
let viewer: Caller
beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  ada = await acme.person('editor')
  ben = await acme.person('editor')
  viewer = await acme.person('viewer')
})
afterAll(() => one.close())

interface Comment {
  id: string
  text: string
  version: number
  isOwn: boolean
  resolvedAt: string | null
}

let calls = 0
const as = async <Body = Comment>(caller: Caller, name: string, input: object = {}): Promise<Body> => {
  calls += 1
  return (await one.call({ ...caller, requestId: `${caller.requestId} ${calls}` }, name, input)).body as Body
}
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Refusal) => error.code,
  )
const user = ({ userId }: Caller) => ({ type: 'user', refId: userId })
const nameOf = ({ credential }: Caller) => (credential as { name: string }).name
const at = (caller: Caller, name = 'whoever') => `@[${name}](${caller.userId})`
const addRisk = async (more: object = {}) =>
  (await as(ada, 'createRisk', { title: 'Old gateway', ...more })).id
const comment = (by: Caller, recordId: string, text: string) => as(by, 'createComment', { recordId, text })
const list = async (by: Caller, recordId: string) =>
  (await as<{ data: Comment[] }>(by, 'listComments', { recordId })).data
async function news(caller: Caller): Promise<string[]> {
  const { data } = await as<{ data: { words: string; page: string }[] }>(caller, 'listNotices')
  await as(caller, 'readAllNotices')
  return data.map(({ words, page }) => `${words} ${page}`)
}

test('those who may change a record comment on it, those who may read it read that', async () => {
  const risk = await addRisk()
  const { id } = await comment(ada, risk, 'Is it **open**?')
  await comment(ben, risk, 'It is.')
  expect((await list(viewer, risk)).map(({ text, isOwn }) => [text, isOwn])).toEqual([
    ['Is it **open**?', false],
    ['It is.', false],
  ])
  expect(await refused(comment(viewer, risk, 'Hm'))).toBe('capability_required')
  expect(await refused(as(viewer, 'updateComment', { id, isResolved: true }))).toBe('capability_required')
  const others = await one.organization()
  for (const name of ['updateComment', 'deleteComment', 'listCommentVersions'])
    expect(await refused(as(others.admin, name, { id }))).toBe('not_found')
  expect(await refused(list(others.admin, risk))).toBe('not_found')
  expect(await refused(comment(others.admin, risk, 'Hm'))).toBe('not_found')
  const blind = { ...ben, granted: new Set([...ben.granted].filter((scope) => !scope.endsWith(':risks'))) }
  expect(await refused(as(blind, 'updateComment', { id, isResolved: true }))).toBe('not_found')
  expect(await refused(list(blind, risk))).toBe('insufficient_scope')
  // It is no part of the record's version, and the log does not say what it says.
  expect(await as<{ version: number }>(ada, 'getRisk', { id: risk })).toMatchObject({ version: 1 })
  const { rows } = await one.administrator.query('select * from audit_entries where subject_id = $1', [id])
  expect(rows).toMatchObject([{ action: 'comment.create' }])
  expect(JSON.stringify(rows)).toContain('Old gateway')
  expect(JSON.stringify(rows)).not.toContain('open**')
})

test('a key comments with the scopes that change the record, and deletes none', async () => {
  const risk = await addRisk()
  const door = await one.listen()
  const key = async (...scopes: never[]) => (await acme.key(scopes)).secret
  const path = `/v1/records/${risk}/comments`
  const body = { text: 'From a scanner' }
  const reader = await key('read:risks' as never)
  expect((await door.send(reader, 'POST', path, { body })).status).toBe(403)
  const writer = await key('read:risks' as never, 'write:risks' as never)
  const made = await door.send(writer, 'POST', path, { body })
  expect(made.status).toBe(201)
  const { id } = made.body as { id: string }
  expect((await door.send(reader, 'GET', path)).body).toMatchObject({
    data: [{ id, text: 'From a scanner' }],
  })
  expect((await door.send(writer, 'DELETE', `/v1/comments/${id}`)).status).toBe(403)
  // It puts no words into the mouth of whom it acts for.
  const edit = { body: { text: 'In other words' } }
  expect((await door.send(writer, 'PATCH', `/v1/comments/${id}`, edit)).status).toBe(200)
  const { id: own } = await comment(acme.admin, risk, 'In person')
  expect((await door.send(writer, 'PATCH', `/v1/comments/${own}`, edit)).body.code).toBe(
    'field_not_permitted',
  )
  const { data } = (await door.send(writer, 'GET', path)).body as {
    data: { id: string; mayDelete: boolean }[]
  }
  expect(data.map(({ mayDelete }) => mayDelete)).toEqual([false, false])
  const other = await key('read:assets' as never, 'write:assets' as never)
  expect((await door.send(other, 'GET', path)).status).toBe(403)
})

test('only whoever wrote it edits it, with what it said kept; it is resolved by anybody who writes', async () => {
  const risk = await addRisk()
  const { id } = await comment(ada, risk, 'First words')
  expect(await refused(as(ben, 'updateComment', { id, text: 'Other words' }))).toBe('field_not_permitted')
  expect(await refused(as(ada, 'updateComment', { id, text: 'New', ifMatch: 7 }))).toBe('version_mismatch')
  expect(await as(ada, 'updateComment', { id, text: 'New words', ifMatch: 1 })).toMatchObject({ version: 2 })
  expect(await as(ben, 'listCommentVersions', { id })).toMatchObject({ data: [{ text: 'First words' }] })
  expect((await as(ben, 'updateComment', { id, isResolved: true })).resolvedAt).not.toBeNull()
  expect((await as(ben, 'updateComment', { id, isResolved: false })).resolvedAt).toBeNull()
  expect(await refused(as(ben, 'deleteComment', { id }))).toBe('capability_required')
  await as(acme.admin, 'deleteComment', { id })
  expect(await list(ada, risk)).toEqual([])
  const left = await one.administrator.query('select from comment_versions where comment_id = $1', [id])
  expect(left.rowCount).toBe(0)
})

test('what a key said and its maker edits in person says who did', async () => {
  const risk = await addRisk()
  const door = await one.listen()
  const { secret } = await acme.key(['read:risks', 'write:risks'])
  const made = await door.send(secret, 'POST', `/v1/records/${risk}/comments`, { body: { text: 'Scanned' } })
  expect(made.body).toMatchObject({ createdBy: { type: 'api_key' }, editedBy: null })
  const { id } = made.body as { id: string }
  expect(await as(acme.admin, 'updateComment', { id, text: 'Scanned twice' })).toMatchObject({
    createdBy: { type: 'api_key' },
    editedBy: { type: 'user', id: acme.admin.userId },
  })
})

test('the names of whom it mentions make no comment too long, now or when they change', async () => {
  const risk = await addRisk()
  const rename = (name: string) =>
    one.administrator.query('update members set name = $1 where user_id = $2', [name, ben.userId])
  const name = nameOf(ben)
  const long = 'x'.repeat(9_900)
  await rename('N'.repeat(190))
  const { id, text } = await comment(ada, risk, `${long} ${at(ben)}`)
  expect(text.length).toBeGreaterThan(10_000)
  expect(await as(ada, 'updateComment', { id, text: `${text}.` })).toMatchObject({ version: 2 })
  for (const tooMuch of [`${long} ${long}`, `${at(ben)} `.repeat(200)])
    expect(await refused(comment(ada, risk, tooMuch))).toBe('validation_failed')
  await rename(name)
})

test('its files are its writer’s own, read with the record, and go with the comment', async () => {
  const risk = await addRisk()
  const mine = await sendFile(one, ada, 'log.txt', Buffer.from('Failed on Monday.'))
  const theirs = await sendFile(one, ben, 'other.txt', Buffer.from('Of Ben'))
  const say = (by: Caller, fileIds: string[], text = 'See the log') =>
    as<Comment & { files: { id: string; name: string; status: string }[] }>(by, 'createComment', {
      ...{ recordId: risk, text, fileIds },
    })
  expect(await refused(say(ada, [theirs.id]))).toBe('validation_failed')
  const { id, files } = await say(ada, [mine.id])
  expect(files).toEqual([{ id: mine.id, name: 'log.txt', type: 'text/plain', bytes: 17, status: 'ready' }])
  expect((await as<{ data: unknown[] }>(viewer, 'listComments', { recordId: risk })).data).toMatchObject([
    { files: [{ id: mine.id }] },
  ])
  const load = (by: Caller, more: object = {}) =>
    as<unknown>(by, 'downloadCommentFile', { id: mine.id, ...more })
  expect(await load(viewer)).toMatchObject({ name: 'log.txt' })
  const blind = { ...ben, granted: new Set([...ben.granted].filter((scope) => !scope.endsWith(':risks'))) }
  const others = await one.organization()
  for (const [by, more] of [[blind], [others.admin], [ben, { id: theirs.id }]] as const)
    expect(await refused(load(by, more ?? {}))).toBe('not_found')
  // By its own id it is no evidence, and another's.
  expect(await refused(as(viewer, 'downloadFile', { id: mine.id }))).toBe('not_found')
  // A program sends none, also not those of whom it acts for.
  const program = programOf(ada, ['read:risks', 'write:risks'])
  expect(await refused(say(program, [mine.id]))).toBe('file_upload_not_allowed')
  expect(await refused(as(ben, 'updateComment', { id, fileIds: [] }))).toBe('field_not_permitted')
  // What has them keeps them from the sweep, and what lets go of them does not.
  const there = async () =>
    (await one.administrator.query('select from files where id = $1', [mine.id])).rowCount
  const sweep = async () => {
    for (const _ of [1, 2]) {
      await sweepFiles(one.service)
      await one.moveClock(25 * 60 * 60_000)
    }
    await sweepFiles(one.service)
  }
  await sweep()
  expect(await there()).toBe(1)
  expect(await as(ada, 'updateComment', { id, fileIds: [], ifMatch: 1 })).toMatchObject({
    files: [],
    version: 2,
  })
  await sweep()
  expect(await there()).toBe(0)
})

test('they go with their record', async () => {
  const risk = await addRisk()
  const { id } = await comment(ada, risk, 'Gone soon')
  await as(ada, 'updateComment', { id, text: 'Gone' })
  await as(acme.admin, 'deleteRisk', { id: risk })
  expect((await one.administrator.query('select from comments where id = $1', [id])).rowCount).toBe(0)
})

test('whom it mentions is told, and those whose record it is; and nobody who may not read it', async () => {
  const risk = await addRisk({ owner: user(ben) })
  for (const person of [ada, ben, viewer]) await news(person)
  const { id, text } = await comment(ada, risk, `See ${at(viewer, 'the boss')} and ${at(ada)}`)
  expect(text).toBe(`See ${at(viewer, nameOf(viewer))} and ${at(ada, nameOf(ada))}`)
  const page = `/risks/${risk}?tab=comments`
  expect(await news(viewer)).toEqual([`${nameOf(ada)} mentioned you in a comment on a risk ${page}`])
  expect(await news(ben)).toEqual([`${nameOf(ada)} commented on a risk ${page}`])
  expect(await news(ada)).toEqual([])
  // An edit tells those who are new in it.
  await as(ada, 'updateComment', { id, text: `${text} ${at(ben)}` })
  expect([...(await news(viewer)), ...(await news(ben))]).toEqual([
    `${nameOf(ada)} mentioned you in a comment on a risk ${page}`,
  ])
  await comment(ben, risk, 'Answered')
  expect(await news(ada)).toEqual([`${nameOf(ben)} commented on a risk ${page}`])

  const others = await one.organization()
  const gone = await acme.person('editor')
  await one.administrator.query("update members set status = 'disabled' where user_id = $1", [gone.userId])
  for (const nobody of [others.admin, gone])
    expect(await refused(comment(ada, risk, at(nobody)))).toBe('validation_failed')
  const offered = await as<{ data: { userId: string }[] }>(ada, 'listMentionable', { recordId: risk, q: '' })
  const ids = offered.data.map(({ userId }) => userId)
  expect(ids).toEqual(expect.arrayContaining([ada.userId, ben.userId, viewer.userId, acme.admin.userId]))
  expect(ids).not.toContain(gone.userId)
  expect(ids).not.toContain(others.admin.userId)
  // Somebody who left may stand in what was said before.
  await one.administrator.query("update members set status = 'disabled' where user_id = $1", [viewer.userId])
  await as(ada, 'updateComment', { id, text: `${text} still` })
})

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[click](javascript:alert(1))',
  '[click](data:text/html,<script>alert(1)</script>)',
  '![x](https://evil.example/pixel.png)',
  '@[x](javascript:alert(1))',
  '@[](usr_00000000000000000000000000)',
  '[a](https://evil.example/"onmouseover="alert(1))',
  `${'*'.repeat(5000)}`,
  `${'['.repeat(5000)}`,
  `${'> '.repeat(3000)}`,
  `${'`'.repeat(4999)}`,
  `${'_a'.repeat(4000)}`,
  `${'https://a'.repeat(1000)}`,
  `${'@['.repeat(4000)}`,
]

test.each(HOSTILE)('a text that means harm is text: %j', (text) => {
  const told = JSON.stringify(readMarkdown(text))
  for (const { url } of linksIn(readMarkdown(text))) expect(url).toMatch(/^https?:\/\//)
  expect(told).not.toMatch(/"url":"(javascript|data):/i)
  expect(mentionedIn(text)).toEqual([])
  expect(partsOf(text).join('')).toBe(text)
})

test('of five hundred such texts some, in each way in which they can stand, are text', () => {
  for (const text of HOSTILE_TEXTS.filter((_, at) => at % 7 === 0))
    for (const { url } of linksIn(readMarkdown(text))) expect(url).toMatch(/^https?:\/\//)
})

function linksIn(value: unknown): { url: string }[] {
  if (Array.isArray(value)) return value.flatMap(linksIn)
  if (typeof value !== 'object' || value === null) return []
  const own = 'url' in value ? [value as { url: string }] : []
  return [...own, ...Object.values(value).flatMap(linksIn)]
}

// What is tried in all ways in which it can be taken would take minutes.
test.each([
  '#',
  ' ',
  '# ',
  '*',
  '**',
  '_',
  '`',
  '[',
  '[a](',
  '](',
  'https://',
  '> ',
  '- ',
  '1. ',
  '@',
  '\u2028',
  '```\n',
])('10,000 letters of %j are read at once', (unit) => {
  const many = unit.repeat(Math.floor(4_900 / unit.length))
  for (const before of ['', '# ', '- ', '> ', '**', '_', '`', '[', 'https://a', `# ${' '.repeat(800)}`])
    for (const after of ['', 'x', '\u2028x', '\u2029', '*', ')', '\n'])
      readMarkdown(`${before}${many}${many}${after}`)
})

const words = (text: string) => ({ type: 'paragraph', inline: [{ type: 'text', text }] })

test('Markdown is read as it is meant', () => {
  expect(
    readMarkdown('# Title\n\nIs **this** `code` [here](https://a.example/x)?\n- one\n- two\n\n> said'),
  ).toEqual([
    { type: 'heading', level: 1, inline: [{ type: 'text', text: 'Title' }] },
    {
      type: 'paragraph',
      inline: [
        { type: 'text', text: 'Is ' },
        { type: 'strong', inline: [{ type: 'text', text: 'this' }] },
        { type: 'text', text: ' ' },
        { type: 'code', text: 'code' },
        { type: 'text', text: ' ' },
        { type: 'link', text: 'here', url: 'https://a.example/x' },
        { type: 'text', text: '?' },
      ],
    },
    {
      type: 'list',
      isOrdered: false,
      start: 1,
      items: [[words('one')], [words('two')]],
    },
    { type: 'quote', blocks: [words('said')] },
  ])
})

test('lists stand in lists, tables have cells, and what is behind a backslash stands as it is', () => {
  const text =
    '3. one\n   - within\n\n     more\n4. two\n\n| A | B |\n| - | :-: |\n| x \\| y | ![p](fil_00000000000000000000000000) |\n\n---\n\\*plain\\* ![no](https://a.example/x)'
  expect(readMarkdown(text)).toMatchObject([
    {
      type: 'list',
      isOrdered: true,
      start: 3,
      items: [
        [words('one'), { type: 'list', isOrdered: false, items: [[words('within'), words('more')]] }],
        [words('two')],
      ],
    },
    {
      type: 'table',
      head: [[{ text: 'A' }], [{ text: 'B' }]],
      rows: [[[{ text: 'x | y' }], [{ type: 'image', fileId: 'fil_00000000000000000000000000' }]]],
    },
    { type: 'rule' },
    { type: 'paragraph', inline: [{ text: '*plain* !' }, { type: 'link', url: 'https://a.example/x' }] },
  ])
})
