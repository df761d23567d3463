import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../server/oauth/preregistered.ts'
import { freePort } from './support/free-port.ts'
import { ask, type OauthTest, startOauthTest, uidOf } from './support/oauth.ts'
import type { TestOrganization } from './support/service.ts'

/* The protocol's own conformance suite, its scenarios for authorization servers, against ours. */

let one: OauthTest
let acme: TestOrganization

beforeAll(async () => {
  one = await startOauthTest()
  acme = await one.organization()
})
afterAll(() => one.close())

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'

test('all its authorization scenarios pass', async () => {
  const port = await freePort()
  const redirectUris = [`http://127.0.0.1:${port}/callback`]
  const { clientId } = await createClient(one.service, {
    name: 'Conformance',
    redirectUris,
    confidential: false,
  })
  const results = mkdtempSync(join(tmpdir(), 'plumbline-conformance-'))
  const suite = spawn(process.execPath, [
    ...[SUITE, 'authorization', '--url', one.base, '--client-id', clientId],
    ...['--resource', one.resource, '--port', String(port), '--output-dir', results],
  ])
  try {
    const said: string[] = []
    const opened = new Set<string>()
    for (const stream of [suite.stdout, suite.stderr])
      stream.on('data', (data: Buffer) => {
        said.push(data.toString())
        for (const [url] of said.join('').matchAll(/https?:\/\/\S+\/oauth\/authorize\?\S+/g))
          if (!opened.has(url)) {
            opened.add(url)
            void agree(url)
          }
      })
    const [code] = await once(suite, 'exit')
    expect(code, said.join('')).toBe(0)
    expect(said.join('')).toMatch(/Total: [1-9]\d* passed, 0 failed/)
    expect(opened.size).toBeGreaterThan(0)
  } finally {
    suite.kill()
    rmSync(results, { recursive: true, force: true })
  }
})

/** A person who agrees to everything, and the browser that follows. */
async function agree(url: string): Promise<void> {
  const jar = await one.browser(acme.admin)
  const uid = uidOf(await jar.fetch(url))
  const { body } = await ask(one, jar, uid, 'request')
  const scopes = body.scopes.filter((one: { requested: boolean }) => one.requested)
  const { body: approved } = await ask(one, jar, uid, 'approve', {
    organizationId: acme.id,
    scopes: scopes.map(({ scope }: { scope: string }) => scope),
  })
  const answer = await jar.fetch(approved.returnTo)
  await fetch(answer.headers.get('location')!)
}
