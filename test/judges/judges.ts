import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { schemathesis } from './schemathesis.ts'
import type { JudgedService } from './service.ts'
import { GO, NPM, OPENAPI_GENERATOR, PLACE, PYPI, run, type Said } from './tools.ts'

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

const heyApi: Judge = {
  name: 'hey-api',
  version: NPM['@hey-api/openapi-ts'],
  judge: () => {
    rmSync(join(PLACE, 'hey'), { recursive: true, force: true })
    const made = run('openapi-ts', [
      '--input',
      'openapi.json',
      '--output',
      'hey',
      '--client',
      '@hey-api/client-fetch',
    ])
    const options = [
      '--strict',
      '--noEmit',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--target',
      'es2024',
    ]
    return judged(made, run('tsc', ['hey/index.ts', ...options, '--lib', 'es2024,dom,dom.iterable']))
  },
}

/** A Go program with a generated client, built and run; passed over where there is no Go. */
const ofGo = (name: keyof typeof GO, module: string, generate: readonly string[]): Judge => ({
  name,
  version: GO[name].version,
  judge: ({ base, key }) => {
    if (run('go', ['version']).status !== 0) return { findings: [], says: 'passed over: install Go' }
    const place = join(PLACE, 'go', module)
    rmSync(place, { recursive: true, force: true })
    mkdirSync(join(place, module), { recursive: true })
    writeFileSync(join(place, 'go.mod'), 'module plumbline.example/judge\n\ngo 1.25\n')
    copyFileSync(join(import.meta.dirname, `clients/${name}.go.txt`), join(place, 'main.go'))
    const { path, version } = GO[name]
    const within = (program: string, args: readonly string[]) =>
      run(program, args, { GOFLAGS: '-mod=mod' }, place)
    return judged(
      within('go', ['run', `${path}@${version}`, ...generate, join(PLACE, 'openapi.json')]),
      within('go', ['mod', 'tidy']),
      within('go', ['run', '.', base, key]),
    )
  },
})

const oapiCodegen = ofGo('oapi-codegen', 'oapi', [
  '-package',
  'oapi',
  '-generate',
  'types,client',
  '-o',
  'oapi/client.go',
])
const ogen = ofGo('ogen', 'ogen', ['--target', 'ogen', '--package', 'ogen', '--clean'])

/** A client of openapi-generator; `build` says whether its sources compile. Passed over where there is no Java. */
const ofGenerator = (
  language: string,
  options: readonly string[],
  build: (place: string) => Said | null,
): Judge => ({
  name: `openapi-generator-${language}`,
  version: OPENAPI_GENERATOR,
  judge: () => {
    if (run('mvn', ['--version']).status !== 0)
      return { findings: [], says: 'passed over: install Maven and Java' }
    const artifact = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`
    const fetched = run('mvn', ['-q', 'dependency:get', `-Dartifact=${artifact}`, '-Dtransitive=false'])
    const folder = `.m2/repository/org/openapitools/openapi-generator-cli/${OPENAPI_GENERATOR}`
    const program = join(homedir(), folder, `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`)
    const place = join(PLACE, language)
    rmSync(place, { recursive: true, force: true })
    const made = run('java', [
      '-jar',
      program,
      'generate',
      '-i',
      'openapi.json',
      '-g',
      language,
      '-o',
      place,
      ...options,
    ])
    const built = made.status === 0 ? build(place) : null
    return built
      ? judged(fetched, made, built)
      : { ...judged(fetched, made), says: 'generated, and not compiled' }
  },
})

const java = ofGenerator('java', ['--library', 'native'], (place) =>
  run('mvn', ['-q', '-DskipTests', 'compile'], {}, place),
)
/** Compiled only where there is .NET. */
const csharp = ofGenerator('csharp', [], (place) =>
  run('dotnet', ['--version']).status === 0
    ? run('dotnet', ['build', 'src/Org.OpenAPITools'], {}, place)
    : null,
)

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

export const JUDGES: readonly Judge[] = [
  ...[typescript, heyApi, python, oapiCodegen, ogen, java, csharp],
  ...[redocly, spectral, promtool, schemathesis],
]
