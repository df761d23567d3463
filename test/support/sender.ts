/** A sender for tests that may reach receivers on loopback, and attempts for it. */
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { parseNetwork } from '../../server/outbound/network.ts'
import {
  type Attempt,
  type AttemptResult,
  openSender,
  type Sender,
  type SenderOptions,
} from '../../server/webhooks/request.ts'
import { testAuthority } from './receiver.ts'

export const secret = randomBytes(32)

export async function openTestSender(options: SenderOptions = {}): Promise<Sender> {
  return openSender({
    allowedNetworks: [parseNetwork('127.0.0.0/8')],
    certificateAuthorities: (await testAuthority()).certificate,
    ...options,
  })
}

let made = 0

type Asked = Partial<Omit<Attempt, 'body'>> & { readonly body?: string }

export function attemptTo(
  address: string,
  { body = '{"type":"webhook.test"}', ...more }: Asked = {},
): Attempt {
  made += 1
  return { id: `dlv_${made}`, address, body: Buffer.from(body), secret, ...more }
}

/** An attempt that must not end in a fault of our own. */
export async function send(sender: Sender, address: string, more: Asked = {}): Promise<AttemptResult> {
  const result = await sender.attempt(attemptTo(address, more))
  if (result === 'not_left') throw new Error('it might not leave')
  if ('fault' in result) throw new Error(`fault ${result.fault}: ${result.detail}`)
  return result
}

/** After `close()` nothing is left: no socket, nothing on the wire. */
export async function expectClosed(sender: Sender): Promise<void> {
  await sender.close()
  expect(sender.counts).toMatchObject({ openSockets: 0, idleSockets: 0, inFlight: 0 })
}
