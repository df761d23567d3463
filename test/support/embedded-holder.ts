import { parseArgs } from 'node:util'
import { joinEmbedded, startEmbedded } from '../../server/database/embedded.ts'

// A process that holds an embedded PostgreSQL, as the service does (`start`) or as a command does (`join`), and
// tells by lines of JSON what it has. Tests run it, watch it and kill it (`runHolder`).

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { listen: { type: 'string' } },
})
const [as, dataDir] = positionals
const log = (line: string) => say({ log: line })
const options = {
  dataDir: dataDir!,
  log,
  listen: values.listen === 'loopback' ? 'loopback' : 'socket',
} as const

try {
  if (as === 'start') {
    const { url, administratorUrl, stop } = await startEmbedded(options)
    process.once('SIGTERM', stop)
    say({ ready: { url, administratorUrl } })
  } else {
    const { url, release } = await joinEmbedded(options)
    // A process that has only joined would end here, with nothing left to do.
    const open = setInterval(() => {}, 1000)
    process.once('SIGTERM', async () => {
      clearInterval(open)
      await release()
    })
    say({ ready: { url, administratorUrl: '' } })
  }
} catch (error) {
  say({ refused: (error as Error).message })
  process.exitCode = 1
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
