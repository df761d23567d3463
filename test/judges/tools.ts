import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** The judges by their exact versions: a new one may find something new, and is taken on purpose. */
export const NPM = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  '@hey-api/openapi-ts': '0.99.0',
  typescript: '5.9.3',
  '@types/node': '26.6.6',
} as const
export const PYPI = { 'openapi-python-client': '0.29.1', ruff: '0.17.6', schemathesis: '4.32.5' } as const

/** Programs of Go, by their module. */
export const GO = {
  'oapi-codegen': { path: 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen', version: 'v2.8.2' },
  ogen: { path: 'github.com/ogen-go/ogen/cmd/ogen', version: 'v1.24.0' },
} as const
/** From Maven Central. */
export const OPENAPI_GENERATOR = '7.22.0'

/** Where they are kept between runs. */
export const PLACE = join(tmpdir(), 'plumbline-judges')

/** Fetches what is not there yet. */
export function install(): void {
  const packages = JSON.stringify({ private: true, dependencies: NPM })
  const requirements = Object.entries(PYPI).map(([name, version]) => `${name}==${version}`)
  const mark = join(
    PLACE,
    `ready-${Buffer.from(packages + requirements)
      .toString('base64url')
      .slice(-80)}`,
  )
  if (existsSync(mark)) return
  mkdirSync(PLACE, { recursive: true })
  writeFileSync(join(PLACE, 'package.json'), packages)
  must('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'])
  must('python3', ['-m', 'venv', 'venv'])
  must('venv/bin/pip', ['install', '--quiet', ...requirements])
  writeFileSync(mark, '')
}

export interface Said {
  readonly status: number | null
  readonly text: string
}

/** Runs a program in the place of the judges, theirs before any other of that name. */
export function run(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
  place = PLACE,
): Said {
  const path = [PLACE, join(PLACE, 'venv/bin'), join(PLACE, 'node_modules/.bin'), process.env.PATH].join(
    delimiter,
  )
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: place,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', ...env, PATH: path },
    maxBuffer: 1 << 28,
  })
  return { status, text: `${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}` }
}

function must(program: string, args: readonly string[]): void {
  const { status, text } = run(program, args)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}:\n${text}`)
}
