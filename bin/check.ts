import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

// What a change must pass besides the tests. Every step runs, so one run tells everything there is to mend; with
// `--write` the format, and what the linter can mend without a doubt, is mended.
const isMending = process.argv.includes('--write')
const STEPS = [
  { title: 'types', program: 'typescript/bin/tsc', args: ['--noEmit', '-p', '.'] },
  { title: 'types of the web app', program: 'typescript/bin/tsc', args: ['--noEmit', '-p', 'web'] },
  {
    title: 'lint and format',
    program: '@biomejs/biome/bin/biome',
    args: ['check', ...(isMending ? ['--write'] : []), '--error-on-warnings', '.'],
  },
]

const root = join(import.meta.dirname, '..')
const failed = STEPS.filter(({ title, program, args }) => {
  console.log(`== ${title}`)
  const file = join(root, 'node_modules', program)
  return spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit' }).status !== 0
})

console.log(failed.length === 0 ? '== all good' : `== failed: ${failed.map(({ title }) => title).join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
