import { Readable } from 'node:stream'

/*
 * A process that runs the command line again and again, as if it were started for each command: with its settings, its
 * arguments, its standard streams and its exit code, and with what it has loaded already.
 */

export interface HostedCommand {
  readonly args: readonly string[]
  readonly input: string
  readonly environment: Readonly<Record<string, string>>
}

export interface HostedAnswer {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const PROGRAM = new URL('../../client/command-line.ts', import.meta.url)
let runs = 0

process.on('message', async (command: HostedCommand) => {
  const answer = await run(command)
  process.send!(answer)
})
// Whatever a command has left open: nobody asks any more.
process.on('disconnect', () => process.exit())

async function run({ args, input, environment }: HostedCommand): Promise<HostedAnswer> {
  const said = { stdout: '', stderr: '' }
  const restore = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name]
    const { write } = stream
    stream.write = ((part: string | Uint8Array, ...more: unknown[]) => {
      said[name] += typeof part === 'string' ? part : Buffer.from(part).toString()
      const done = more.find((one) => typeof one === 'function') as (() => void) | undefined
      done?.()
      return true
    }) as typeof write
    return () => {
      stream.write = write
    }
  })
  process.env = { ...environment }
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args)
  Object.defineProperty(process, 'stdin', {
    value: Readable.from(input ? [Buffer.from(input)] : []),
    configurable: true,
  })
  process.exitCode = undefined
  try {
    // The program runs as it is loaded, so it is loaded under another name each time.
    await import(`${PROGRAM}?run=${runs++}`)
  } finally {
    for (const one of restore) one()
  }
  const code = Number(process.exitCode ?? 0)
  process.exitCode = undefined
  return { code, ...said }
}
