import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newKeySecret } from '../../../server/caller/api-key-secret.ts'
import { faultsOf, PROGRAMS, type ReceiverProgram, withReceiver } from '../../support/receiver-program.ts'

/*
 * `sh bin/run --dev test/judges/receivers/run.ts`: the programs that /docs shows, each run as it stands in its own
 * language. It needs python3, go and java; one that is missing is a fault, because then nothing was judged.
 */

const RECEIVERS: readonly ReceiverProgram[] = [
  { file: 'receiver.ts', as: 'receiver.ts', command: [process.execPath] },
  { file: 'receiver.py', as: 'receiver.py', command: ['python3'] },
  { file: 'receiver.go.txt', as: 'receiver.go', command: ['go', 'run'] },
  { file: 'Receiver.java', as: 'Receiver.java', command: ['java'] },
]

let isWell = true

function tell(name: string, faults: readonly string[]): void {
  if (faults.length > 0) isWell = false
  console.log(faults.length === 0 ? `ok    ${name}` : `FAULT ${name}\n      ${faults.join('\n      ')}`)
}

for (const receiver of RECEIVERS)
  tell(receiver.as, await withReceiver(receiver, faultsOf).catch((error) => [String(error)]))

for (const [program, file] of [
  ['python3', 'check_key.py'],
  [process.execPath, 'check-key.mjs'],
] as const)
  tell(file, faultsOfKeyCheck(program, join(PROGRAMS, file)))

process.exit(isWell ? 0 : 1)

/** It names the lines with real keys, by their prefix, and no others. */
function faultsOfKeyCheck(program: string, script: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'key-check-'))
  try {
    const real = Array.from({ length: 200 }, newKeySecret)
    const noise = real.map((key) => `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`)
    const file = join(folder, 'keys.txt')
    writeFileSync(file, real.map((key, index) => `${key}\n"${noise[index]}"`).join('\n'))
    const { stdout, stderr } = spawnSync(program, [script, file], { encoding: 'utf8' })
    const expected = real.map((key, index) => `${file}:${2 * index + 1}: ${key.slice(0, 16)}…\n`).join('')
    return stdout === expected ? [] : [`found ${stdout.split('\n').length - 1} of ${real.length}: ${stderr}`]
  } finally {
    rmSync(folder, { recursive: true })
  }
}
