import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHttp } from '../../../server/doors/http.ts'
import type { Serve } from '../../../server/doors/mcp/exchange.ts'
import { addMcpRoutes } from '../../../server/doors/mcp.ts'
import { openMetrics } from '../../../server/doors/metrics.ts'
import { UnknownCredentialLimiter } from '../../../server/doors/unknown-credential-limiter.ts'
import { operationsBy } from '../../../server/operations.ts'
import type { Service } from '../../../server/service.ts'

const root = join(import.meta.dirname, '../../..')

/**
 * Our own HTTP server with the MCP door alone, at which every request has this key: the suite cannot send one.
 * @param serve what answers behind the gate; the tools, unless given
 */
export async function openForSuite(service: Service, secret: string, serve?: Serve) {
  const app = await openHttp(service, openMetrics(service))
  app.addHook('onRequest', async ({ raw }) => {
    raw.headers.authorization = `Bearer ${secret}`
  })
  addMcpRoutes(app, service, operationsBy('credential'), new UnknownCredentialLimiter(), serve)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1/mcp`, close: () => app.close() }
}

/** Runs the suite as its makers do, from the command line. @returns its exit code and what it said */
export async function runSuite(args: readonly string[]): Promise<{ code: number | null; said: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-conformance-'))
  const program = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  try {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const child = spawn(process.execPath, [program, ...args], {
      cwd: directory,
      env: { PATH, NODE_COMPILE_CACHE },
    })
    let said = ''
    child.stdout.on('data', (chunk) => (said += chunk))
    child.stderr.on('data', (chunk) => (said += chunk))
    const { promise, resolve } = Promise.withResolvers<number | null>()
    child.on('close', resolve)
    return { code: await promise, said }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
