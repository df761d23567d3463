/** A DNS server of our own on a loopback UDP port, answering from a function. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import packet, { type Answer, type Question } from 'dns-packet'

/** `silent`: no reply at all. */
export type Reply = readonly Answer[] | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'silent'

export interface NameServer {
  /** `127.0.0.1:<port>`: for the sender's `nameServers`. */
  readonly address: string
  readonly questions: readonly string[]
  close(): Promise<void>
}

const codes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const
const authoritative = packet.AUTHORITATIVE_ANSWER | packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE

export async function startNameServer(
  reply: (question: Question, nth: number) => Reply | Promise<Reply>,
): Promise<NameServer> {
  const questions: string[] = []
  const socket = createSocket('udp4', async (message, from) => {
    const query = packet.decode(message)
    const [question] = query.questions ?? []
    if (!question) return
    questions.push(`${question.type} ${question.name}`)
    const replied = await reply(question, questions.length)
    if (replied === 'silent') return
    const code = typeof replied === 'string' ? codes[replied] : 0
    const response = packet.encode({
      type: 'response',
      id: query.id ?? 0,
      flags: authoritative | code,
      questions: [question],
      answers: typeof replied === 'string' ? [] : [...replied],
    })
    socket.send(response, from.port, from.address, () => {})
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** A reply from a table of names: addresses of both families, picked by what is asked; unknown names do not exist. */
export function records(table: Record<string, readonly string[]>, ttl = 0): (question: Question) => Reply {
  return ({ name, type }) => {
    const addresses = table[name.toLowerCase()]
    if (!addresses) return 'NXDOMAIN'
    return addresses
      .filter((address) => (type === 'AAAA' ? address.includes(':') : type === 'A' && !address.includes(':')))
      .map((data) => ({ type: type as 'A' | 'AAAA', name, ttl, data }))
  }
}
