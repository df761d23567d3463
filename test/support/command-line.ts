import { type ChildProcess, fork, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { newMasterKey } from '../../server/keyring/keyring.ts'
import type { HostedAnswer, HostedCommand } from './command-line-host.ts'

const HOST = fileURLToPath(new URL('command-line-host.ts', import.meta.url))
const PROGRAM = fileURLToPath(new URL('../../client/command-line.ts', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** What stood on standard output, or where it failed on standard error. */
  readonly json: never
}

export type Shell = (args: string, input?: string) => Promise<Ended>

/**
 * The command line with nothing of this process's settings: its commands one after the other in one process, since most
 * of the time of a command is the loading of its program.
 */
export function commandLine(settings: Record<string, string>): Shell {
  const environment = environmentOf(settings)
  return (args, input = '') => {
    const answer = turn.then(() => asked({ args: words(args), input, environment }))
    turn = answer.catch(() => {})
    return answer
  }
}

/** The same with a process for each command, as people have: for what a process does, and what several do at once. */
export function commandLineAlone(settings: Record<string, string>): Shell {
  const environment = environmentOf(settings)
  return (args, input = '') => run(words(args), environment, input)
}

export const onDatabase = (url: string): Shell => commandLine(settingsFor(url))
export const onDatabaseAlone = (url: string): Shell => commandLineAlone(settingsFor(url))

const settingsFor = (url: string) => ({ DATABASE_URL: url, MASTER_KEY: newMasterKey() })

const environmentOf = (settings: Record<string, string>) => ({
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  ...settings,
})

let host: ChildProcess | undefined
let turn: Promise<unknown> = Promise.resolve()

/** The process of this worker, for all its files; it ends with the worker. */
function openHost(): ChildProcess {
  if (host?.connected) return host
  const env = environmentOf({})
  host = fork(HOST, { env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  host.unref()
  host.channel!.unref()
  return host
}

async function asked(command: HostedCommand): Promise<Ended> {
  const at = openHost()
  const { promise, resolve, reject } = Promise.withResolvers<HostedAnswer>()
  const ended = () => reject(new Error('the process of the commands ended'))
  at.once('message', resolve).once('exit', ended)
  at.send(command)
  const { code, stdout, stderr } = await promise.finally(() => at.off('exit', ended).off('message', resolve))
  return endedWith(code, stdout, stderr)
}

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
