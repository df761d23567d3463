import { randomBytes } from 'node:crypto'
import { Agent, request } from 'undici'
import { newId } from '../server/database/ids.ts'
import { sign } from '../server/webhooks/signature.ts'
import { addressesAt, sampleBody } from './backlog.ts'
import { compare, interleave } from './figures.ts'
import type { Identity } from './identity.ts'
import type { Receiver, Reception } from './receiver.ts'
import type { Stand } from './stand.ts'

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
    post: async (url, text) => {
      const body = Buffer.from(text)
      const id = newId('dlv')
      const timestamp = Math.floor(Date.now() / 1000)
      const answer = await request(url, {
        dispatcher,
        method: 'POST',
        headers: {
          'webhook-id': id,
          'webhook-timestamp': `${timestamp}`,
          'webhook-signature': sign(secret, id, timestamp, body),
          'content-type': 'application/json',
        },
        body,
      })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`the receiver answered ${answer.statusCode}`)
    },
    close: () => dispatcher.destroy(),
  }
}

/** What it took to send many. */
export interface Sent {
  /** Requests a second at the receiver, from the first to the last. */
  readonly rate: number
  /** ms of processor for each. */
  readonly processor: number
  readonly connections: number
}

export const sentOf = ({ requests, connections, firstAt, lastAt }: Reception, processor: number): Sent => ({
  rate: ((requests - 1) / (lastAt - firstAt)) * 1000,
  processor,
  connections,
})

/** As many posts as deliveries, in turn to each of the addresses. */
export async function postAll(
  sender: BareSender,
  receiver: Receiver,
  { urls, connections, count }: { urls: readonly string[]; connections: number; count: number },
): Promise<Sent> {
  const body = sampleBody()
  await receiver.reset()
  const before = process.cpuUsage()
  let left = count
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      while (left-- > 0) await sender.post(urls[index % urls.length]!, body)
    }),
  )
  const { user, system } = process.cpuUsage(before)
  return sentOf(await receiver.read(), (user + system) / 1000 / count)
}

/**
 * What the service sends, beside a bare loop that posts as many to the same receiver over as many connections.
 * @param product sends so many, and waits until that is written
 */
export async function besideBareLoop(
  { identity, rounds, say }: Stand,
  receiver: Receiver,
  {
    name,
    endpoints,
    count,
    product,
  }: {
    name: string
    endpoints: number
    count: number
    product: () => Promise<Sent>
  },
) {
  say(`${name}: warming up`)
  const { connections } = await product()
  const sender = openBareSender(identity, connections)
  const urls = Array.from({ length: endpoints }, (_, index) => addressesAt(receiver)(0, index))
  const yardstick = () => postAll(sender, receiver, { urls, connections, count })
  await yardstick()
  const yardstickIs = `bare undici loop, ${connections} at a time`
  say(`${name}: the service against the ${yardstickIs}`)
  const sent = await interleave(rounds, product, yardstick)
  await sender.close()
  const of = (what: 'rate' | 'processor') => ({
    ...compare(
      sent.products.map((one) => one[what]),
      sent.yardsticks.map((one) => one[what]),
    ),
    yardstickIs,
  })
  return { rate: of('rate'), processor: of('processor') }
}
