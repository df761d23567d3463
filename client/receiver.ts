import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { identityIn } from './receiver/certificate.ts'
import { judge } from './receiver/verdict.ts'

/*
 * `npm run receiver`: a verifying https receiver on loopback, to see signed deliveries arrive while trying
 * the service. It says what to start the service with and how to register it, and prints every delivery
 * with its verdict.
 */

const USAGE = `npm run receiver -- [--port 4443] [--secret whsec_…] [--answer 200] [--body]

  --port    where to listen on 127.0.0.1 (4443)
  --secret  verify with this secret from the start; others can be pasted while it runs
  --answer  the status to answer with (200): try 500 to see retries
  --body    print each body`

const options = readOptions()
const secrets = options.secret
const seen = new Set<string>()

const directory = resolve(process.env.DATA_DIR ?? './data', 'receiver')
const identity = await identityIn(directory)
const server = createServer({ key: identity.key, cert: identity.certificate }, receive)
server.on('error', (error: NodeJS.ErrnoException) => {
  console.error(
    error.code === 'EADDRINUSE' ? `Port ${options.port} is taken: give another with --port.` : error.message,
  )
  process.exit(1)
})
server.listen(options.port, '127.0.0.1', introduce)
const lines = createInterface({ input: process.stdin }).on('line', learn)
process.once('SIGINT', stop).once('SIGTERM', stop)

function introduce(): void {
  const address = `https://localhost:${options.port}/`
  const body = JSON.stringify({
    address,
    description: 'Receiver on this machine',
    signalTypes: ['risk.created', 'risk.updated', 'risk.deleted', 'control.updated'],
  })
  console.log(`Listening on ${address}

1. Start the service so that it may send to this machine and trusts this receiver:

   WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8,::1/128 WEBHOOK_CA_FILE='${identity.authorityFile}' npm start

2. Register this receiver: in the app, under Developer, Webhooks, or by a call ($KEY holds write:webhooks):

   curl -sS http://127.0.0.1:${process.env.PORT || 3000}/v1/webhook-endpoints -H "Authorization: Bearer $KEY" \\
     -H 'Content-Type: application/json' -d '${body}'

3. Paste its secret, whsec_… (or the whole answer), here, and press Enter.
`)
}

function learn(line: string): void {
  const found = line.match(/whsec_[A-Za-z0-9+/=]+/g) ?? []
  secrets.push(...found)
  if (found.length > 0) console.log('Thank you: deliveries are verified with it from now on.\n')
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const body = Buffer.concat(parts).toString('utf8')
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  const verdict = judge({ headers, body }, secrets)
  const status = verdict.authentic || secrets.length === 0 ? options.answer : 401
  response.writeHead(status).end()
  report(headers, body, `${verdict.line} → ${status}`)
}

function report(headers: Record<string, string>, body: string, verdict: string): void {
  const id = headers['webhook-id'] ?? '(no webhook-id)'
  const again = seen.has(id) ? ' (again)' : ''
  seen.add(id)
  const signal = parsed(body)
  const subject = signal.subject ? `${signal.subject.type} ${signal.subject.id}` : ''
  console.log(
    `${new Date().toISOString()}  ${verdict}  ${signal.type ?? '(no type)'}  ${subject}  ${id}${again}`,
  )
  if (options.body) console.log(JSON.stringify(signal, null, 2))
}

function parsed(body: string): { type?: string; subject?: { type: string; id: string } } {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

function stop(): void {
  lines.close()
  server.close()
  server.closeAllConnections()
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '4443' },
        secret: { type: 'string', multiple: true, default: [] },
        answer: { type: 'string', default: '200' },
        body: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(USAGE)
      process.exit(0)
    }
    return { ...values, port: Number(values.port), answer: Number(values.answer) }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`)
    process.exit(2)
  }
}
