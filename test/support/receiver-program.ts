import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeSecret, sign } from '../../server/webhooks/signature.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/* The receivers that pages offer to be copied, run as they stand and met with requests that are genuine and not. */

export const PROGRAMS = join(import.meta.dirname, '../../web/receivers')
export const key = randomBytes(32)
const BODY = '{"type":"risk.created","é":1}'

export interface ReceiverProgram {
  /** In the folder of programs. */
  readonly file: string
  /** What whoever copies it calls the file. */
  readonly as: string
  readonly command: readonly [string, ...string[]]
}

/** Starts a receiver in a folder of its own, waits until it answers, and ends it. */
export async function withReceiver<T>(
  { file, as, command }: ReceiverProgram,
  use: (address: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'))
  copyFileSync(join(PROGRAMS, file), join(folder, as))
  const port = await freePort()
  const [program, ...args] = command
  const child: ChildProcess = spawn(program, [...args, as], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: encodeSecret(key) },
    stdio: 'ignore',
    detached: true,
  })
  try {
    const address = `http://127.0.0.1:${port}`
    await until(() => {
      if (child.exitCode !== null) throw new Error(`${as} ended with ${child.exitCode}.`)
      return fetch(address, { method: 'POST' }).catch(() => null)
    }, as)
    return await use(address)
  } finally {
    try {
      process.kill(-child.pid!)
    } catch {
      // It has ended by itself.
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Changes {
  with?: Buffer
  sent?: string
  ageSeconds?: number
  headers?: Record<string, string>
}

/** What a receiver answers to a delivery that is genuine, unless something is changed. */
async function post(
  address: string,
  { with: secret = key, sent = BODY, ageSeconds = 0, headers = {} }: Changes = {},
): Promise<number> {
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds
  const signature = sign(secret, 'dlv_1', timestamp, Buffer.from(BODY))
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'webhook-id': 'dlv_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,AAAA ${signature}`,
      ...headers,
    },
    body: sent,
  })
  return response.status
}

/** What a receiver answered that it should not have; nothing, where it takes what is genuine and nothing else. */
export async function faultsOf(address: string): Promise<string[]> {
  const expected: readonly (readonly [string, number, Changes])[] = [
    ['genuine', 204, {}],
    ['signed with another secret', 401, { with: randomBytes(32) }],
    ['another body', 401, { sent: '{"type":"risk.deleted"}' }],
    ['almost five minutes old', 204, { ageSeconds: 280 }],
    ['older than five minutes', 401, { ageSeconds: 320 }],
    ['from the future', 401, { ageSeconds: -320 }],
    ['a timestamp that is no number', 401, { headers: { 'webhook-timestamp': 'now' } }],
    ['a signature of another version', 401, { headers: { 'webhook-signature': 'v2,AAAA' } }],
    ['another id', 401, { headers: { 'webhook-id': 'dlv_2' } }],
  ]
  const found: string[] = []
  for (const [name, status, changes] of expected) {
    const answered = await post(address, changes)
    if (answered !== status) found.push(`${name}: ${answered} instead of ${status}`)
  }
  const { status } = await fetch(address, { method: 'POST', body: '{}' })
  if (status !== 401) found.push(`without any header: ${status} instead of 401`)
  return found
}
