/** Promise: names are resolved off the thread pool, once for all askers, and blame falls where it belongs. */
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openHostsFile } from '../server/outbound/hosts-file.ts'
import { formatIp } from '../server/outbound/network.ts'
import { openResolver, type Resolution, type ResolverOptions } from '../server/outbound/resolver.ts'
import { type Reply, records, startNameServer } from './support/name-server.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const noHosts = { addressesOf: () => [] }

async function setUp(reply: Parameters<typeof startNameServer>[0], options: ResolverOptions = {}) {
  const names = await startNameServer(reply)
  const resolver = openResolver({
    nameServers: [names.address],
    hostsFile: noHosts,
    budgetMs: 1_500,
    ...options,
  })
  closing.push(
    () => names.close(),
    () => resolver.close(),
  )
  const resolve = async (name: string) => shown(await resolver.resolve(name))
  return { resolve, questions: names.questions }
}

function shown(resolution: Resolution): string[] | string {
  if ('found' in resolution) return resolution.found.map(formatIp)
  return 'silent' in resolution ? 'silent' : 'missing'
}

/** As a resolver would: it knows the root, whatever it does with other names. */
const living =
  (table: Record<string, Reply>) =>
  ({ name }: { name: string }): Reply =>
    name === '.' || name === '' ? [] : (table[name] ?? 'NXDOMAIN')

test('gives all addresses of both families', async () => {
  const { resolve } = await setUp(records({ 'a.test': ['192.0.2.1', '2001:db8::1', '192.0.2.2'] }))
  expect(await resolve('a.test')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8:0:0:0:0:0:1'])
})

test('asks for the whole name, with no suffix of this machine', async () => {
  const { resolve, questions } = await setUp(living({}))
  expect(await resolve('db')).toBe('missing')
  expect(new Set(questions)).toEqual(new Set(['A db', 'AAAA db']))
})

test('many askers at once make one question', async () => {
  const { resolve, questions } = await setUp(records({ 'a.test': ['192.0.2.1'] }))
  await Promise.all(Array.from({ length: 50 }, () => resolve('a.test')))
  expect(questions).toEqual(expect.arrayContaining(['A a.test', 'AAAA a.test']))
  expect(questions).toHaveLength(2)
})

test('remembers an answer as long as it is good, and TTL 0 not at all', async () => {
  const table = records({ 'long.test': ['192.0.2.1'] }, 300)
  const none = records({ 'none.test': ['192.0.2.1'] }, 0)
  const { resolve, questions } = await setUp((question) =>
    question.name === 'none.test' ? none(question) : table(question),
  )
  for (const name of ['long.test', 'long.test', 'none.test', 'none.test']) await resolve(name)
  expect(questions.filter((question) => question === 'A long.test')).toHaveLength(1)
  expect(questions.filter((question) => question === 'A none.test')).toHaveLength(2)
})

test('remembers for a moment that a name does not exist', async () => {
  const { resolve, questions } = await setUp(living({}))
  expect(await resolve('no.test')).toBe('missing')
  expect(await resolve('no.test')).toBe('missing')
  expect(questions.filter((question) => question === 'A no.test')).toHaveLength(1)
})

test('a name promised never to exist is asked of nobody (RFC 6761)', async () => {
  const { resolve, questions } = await setUp(() => 'silent')
  expect(await resolve('receiver.invalid')).toBe('missing')
  expect(questions).toEqual([])
})

test('one family is enough, though the other fails or stays silent', async () => {
  for (const other of ['SERVFAIL', 'NXDOMAIN', 'silent'] as const) {
    const table = records({ 'half.test': ['192.0.2.1'] })
    const { resolve } = await setUp((question) => (question.type === 'AAAA' ? other : table(question)))
    expect(await resolve('half.test')).toEqual(['192.0.2.1'])
  }
})

test.each(['NXDOMAIN', 'REFUSED', 'SERVFAIL', 'silent'] as const)(
  'a name answered by %s is the receiver’s affair while the resolver lives',
  async (reply) => {
    const { resolve } = await setUp(living({ 'bad.test': reply }))
    expect(await resolve('bad.test')).toBe('missing')
  },
)

test('a name without addresses is the receiver’s affair', async () => {
  const { resolve } = await setUp(living({ 'empty.test': [] }))
  expect(await resolve('empty.test')).toBe('missing')
})

test.each(['silent', 'SERVFAIL'] as const)('a resolver that says %s to everything is ours', async (reply) => {
  const { resolve } = await setUp(() => reply)
  expect(await Promise.all(['a.test', 'b.test', 'c.test'].map(resolve))).toEqual([
    'silent',
    'silent',
    'silent',
  ])
})

test('a port where no resolver listens is ours, and known at once', async () => {
  const names = await startNameServer(() => 'silent')
  await names.close()
  const resolver = openResolver({ nameServers: [names.address], hostsFile: noHosts })
  closing.push(() => resolver.close())
  expect(shown(await resolver.resolve('a.test'))).toBe('silent')
})

test('a resolver that comes back is believed within moments', async () => {
  let reply: (question: Parameters<ReturnType<typeof records>>[0]) => Reply = () => 'SERVFAIL'
  const { resolve } = await setUp((question) => reply(question))
  expect(await resolve('a.test')).toBe('silent')
  reply = records({ 'a.test': ['192.0.2.1'] })
  await expect.poll(() => resolve('a.test')).toEqual(['192.0.2.1'])
})

test('a resolver that comes back between a name and the question whether it lives blames no name', async () => {
  const table = records({ 'a.test': ['192.0.2.1'] })
  let isBack = false
  const { resolve } = await setUp((question) => {
    if (question.type === 'NS') isBack = true
    return isBack ? table(question) : 'SERVFAIL'
  })
  expect(await resolve('a.test')).toEqual(['192.0.2.1'])
})

test('the hosts file comes first, and is read again when it changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'))
  closing.push(() => rm(folder, { recursive: true }))
  const path = join(folder, 'hosts')
  const text =
    '# comment\n192.0.2.7  Receiver.Test other # tail\n2001:db8::7\treceiver.test\nfe80::1%lo0 zone\nbad line\n'
  await writeFile(path, text)
  const { resolve, questions } = await setUp(living({}), { hostsFile: openHostsFile(path, 0) })
  expect(await resolve('receiver.test')).toEqual(['192.0.2.7', '2001:db8:0:0:0:0:0:7'])
  expect(await resolve('other')).toEqual(['192.0.2.7'])
  expect(questions).toEqual([])
  expect(await resolve('zone')).toBe('missing')

  await writeFile(path, '192.0.2.8 receiver.test\n')
  await utimes(path, new Date(), new Date(Date.now() + 5_000))
  expect(await resolve('receiver.test')).toEqual(['192.0.2.8'])
  await rm(path)
  expect(await resolve('receiver.test')).toBe('missing')
})
