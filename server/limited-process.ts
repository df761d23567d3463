import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'

/*
 * What somebody sends may be anything. It is read by a program of ours in a process of its own, which may read nothing
 * but its code and what it is given, writes no file, opens no SQLite database, reaches no network, starts nothing, signals no process, knows no setting of
 * the service, and has little memory and time: what is too much for it ends it, and not the service. The processor is
 * its own only while nothing else needs it.
 */

export interface LimitedProgram {
  /** In its own folder, with the code that it consists of. */
  readonly file: string
  /** Further places that it reads, of the service's own code or of what it is given. */
  readonly reads?: readonly string[]
  readonly args: readonly string[]
  readonly heapMb: number
  /** Of what is new on it, where it is to be less than usual: it is looked through more often. */
  readonly newMb?: number
  readonly milliseconds: number
}

/**
 * Of its memory outside of the heap: what was given back goes back to the system at once, and few threads have some for
 * themselves. Of a PDF of fifty pages that leaves 48 MB in place of 60.
 */
const FRUGAL = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
  UV_THREADPOOL_SIZE: '1',
}

const ROOT = join(import.meta.dirname, '..')
const PRELOAD = join(import.meta.dirname, 'limited-preload.cjs')

/** Beside the code of the service may stand its data, with its keys: of those it reads nothing. */
export const permissionsOf = ({ file, reads = [] }: Pick<LimitedProgram, 'file' | 'reads'>): string[] => [
  '--permission',
  // SQLite opens files by itself, whatever the permissions say.
  '--no-experimental-sqlite',
  `--require=${PRELOAD}`,
  ...[
    PRELOAD,
    join(file, '..', '/'),
    ...['model/', 'node_modules/', 'package.json'].map((path) => join(ROOT, path)),
    ...reads,
  ].map((path) => `--allow-fs-read=${path}`),
]

/** Starts it; it is sent its input, and answers, on the pipes of the process. It is killed when its time is over. */
export function startLimited(program: LimitedProgram): ChildProcess & {
  readonly stdin: NonNullable<ChildProcess['stdin']>
  readonly stdout: NonNullable<ChildProcess['stdout']>
  /** How it ended: by the signal that killed it, or with its code. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
} {
  const { file, args, heapMb, newMb, milliseconds } = program
  const started = spawn(
    process.execPath,
    [
      ...permissionsOf(program),
      `--max-old-space-size=${heapMb}`,
      ...(newMb === undefined ? [] : [`--max-semi-space-size=${newMb}`]),
      '--disable-warning=ExperimentalWarning',
      file,
      ...args,
    ],
    {
      env: FRUGAL,
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: milliseconds,
      killSignal: 'SIGKILL',
    },
  )
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    started.on('error', reject)
    started.on('close', (code, signal) => resolve({ code, signal }))
  })
  ended.catch(() => {})
  yieldToOthers(started)
  // It may have read enough before all is sent.
  started.stdin.on('error', () => {})
  return Object.assign(started, { ended })
}

/** Low enough that calls come first, and high enough that a busy machine still reads a large file in time. */
const NICENESS = 5

/** What serves calls comes first; where a system has no priorities, the program runs as any other. */
function yieldToOthers({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS)
  } catch {}
}

/** Of a program that was killed when its time was over. */
export const tooLong = (milliseconds: number, cure: string): string =>
  `The file took longer than ${milliseconds / 1000} seconds to read: ${cure}`
