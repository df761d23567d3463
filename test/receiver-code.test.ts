import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { encodeSecret, sign, signedContent } from '../server/webhooks/signature.ts'
import { freePort } from './support/free-port.ts'
import { until } from './support/webhooks.ts'

/* The receivers that the pages offer: each runs as it stands, takes what is genuine, and nothing else. */

const RECEIVERS = join(import.meta.dirname, '../web/receivers')
const key = randomBytes(32)
const BODY = '{"type":"risk.created","é":1}'

interface Language {
  file: string
  as: string
  program: string
  args: string[]
}

const LANGUAGES: Language[] = [
  { file: 'receiver.ts', as: 'receiver.ts', program: process.execPath, args: [] },
  { file: 'receiver.py', as: 'receiver.py', program: 'python3', args: [] },
  { file: 'receiver.go.txt', as: 'receiver.go', program: 'go', args: ['run'] },
]
const isThere = ({ program }: Language) =>
  spawnSync(program, [program === 'go' ? 'version' : '--version']).status === 0

/** Genuine, unless something is changed. */
async function post(
  address: string,
  {
    with: secret = key,
    sent = BODY,
    ageSeconds = 0,
  }: { with?: Buffer; sent?: string; ageSeconds?: number } = {},
): Promise<number> {
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds
  const signature = sign(secret, signedContent('dlv_1', timestamp, BODY).content)
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'webhook-id': 'dlv_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,AAAA ${signature}`,
    },
    body: sent,
  })
  return response.status
}

async function withReceiver<T>({ file, as, program, args }: Language, use: (address: string) => Promise<T>) {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'))
  copyFileSync(join(RECEIVERS, file), join(folder, as))
  const port = await freePort()
  const child: ChildProcess = spawn(program, [...args, as], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: encodeSecret(key) },
    stdio: 'ignore',
    detached: true,
  })
  try {
    const address = `http://127.0.0.1:${port}`
    await until(() => fetch(address, { method: 'POST' }).catch(() => null), as)
    return await use(address)
  } finally {
    process.kill(-child.pid!)
    rmSync(folder, { recursive: true, force: true })
  }
}

for (const language of LANGUAGES)
  test.skipIf(!isThere(language))(`${language.as} takes what is genuine and nothing else`, () =>
    withReceiver(language, async (address) => {
      expect(await post(address)).toBe(204)
      expect(await post(address, { with: randomBytes(32) })).toBe(401)
      expect(await post(address, { sent: '{"type":"risk.deleted"}' })).toBe(401)
      expect(await post(address, { ageSeconds: 400 })).toBe(401)
      expect(await post(address, { ageSeconds: -400 })).toBe(401)
      expect((await fetch(address, { method: 'POST', body: '{}' })).status).toBe(401)
    }),
  )

const hasCurl = ['curl', 'openssl'].every(
  (one) => spawnSync(one, [one === 'curl' ? '--version' : 'version']).status === 0,
)

test.skipIf(!hasCurl)('send.sh sends what a receiver takes', () =>
  withReceiver(LANGUAGES[0]!, async (address) => {
    const child = spawn('sh', [join(RECEIVERS, 'send.sh'), address], {
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
