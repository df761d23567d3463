import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './account.ts'
import { PLAIN_ENVIRONMENT } from './cluster.ts'
import { EmbeddedDatabaseFault } from './fault.ts'
import { clearLeftovers } from './leftovers.ts'

/*
 * One run of PostgreSQL, tied to our life.
 *
 * PostgreSQL does not notice when the process that started it is gone, so a `kill -9` of the service would leave
 * it running and holding the data directory. Between the two stands a shell that waits at a pipe of ours. The
 * kernel closes that pipe when we end, however we end; the shell then tells PostgreSQL to shut down. Ending the
 * pipe is also how we stop it, so the way out in need is the way that is walked every day.
 *
 * The shell runs in a session of its own: Ctrl-C in a terminal reaches every process of the terminal's group,
 * and PostgreSQL must outlive the service that is still finishing its work.
 */
const TETHER = `
"$@" </dev/null >&2 & server=$!
echo "$server"
exec 3<&0 >/dev/null
{ read -r _ <&3; kill -INT "$server"; } 2>/dev/null & tether=$!
exec 3<&-
wait "$server"; status=$?
kill "$tether" 2>/dev/null
exit "$status"
`

// What we promise about a commit, and what may be said in the log: values of rows never (a `terse` message has
// no detail, and what a statement was refused for is the service's to log).
const FIXED = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_line_prefix: '%m [%p] ',
}

const SECONDS_TO_START = 60
const SECONDS_TO_STOP = 20
const SECONDS_FOR_REMAINS = 15
const LARGEST_LOG = 10 * 1024 * 1024

export interface RunningServer {
  readonly pid: number
  /** Settles when the process is gone. */
  readonly gone: Promise<void>
  stop(): Promise<void>
}

export interface Run {
  readonly home: string
  readonly cluster: string
  readonly account: Account
  readonly postgres: string
  readonly settings: Readonly<Record<string, string>>
}

/** Starts PostgreSQL and answers when it takes connections. Refuses with its own last words. */
export async function startServer(run: Run): Promise<RunningServer> {
  const until = Date.now() + SECONDS_FOR_REMAINS * 1000
  for (;;) {
    try {
      return await startOnce(run)
    } catch (error) {
      // Where processes cannot be listed, the remains of an earlier run show only here; they end by themselves.
      const remains = /pre-existing shared memory|lock file/.test((error as Error).message)
      if (!remains || Date.now() > until) throw error
      await sleep(500)
    }
  }
}

async function startOnce(run: Run): Promise<RunningServer> {
  const { ignore } = await clearLeftovers(run.cluster)
  const started = Date.now()
  const log = openLog(run.home)
  const child = spawnTethered(run, ignore, log.descriptor)
  closeSync(log.descriptor)

  let ended: string | null = null
  const gone = new Promise<void>((resolve) => {
    const end = (words: string) => {
      ended ??= words
      resolve()
    }
    child.once('error', (error) => end(error.message))
    child.once('exit', () => end(log.lastWords()))
  })
  const stop = async () => {
    child.stdin.end()
    if (await within(SECONDS_TO_STOP, gone)) return
    // It hangs. Nothing that was committed is lost by ending it at once; the next start recovers.
    await clearLeftovers(run.cluster)
    await gone
  }

  const [said] = await Promise.race([once(child.stdout, 'data'), gone.then(() => [''])])
  child.stdout.resume()
  const pid = Number(String(said))
  while (ended === null && !isReady(run.cluster, pid, started)) {
    if (Date.now() - started > SECONDS_TO_START * 1000) {
      await stop()
      throw new EmbeddedDatabaseFault(
        `PostgreSQL did not get ready in ${SECONDS_TO_START} s; see ${log.file}.`,
      )
    }
    await Promise.race([gone, sleep(20)])
  }
  if (ended !== null) throw new EmbeddedDatabaseFault(`PostgreSQL did not start: ${ended} (${log.file})`)
  return { pid, gone, stop }
}

function spawnTethered(
  run: Run,
  ignore: number | null,
  log: number,
): ChildProcessByStdio<Writable, Readable, null> {
  const settings = Object.entries({ ...FIXED, ...run.settings })
  const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = run.account.command('/bin/sh', [
    '-c',
    TETHER,
    'sh',
    run.postgres,
    '-D',
    run.cluster,
    ...options,
  ])
  const child = spawn(command.file, command.args, {
    ...command.as,
    cwd: '/',
    detached: true,
    env: { ...PLAIN_ENVIRONMENT, ...(ignore === null ? {} : { PG_GRANDPARENT_PID: String(ignore) }) },
    stdio: ['pipe', 'pipe', log],
  }) as ChildProcessByStdio<Writable, Readable, null>
  child.stdin.on('error', () => {}) // it ended before us
  return child
}

// PostgreSQL writes its state into the last line of postmaster.pid; the pid and the time of the start in the
// file tell its words from those of an earlier run.
function isReady(cluster: string, pid: number, started: number): boolean {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    const ours = Number(lines[0]) === pid && Number(lines[2]) >= Math.floor(started / 1000) - 2
    return ours && lines[7]?.trim() === 'ready'
  } catch {
    return false
  }
}

// PostgreSQL writes to the file itself, so it never waits for us to read.
function openLog(home: string): { file: string; descriptor: number; lastWords(): string } {
  const file = join(home, 'server.log')
  if (sizeOf(file) > LARGEST_LOG) renameSync(file, `${file}.old`)
  const start = sizeOf(file)
  return {
    file,
    descriptor: openSync(file, 'a', 0o600),
    lastWords: () => {
      const lines = readFileSync(file).subarray(start).toString('utf8').trim().split('\n')
      const fatal = lines.findLast((line) => line.includes('FATAL:') || line.includes('PANIC:'))
      return (fatal ?? lines.at(-1) ?? '').replace(/^.*?(FATAL|PANIC): +/, '')
    },
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}

/** Whether the promise settles in that time. Leaves no timer behind. */
async function within(seconds: number, promise: Promise<void>): Promise<boolean> {
  const waiting = new AbortController()
  const late = sleep(seconds * 1000, false, { signal: waiting.signal }).catch(() => false)
  const inTime = await Promise.race([promise.then(() => true), late])
  waiting.abort()
  return inTime
}
