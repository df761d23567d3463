import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compare, interleave } from './figures.ts'
import { freePort } from './http.ts'
import { below, type Finding, type Row } from './row.ts'
import type { Stand } from './stand.ts'

const root = join(import.meta.dirname, '..')

export const start: Row = {
  name: 'start',
  title: 'from the command to the line that says where it listens, on a data directory that stands',
  notes: [
    'What `npm start` runs (sh bin/run server/main.ts), with the embedded PostgreSQL, from its second start on.',
    'Absolute by nature: the yardstick only tells how fast the machine is just now.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const dataDirectory = mkdtempSync(join(stand.directory, 'start-'))
  stand.atEnd(() => rmSync(dataDirectory, { recursive: true, force: true }))
  stand.say('start: the first start, which makes the database')
  await startAndStop(stand, dataDirectory)
  stand.say('start: further starts')
  const times = await interleave(stand.rounds, () => startAndStop(stand, dataDirectory), startNothing)
  return [
    {
      measure: 'second start',
      unit: 's',
      ...compare(times.products, times.yardsticks),
      yardstickIs: 'node -e 0',
      target: below(3),
    },
  ]
}

/** @returns seconds until it listens */
async function startAndStop(stand: Stand, dataDirectory: string): Promise<number> {
  const environment = {
    PATH: process.env.PATH ?? '',
    ...(process.env.HOME ? { HOME: process.env.HOME } : {}),
    DATA_DIR: dataDirectory,
    PORT: String(await freePort()),
    METRICS_PORT: '0',
  }
  const begun = performance.now()
  const child = spawn('sh', ['bin/run', 'server/main.ts'], {
    cwd: root,
    detached: true,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = once(child, 'exit')
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await gone
  }
  stand.atEnd(stop)
  let said = ''
  child.stdout.on('data', (part) => (said += part))
  child.stderr.on('data', (part) => (said += part))
  while (!said.includes('listens on')) {
    if (child.exitCode !== null) throw new Error(`the service did not start:\n${said}`)
    await Promise.race([once(child.stdout, 'data'), gone, sleep(1_000)])
  }
  const seconds = (performance.now() - begun) / 1000
  await stop()
  return seconds
}

async function startNothing(): Promise<number> {
  const begun = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
  return (performance.now() - begun) / 1000
}
