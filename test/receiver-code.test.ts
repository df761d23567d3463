import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { encodeSecret } from '../server/webhooks/signature.ts'
import { faultsOf, key, PROGRAMS, type ReceiverProgram, withReceiver } from './support/receiver-program.ts'

/*
 * The receiver that pages offer for Node runs as it stands, takes what is genuine, and nothing else. Those in other
 * languages: test/judges/receivers/run.ts.
 */

const TYPESCRIPT: ReceiverProgram = { file: 'receiver.ts', as: 'receiver.ts', command: [process.execPath] }

test('receiver.ts takes what is genuine and nothing else', async () => {
  expect(await withReceiver(TYPESCRIPT, faultsOf)).toEqual([])
})

const hasCurl = ['curl', 'openssl'].every(
  (one) => spawnSync(one, [one === 'curl' ? '--version' : 'version']).status === 0,
)

test.skipIf(!hasCurl)('send.sh sends what a receiver takes', () =>
  withReceiver(TYPESCRIPT, async (address) => {
    const child = spawn('sh', [join(PROGRAMS, 'send.sh'), address], {
      env: { ...process.env, WEBHOOK_SECRET: encodeSecret(key) },
    })
    let answer = ''
    child.stdout.on('data', (text) => {
      answer += text
    })
    await new Promise((resolve) => child.once('close', resolve))
    expect(answer).toContain('204 No Content')
  }),
)
