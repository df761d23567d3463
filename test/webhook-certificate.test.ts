/** Promise: a receiver that cannot prove its name gets nothing, and no setting turns that off. */
import { afterEach, expect, test, vi } from 'vitest'
import { createAuthority } from '../client/receiver/authority.ts'
import { openSender } from '../server/webhooks/request.ts'
import { records, startNameServer } from './support/name-server.ts'
import { type ReceiverOptions, startReceiver } from './support/receiver.ts'
import { expectClosed, openTestSender, send } from './support/sender.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function attempt(options: ReceiverOptions, host = '127.0.0.1') {
  const names = await startNameServer(
    records({ 'receiver.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] }),
  )
  closing.push(() => names.close())
  const receiver = await startReceiver(options)
  closing.push(() => receiver.close())
  const sender = await openTestSender({ nameServers: [names.address] })
  closing.push(() => expectClosed(sender))
  const result = await send(sender, `https://${host}:${receiver.port}/`)
  return { result, requests: receiver.requests.length }
}

test.each([
  ['127.0.0.1', ['127.0.0.1']],
  ['receiver.test', ['receiver.test']],
  ['receiver.test.', ['receiver.test']],
  ['receiver.test', ['*.test', 'receiver.test']],
  ['localhost', ['localhost']],
])('%s proves itself by %j', async (host, names) => {
  expect((await attempt({ names }, host)).result).toMatchObject({ outcome: 'success' })
})

test.each([
  ['another name', 'receiver.test', { names: ['other.test'] }, 'certificate_name'],
  ['an IP for a name', 'receiver.test', { names: ['127.0.0.1'] }, 'certificate_name'],
  ['a name for an IP', '127.0.0.1', { names: ['receiver.test'] }, 'certificate_name'],
  ['another IP', '127.0.0.1', { names: ['127.0.0.2'] }, 'certificate_name'],
  [
    'an expired certificate',
    'receiver.test',
    { names: ['receiver.test'], certificateDays: -1 },
    'certificate_expired',
  ],
])('%s does not', async (_what, host, options, reason) => {
  expect(await attempt(options, host)).toMatchObject({
    result: { outcome: 'could_not_connect', reason, statusCode: null },
    requests: 0,
  })
})

test('an unknown authority does not, whatever the environment says', async () => {
  const authority = await createAuthority('Somebody else')
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  expect(await attempt({ authority })).toMatchObject({
    result: { outcome: 'could_not_connect', reason: 'certificate_untrusted' },
    requests: 0,
  })
  vi.unstubAllEnvs()
})

test('on a second connection the name is proved anew', async () => {
  const names = await startNameServer(
    records({ 'receiver.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] }),
  )
  closing.push(() => names.close())
  const receiver = await startReceiver({ names: ['receiver.test'] })
  closing.push(() => receiver.close())
  const sender = await openTestSender({ nameServers: [names.address] })
  closing.push(() => expectClosed(sender))
  const to = (name: string) => send(sender, `https://${name}:${receiver.port}/`, { fresh: true })
  expect((await to('receiver.test')).outcome).toBe('success')
  expect((await to('other.test')).outcome).toBe('could_not_connect')
  expect((await to('receiver.test')).outcome).toBe('success')
})

test('authorities without a certificate stop the start', () => {
  expect(() => openSender({ certificateAuthorities: 'not PEM' })).toThrow('no certificate in PEM form')
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
  expect(() => openSender({ certificateAuthorities: broken })).toThrow()
})
