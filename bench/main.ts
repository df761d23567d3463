import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Row } from './row.ts'
import { rows } from './rows.ts'
import { clear, openStand } from './stand.ts'
import { jsonOf, type Measured, tableOf } from './table.ts'

/*
 * `npm run bench`: what the service must reach, each figure beside its yardstick measured in the same run,
 * turn by turn. The machine and what else it does move every absolute time; the ratios are what counts.
 */

const USAGE = `npm run bench -- [ROW ...] [--rounds N] [--json] [--profile DIRECTORY]

Measures what the service must reach, each figure beside its yardstick, and prints one table.

${rows.map(({ name, title }) => `  ${name.padEnd(16)} ${title}`).join('\n')}

  --rounds     how often each pair is measured (5)
  --json       print the table as JSON
  --profile    a directory in which the service leaves CPU profiles`

const options = readOptions()
const say = (line: string) => console.error(line)
let interrupted = false

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.on(signal, () => void leave(code))

try {
  const measured = await measureAll(options.rows)
  await clear()
  console.log(options.json ? jsonOf(measured) : tableOf(measured))
} catch (error) {
  if (!interrupted) {
    console.error(`bench: ${(error as Error).stack}`)
    await leave(1)
  }
}

async function measureAll(chosen: readonly Row[]): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const row of chosen) {
    // A stand of its own for each row: none inherits what another left in PostgreSQL's memory and files.
    const stand = await openStand({ rounds: options.rounds, profileDirectory: options.profile, say })
    measured.push({ row, findings: await row.run(stand) })
    await clear()
  }
  return measured
}

/** A second signal does not wait. */
async function leave(code: number): Promise<void> {
  if (interrupted) process.exit(code)
  interrupted = true
  await clear()
  process.exit(code)
}

function readOptions() {
  const { values, positionals } = parse()
  if (values.help) {
    console.log(USAGE)
    process.exit(0)
  }
  const unknown = positionals.filter((name) => !rows.some((row) => row.name === name))
  if (unknown.length > 0)
    refuse(`There is no row ${unknown.join(', ')}. The rows: ${rows.map(({ name }) => name).join(', ')}.`)
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) refuse('--rounds takes a whole number from 1.')
  return {
    rows: positionals.length > 0 ? rows.filter(({ name }) => positionals.includes(name)) : rows,
    rounds,
    json: values.json,
    profile: values.profile === undefined ? null : resolve(values.profile),
  }
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: '5' },
        json: { type: 'boolean', default: false },
        profile: { type: 'string' },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    })
  } catch (error) {
    return refuse(`${(error as Error).message}\n\n${USAGE}`)
  }
}

function refuse(why: string): never {
  console.error(why)
  process.exit(2)
}
