import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveFixture } from './support/conformance/serve.ts'
import { openForSuite, runSuite } from './support/conformance/suite.ts'
import { startTestService, type TestService } from './support/service.ts'

/* The protocol's own conformance suite, against our HTTP server and gate, in both eras. */

let one: TestService
let secret: string

beforeAll(async () => {
  one = await startTestService()
  secret = (await (await one.organization()).key([])).secret
})
afterAll(() => one.close())

test.concurrent.each(['2026-07-28', '2025-11-25'])('all that %s requires of a server', async (revision) => {
  const { url, close } = await openForSuite(one.service, secret, serveFixture())
  const { code, said } = await runSuite(['server', '--url', url, '--requirements', revision])
  await close()
  expect(code, said).toBe(0)
})

/** What can be asked of tools that are not the suite's own. */
const OF_ANY: [string, string][] = [
  ['server-initialize', '2025-11-25'],
  ['ping', '2025-11-25'],
  ['tools-list', '2025-11-25'],
  ['dns-rebinding-protection', '2025-11-25'],
  ['tools-list', '2026-07-28'],
  ['dns-rebinding-protection', '2026-07-28'],
]

test.concurrent.each(OF_ANY)('the tools themselves: %s of %s', async (scenario, version) => {
  const { url, close } = await openForSuite(one.service, secret)
  const { code, said } = await runSuite([
    'server',
    '--url',
    url,
    '--scenario',
    scenario,
    '--spec-version',
    version,
  ])
  await close()
  expect(code, said).toBe(0)
})
