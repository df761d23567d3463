import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { schemathesis } from './schemathesis.ts'
import type { JudgedService } from './service.ts'
import { NPM, PLACE, PYPI, run, type Said } from './tools.ts'

export interface Judgement {
  readonly findings: readonly string[]
  /** What it did, in a few words. */
  readonly says?: string
}

export interface Judge {
  readonly name: string
  readonly version: string
  judge(service: JudgedService): Judgement | Promise<Judgement>
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

/** What a program said stands for its finding where it failed. */
const judged = (...steps: readonly Said[]): Judgement => {
  const failed = steps.find(({ status }) => status !== 0)
  return failed ? { findings: lines(failed.text) } : { findings: [], says: steps.at(-1)?.text.trim() ?? '' }
}

const typescript: Judge = {
  name: 'openapi-typescript',
  version: `${NPM['openapi-typescript']}, tsc ${NPM.typescript}`,
  judge: ({ base, key }) => {
    const types = run('openapi-typescript', ['openapi.json', '-o', 'api.d.ts'])
    copyFileSync(join(import.meta.dirname, 'typescript-client.txt'), join(PLACE, 'program.mts'))
    const options = [
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      'node',
      '--noUncheckedIndexedAccess',
    ]
    const compiled = run('tsc', ['program.mts', ...options])
    const ran = run(process.execPath, ['program.mjs', base, key])
    return judged(types, compiled, ran)
  },
}

const python: Judge = {
  name: 'openapi-python-client',
  version: PYPI['openapi-python-client'],
  judge: ({ base, key }) => {
    rmSync(join(PLACE, 'client'), { recursive: true, force: true })
    const said = run('openapi-python-client', [
      'generate',
      '--path',
      'openapi.json',
      '--output-path',
      'client',
      '--meta',
      'none',
    ])
    const warnings = lines(said.text).filter((line) => !/^Generating /.test(line))
    if (warnings.length > 0) return { findings: warnings }
    const program = join(import.meta.dirname, 'python-client.py')
    return judged(said, run('python3', [program, PLACE, 'openapi.json', base, key]))
  },
}

const redocly: Judge = {
  name: 'redocly',
  version: NPM['@redocly/cli'],
  judge: () => {
    const { text, status } = run(
      'redocly',
      ['lint', 'openapi.json', '--extends', 'recommended', '--format', 'json'],
      {
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        REDOCLY_TELEMETRY: 'off',
      },
    )
    const start = text.indexOf('{')
    if (start < 0) return { findings: status === 0 ? [] : lines(text) }
    const { problems } = JSON.parse(text.slice(start, text.lastIndexOf('}') + 1)) as {
      problems: { ruleId: string; message: string; location: { pointer: string }[] }[]
    }
    return {
      findings: problems.map(
        ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`,
      ),
    }
  },
}

const spectral: Judge = {
  name: 'spectral',
  version: NPM['@stoplight/spectral-cli'],
  judge: () => {
    writeFileSync(join(PLACE, 'spectral.yaml'), 'extends: ["spectral:oas"]\n')
    const { text, status } = run('spectral', [
      'lint',
      'openapi.json',
      '--ruleset',
      'spectral.yaml',
      '--fail-severity',
      'hint',
    ])
    return { findings: status === 0 ? [] : lines(text) }
  },
}

const promtool: Judge = {
  name: 'promtool',
  version: 'of this machine',
  judge: async ({ metrics }) => {
    if (run('promtool', ['--version']).status !== 0)
      return { findings: [], says: 'passed over: install the package prometheus' }
    writeFileSync(join(PLACE, 'metrics.txt'), await (await fetch(metrics)).text())
    const { text, status } = run('sh', ['-c', 'promtool check metrics < metrics.txt'])
    return { findings: status === 0 ? lines(text) : lines(text) }
  },
}

export const JUDGES: readonly Judge[] = [typescript, python, redocly, spectral, promtool, schemathesis]
