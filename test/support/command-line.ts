import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { newMasterKey } from '../../server/keyring/keyring.ts'

/** Node keeps what it made of our files, so that only the first process of many pays for it. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/plumbline', import.meta.url))

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
  const environment = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: COMPILED, ...settings }
  const shell = (args: string, input = '') => run(words(args), environment, input)
  return Object.assign(shell, { environment })
}

export const onDatabase = (url: string): Shell =>
  commandLine({ DATABASE_URL: url, MASTER_KEY: newMasterKey() })

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
    child.on('close', (code) => {
      resolve({
        code,
        stdout,
        stderr,
        get json() {
          return JSON.parse(code === 0 || stdout ? stdout : stderr) as never
        },
      })
    })
  })
}
