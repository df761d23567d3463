/**
 * A process that runs the service, to be killed: started by tests with the settings it needs in its environment.
 * It says `ready`, and makes a change for each `create` it is sent, saying when it is committed.
 */

import { ROLE_SCOPES } from '../../model/scopes.ts'
import { call } from '../../server/call.ts'
import type { Caller } from '../../server/caller/caller.ts'
import { readConfig } from '../../server/config.ts'
import { operations } from '../../server/operations.ts'
import { buildService } from '../../server/service.ts'

const { TEST_URL: url, TEST_MASTER_KEY: masterKey, TEST_CALLER: described } = process.env
const caller: Caller = { ...JSON.parse(described!), granted: ROLE_SCOPES.admin }
const service = buildService(readConfig(process.env), url!, masterKey!)
const create = operations.find(({ name }) => name === 'createRisk')!

process.on('message', async (title: string) => {
  try {
    const { body } = await call(service, caller, create, { title })
    process.send!({ committed: (body as { id: string }).id })
  } catch (error) {
    process.send!({ failed: String(error) })
  }
})
process.on('disconnect', () => process.exit())
await service.webhooks.start()
process.send!('ready')
