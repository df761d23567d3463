import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { newMasterKey } from '../../server/keyring/keyring.ts'
import type { HostedAnswer, HostedCommand } from './command-line-host.ts'

/** Node keeps what it made of our files, so that only the first process of many pays for it. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/plumbline', import.meta.url))

const HOST = fileURLToPath(new URL('command-line-host.ts', import.meta.url))
const PROGRAM = fileURLToPath(new URL('../../client/command-line.ts', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** What stood on standard output, or where it failed on standard error. */
  readonly json: never
}

export interface Shell {
  (args: string, input?: string): Promise<Ended>
  readonly environment: Record<string, string>
}

/** The command line as a process of its own, with nothing of this one's settings. */
export function commandLine(settings: Record<string, string>): Shell {
  const environment = environmentOf(settings)
  const shell = (args: string, input = '') => run(words(args), environment, input)
  return Object.assign(shell, { environment })
}

/** A shell whose commands share a process, and have to be waited for at its end. */
export interface OneProcess extends Shell {
  close(): Promise<void>
}

/**
 * The same, one command after the other in one process, for tests of what commands do: most of the time of a command is
 * the loading of its program. That it ends by itself is for those that have a process of their own.
 */
export function commandLineInOneProcess(settings: Record<string, string>): OneProcess {
  const environment = environmentOf(settings)
  let host: ChildProcess | undefined
  let turn: Promise<unknown> = Promise.resolve()
  const shell = (args: string, input = '') => {
    host ??= fork(HOST, { env: environment, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const answer = turn.then(() => asked(host!, { args: words(args), input }))
    turn = answer.catch(() => {})
    return answer
  }
  const close = async () => {
    if (host === undefined) return
    const gone = once(host, 'exit')
    host.disconnect()
    await gone
  }
  return Object.assign(shell, { environment, close })
}

async function asked(host: ChildProcess, command: HostedCommand): Promise<Ended> {
  const { promise, resolve, reject } = Promise.withResolvers<HostedAnswer>()
  const ended = () => reject(new Error('the process of the commands ended'))
  host.once('message', resolve).once('exit', ended)
  host.send(command)
  const { code, stdout, stderr } = await promise.finally(() => host.off('exit', ended))
  return endedWith(code, stdout, stderr)
}

export const onDatabase = (url: string): Shell =>
  commandLine({ DATABASE_URL: url, MASTER_KEY: newMasterKey() })

const environmentOf = (settings: Record<string, string>) => ({
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: COMPILED,
  ...settings,
})

/** As a shell cuts words: `a 'b c'` is two. */
const words = (text: string) =>
  [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

function run(args: string[], env: Record<string, string>, input: string): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (part) => {
    stdout += part
  })
  child.stderr.on('data', (part) => {
    stderr += part
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(endedWith(code, stdout, stderr)))
  })
}

const endedWith = (code: number | null, stdout: string, stderr: string): Ended => ({
  code,
  stdout,
  stderr,
  get json() {
    return JSON.parse(code === 0 || stdout ? stdout : stderr) as never
  },
})
