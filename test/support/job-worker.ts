/** A process that works jobs, to be killed: started by tests with the settings it needs in its environment. */
import { readConfig } from '../../server/config.ts'
import { buildService } from '../../server/service.ts'
import { writeRows } from './counting-job.ts'

const { TEST_URL: url, TEST_MASTER_KEY: masterKey } = process.env
const service = buildService(readConfig(process.env), url!, masterKey!, undefined, [writeRows])
process.on('disconnect', () => process.exit())
process.on('SIGTERM', () => void service.close().then(() => process.exit()))
await service.jobs.start()
process.send!('ready')
