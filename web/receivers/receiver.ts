// node receiver.ts
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'

const key = Buffer.from(process.env.WEBHOOK_SECRET!.replace(/^whsec_/, ''), 'base64')

function isAuthentic(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  const isSigned = String(headers['webhook-signature'])
    .split(' ')
    .map((entry) => Buffer.from(entry.replace(/^v1,/, ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
  return isRecent && isSigned
}

createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks) // the bytes as they came, before anything parses them
  if (!isAuthentic(request.headers, body)) {
    response.writeHead(401).end()
    return
  }
  response.writeHead(204).end() // answer first, work later
  const signal = JSON.parse(body.toString())
  console.log(request.headers['webhook-id'], signal.type) // the same id again is the same delivery
}).listen(Number(process.env.PORT ?? 8080))
