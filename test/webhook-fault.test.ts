/** Promise: a fault of our own is no outcome: it spends no attempt of anybody's. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { InvalidAnswer } from '../server/outbound/answer-reader.ts'
import { ConnectionClosed } from '../server/outbound/connection.ts'
import { NotDialled } from '../server/outbound/connector.ts'
import { parseNetwork } from '../server/outbound/network.ts'
import { judgeFailure } from '../server/webhooks/request/failure.ts'
import { records, startNameServer } from './support/name-server.ts'
import { startReceiver } from './support/receiver.ts'
import { attemptTo, expectClosed, openTestSender } from './support/sender.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

test('no resolver answers: a fault for every name', async () => {
  const names = await startNameServer(() => 'silent')
  closing.push(() => names.close())
  const sender = await openTestSender({ nameServers: [names.address] })
  closing.push(() => expectClosed(sender))
  const results = await Promise.all(
    ['one.test', 'two.test', 'three.test'].map((name) => sender.attempt(attemptTo(`https://${name}/`))),
  )
  for (const result of results) expect(result).toMatchObject({ fault: 'no_resolver' })
})

test('one name without an answer while others have one: the receiver’s', async () => {
  const table = records({ 'fine.test': ['127.0.0.1'] })
  const names = await startNameServer((question) =>
    question.name === 'dead.test' ? 'silent' : table(question),
  )
  closing.push(() => names.close())
  const receiver = await startReceiver({ names: ['fine.test'] })
  closing.push(() => receiver.close())
  const sender = await openTestSender({ nameServers: [names.address] })
  closing.push(() => expectClosed(sender))
  const [dead, fine] = await Promise.all(
    ['dead.test', 'fine.test'].map((name) => sender.attempt(attemptTo(`https://${name}:${receiver.port}/`))),
  )
  expect(dead).toMatchObject({ outcome: 'could_not_connect' })
  expect(fine).toMatchObject({ outcome: 'success' })
})

test('a connection that fails while it is dialled is the receiver’s, and ends nothing else', async () => {
  const names = await startNameServer(records({ 'nowhere.test': ['255.255.255.255'] }))
  closing.push(() => names.close())
  const sender = await openTestSender({
    nameServers: [names.address],
    allowedNetworks: ['127.0.0.0/8', '240.0.0.0/4'].map(parseNetwork),
  })
  closing.push(() => expectClosed(sender))
  expect(await sender.attempt(attemptTo('https://nowhere.test/'))).toMatchObject({
    outcome: 'could_not_connect',
    reason: 'unreachable',
  })
  const receiver = await startReceiver()
  closing.push(() => receiver.close())
  expect(await sender.attempt(attemptTo(receiver.url))).toMatchObject({ outcome: 'success' })
})

test('what only we could have got wrong is a fault, not a crash', async () => {
  const sender = await openTestSender()
  closing.push(() => expectClosed(sender))
  const receiver = await startReceiver()
  closing.push(() => receiver.close())
  const short = attemptTo(receiver.url, { secret: Buffer.alloc(31) })
  expect(await sender.attempt(short)).toMatchObject({ fault: 'internal' })
  expect(await sender.attempt(attemptTo(receiver.url, { id: 'two\r\nlines' }))).toMatchObject({
    fault: 'internal',
  })
  expect(receiver.requests).toHaveLength(0)
})

test.skipIf(process.platform === 'win32')('no descriptors left: a fault', async () => {
  const receiver = await startReceiver()
  closing.push(() => receiver.close())
  const script = fileURLToPath(new URL('support/descriptors.ts', import.meta.url))
  const { stdout } = await promisify(execFile)('/bin/sh', [
    '-c',
    'ulimit -n 80; exec "$0" "$@"',
    process.execPath,
    script,
    receiver.url,
    receiver.ca,
  ])
  expect(JSON.parse(stdout)).toEqual({ before: 'success', exhausted: 'descriptors' })
})

describe('by code', () => {
  const failed = (code: string, address = '203.0.113.1') => Object.assign(new Error(code), { code, address })

  test.each([
    ['EMFILE', 'descriptors'],
    ['ENFILE', 'descriptors'],
    ['ENOBUFS', 'resources'],
    ['ENOMEM', 'resources'],
    ['EADDRNOTAVAIL', 'resources'],
  ])('%s is ours', (code, fault) => {
    expect(judgeFailure(failed(code), false)).toMatchObject({ fault })
    expect(judgeFailure(new AggregateError([failed('ECONNREFUSED'), failed(code)]), false)).toMatchObject({
      fault,
    })
  })

  test.each([
    ['ECONNREFUSED', 'refused'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ENETUNREACH', 'unreachable'],
    ['ECONNRESET', 'reset'],
    ['ETIMEDOUT', 'unreachable'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'tls'],
    ['EPROTO', 'tls'],
    ['CERT_HAS_EXPIRED', 'certificate_expired'],
    ['CERT_NOT_YET_VALID', 'certificate_expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_name'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate_untrusted'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate_untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate_untrusted'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate_untrusted'],
  ])('%s is the receiver’s: %s', (code, reason) => {
    const judged = { outcome: 'could_not_connect', reason }
    expect(judgeFailure(failed(code), false)).toMatchObject(judged)
    expect(judgeFailure(new AggregateError([failed(code)]), false)).toMatchObject(judged)
  })

  test('a machine without IPv6 is not out of ports', () => {
    expect(judgeFailure(failed('EADDRNOTAVAIL', '2001:db8::1'), false)).toMatchObject({
      outcome: 'could_not_connect',
    })
  })

  test('only a closed connection, kept and silent, is connection_closed', () => {
    expect(judgeFailure(failed('ECONNRESET'), true)).toMatchObject({ outcome: 'connection_closed' })
    expect(judgeFailure(failed('ECONNRESET'), false)).toMatchObject({ outcome: 'could_not_connect' })
    expect(judgeFailure(new ConnectionClosed(), true)).toMatchObject({ outcome: 'connection_closed' })
    expect(judgeFailure(new ConnectionClosed(), false)).toMatchObject({ outcome: 'could_not_connect' })
    expect(judgeFailure(new InvalidAnswer(), true)).toMatchObject({
      outcome: 'could_not_connect',
      reason: 'protocol',
    })
  })

  test('what was not dialled says why', () => {
    expect(judgeFailure(new NotDialled('no_resolver', ''), false)).toMatchObject({ fault: 'no_resolver' })
    expect(judgeFailure(new NotDialled('no_address', ''), false)).toMatchObject({
      outcome: 'could_not_connect',
      reason: 'name_not_found',
    })
    expect(judgeFailure(new NotDialled('not_public', ''), false)).toMatchObject({
      outcome: 'address_not_public',
      reason: null,
    })
  })
})
