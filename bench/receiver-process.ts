import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { sharedClock } from './figures.ts'
import { type Ask, HANGING, type Reception } from './receiver.ts'

/*
 * The receiver as a process of its own: https, kept connections, an instant 200 to whatever comes, and no
 * answer at all under the hanging path. It counts and times, and tells when it is asked.
 */

let noting = false
let open = 0
let reception = nothingYet()

process.on('message', (ask: Ask) => {
  if (ask.ask === 'open') listen(ask.key, ask.certificate)
  if (ask.ask === 'read') process.send!(reception)
  if (ask.ask === 'reset') {
    noting = ask.noting
    reception = nothingYet()
    process.send!(reception)
  }
})
process.on('disconnect', () => process.exit())
process.on('SIGTERM', () => process.exit())

function listen(key: string, cert: string): void {
  const server = createServer({ key, cert, keepAliveTimeout: 120_000 }, receive)
  server.on('secureConnection', (socket) => {
    open += 1
    reception.connections = Math.max(reception.connections, open)
    socket.once('close', () => {
      open -= 1
    })
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
}

function nothingYet(): Reception {
  return { requests: 0, hanging: 0, connections: open, firstAt: 0, lastAt: 0, arrivals: [] }
}

function receive(request: IncomingMessage, response: ServerResponse): void {
  if (request.url!.startsWith(HANGING)) {
    reception.hanging += 1
    request.resume()
    return
  }
  const parts: Buffer[] | null = noting ? [] : null
  if (parts) request.on('data', (part: Buffer) => parts.push(part))
  else request.resume()
  request.on('end', () => {
    const at = sharedClock()
    response.writeHead(200).end()
    reception.firstAt ||= at
    reception.lastAt = at
    reception.requests += 1
    if (parts) reception.arrivals.push([subjectOf(Buffer.concat(parts).toString()), at])
  })
}

/** The id of what a signal is about; it stands before the record, so the first one found is it. */
const subjectOf = (body: string): string => /"subject":\{"type":"\w+","id":"(\w+)"/.exec(body)?.[1] ?? ''
