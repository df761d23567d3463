import { randomBytes } from 'node:crypto'
import { Agent, request } from 'undici'
import { newId } from '../server/database/ids.ts'
import { sign, signedContent } from '../server/webhooks/signature.ts'
import type { Identity } from './identity.ts'

/** The yardstick of sending: undici, a signature, and nothing else. */
export interface BareSender {
  /** Signs and posts, and reads the answer. */
  post(url: string, body: string): Promise<void>
  close(): Promise<void>
}

/** @param connections kept, and posts at a time */
export function openBareSender({ authority }: Identity, connections: number): BareSender {
  const secret = randomBytes(32)
  const dispatcher = new Agent({ connections, connect: { ca: authority }, keepAliveTimeout: 55_000 })
  return {
    post: async (url, body) => {
      const id = newId('dlv')
      const timestamp = Math.floor(Date.now() / 1000)
      const signed = signedContent(id, timestamp, body)
      const answer = await request(url, {
        dispatcher,
        method: 'POST',
        headers: {
          'webhook-id': id,
          'webhook-timestamp': `${timestamp}`,
          'webhook-signature': sign(secret, signed.content),
          'content-type': 'application/json',
        },
        body: signed.body,
      })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`the receiver answered ${answer.statusCode}`)
    },
    close: () => dispatcher.destroy(),
  }
}
