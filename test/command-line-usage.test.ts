import { expect, test } from 'vitest'
import { Misused } from '../client/command-line/command.ts'
import { commands } from '../client/command-line/commands.ts'
import { parse } from '../client/command-line/parse.ts'
import { help, overview } from '../client/command-line/print.ts'
import { everyKind } from '../model/kinds/index.ts'
import { isRaised } from '../model/raised-signals.ts'
import { isInUse } from '../model/scope-texts.ts'
import { SCOPES, type Scope } from '../model/scopes.ts'
import { SIGNAL_TYPES, type SignalType } from '../model/signal-types.ts'
import { newMasterKey } from '../server/keyring/keyring.ts'
import { operationsBy } from '../server/operations.ts'
import { commandLine, commandLineAlone } from './support/command-line.ts'

const operations = operationsBy('credential')

const settings = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing', MASTER_KEY: newMasterKey() }
const plumbline = commandLine(settings)
/** Each command as people start it. */
const alone = commandLineAlone(settings)

test('the commands are these', () => {
  expect(commands.map(({ name }) => name)).toEqual([
    'organization create',
    'organization list',
    'organization update',
    'user add',
    'user invite',
    'user list',
    'user reset-password',
    'key create',
    'key list',
    'key revoke',
    'oauth-client create',
    'oauth-client list',
    'oauth-client delete',
    'call',
    'audit export',
    'audit verify',
    'audit keys',
    'audit rotate-key',
    'clock status',
    'migrate',
    'config check',
    'backup verify',
    'backup',
    'restore',
    'sending resume',
    'keyring reseal',
  ])
})

test('every command has its help, and every operation is in that of call', () => {
  for (const command of commands) {
    const { name } = command
    expect(parse([...name.split(' '), '--help'], commands)).toMatchObject({ want: 'help', command })
    expect(help(command)).toContain(`Usage: npm run --silent plumbline -- ${name}`)
    for (const flag of Object.keys(command.flags)) expect(help(command)).toContain(`  --${flag} `)
    expect(overview(commands)).toContain(`  ${name}`)
  }
  const call = commands.find(({ name }) => name === 'call')!
  for (const { name } of operations) expect(help(call)).toContain(`  ${name} `)
  expect(help(call, 'createRisk')).toMatch(/^Input:\n {2}title +required {2}text$/m)
  expect(help(call, 'createRisk')).toMatch(/^ {2}likelihood +rare \| unlikely \| /m)
  expect(help(call, 'createRisk')).toMatch(/^ {2}owner +\{ type: user \| personnel, refId \}$/m)
  expect(help(call, 'createAsset')).toMatch(/^ {2}integrity +whole number from 0 to 4$/m)
  expect(help(call, 'updateRiskMatrix')).toMatch(
    /^ {2}cells +\{ rare, .+ \}, each \{ .+ \}, each \{ score: whole number from 1 to 25, level: low \| medium \| high \| critical \}$/m,
  )
  expect(help(call, 'createRisk')).toMatch(/^ {2}customFields +object$/m)
  expect(help(call, 'sendFrameworkFile')).toMatch(/^ {2}content +required {2}the bytes of --file$/m)
  for (const type of Object.keys(SIGNAL_TYPES))
    expect(help(call, 'createWebhookEndpoint')).toContain(`  ${type} `)
  const create = commands.find(({ name }) => name === 'key create')!
  for (const scope of Object.keys(SCOPES)) expect(help(create)).toContain(`  ${scope} `)
  for (const scope of Object.keys(SCOPES) as Scope[]) {
    const line = help(create)
      .split('\n')
      .find((each) => each.startsWith(`  ${scope} `))!
    expect([scope, line.endsWith(' (nothing uses this yet)')]).toEqual([scope, !isInUse(scope, everyKind)])
  }
  expect(help(create)).toMatch(/^ {2}read:risks +Read the risk register$/m)
  const unraised = (Object.keys(SIGNAL_TYPES) as SignalType[]).filter((type) => !isRaised(type))
  for (const type of unraised)
    expect(help(call, 'createWebhookEndpoint')).toMatch(
      new RegExp(`^ {2}${type.replace('.', '\\.')} .+ Nothing raises this yet\\.$`, 'm'),
    )
  expect(help(call, 'createWebhookEndpoint')).toMatch(/^ {2}risk\.created +A risk is added\.$/m)
})

test('what is said of scopes holds: in use is what an operation needs for more than naming owners', () => {
  const needed = operations
    .filter(({ name }) => name !== 'listOwnershipPrincipals')
    .flatMap(({ needs }) => needs.anyOf)
  for (const scope of Object.keys(SCOPES) as Scope[])
    expect([scope, isInUse(scope, everyKind)]).toEqual([scope, needed.includes(scope)])
})

test('help is a command too, and --version tells the version', async () => {
  expect(parse(['help'], commands)).toEqual({ want: 'help', command: null })
  expect(parse(['help', 'call', 'createRisk'], commands)).toMatchObject({ want: 'help', word: 'createRisk' })
  expect(parse(['--version'], commands)).toEqual({ want: 'version' })
  expect(await alone('--version')).toMatchObject({ code: 0, stdout: 'plumbline 0.1.0\n', stderr: '' })
})

test.each([
  ['call listRisks', 'call needs --organization and --as, or --url and a key'],
  ['call listRisks --as ana@example.com', 'call needs --organization'],
  ['call listRisks --url http://localhost:1 --as ana@example.com', 'in place of --organization and --as'],
])('"%s" is not understood either', async (args, words) => {
  expect(await plumbline(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) })
})

test.each([
  ['--url http://plumbline.example.com', 'malformed_request', 'sent in the clear'],
  ['--url https://plumbline.example.com/v1', 'malformed_request', 'is not the address of a service'],
  ['--url http://127.0.0.1:1', 'malformed_request', 'There is no key: set PLUMBLINE_KEY'],
  [
    '--url http://127.0.0.1:1 --key @/nowhere',
    'malformed_request',
    'key file /nowhere cannot be read (ENOENT)',
  ],
  [
    '--url http://127.0.0.1:1 --key comply_x',
    'unavailable',
    'Nothing answers at http://127.0.0.1:1 (bad port)',
  ],
])('a call elsewhere with %s is refused', async (args, code, words) => {
  const { code: status, json } = await plumbline(`call listRisks ${args} --json`)
  expect([status, json]).toMatchObject([1, { code, detail: expect.stringContaining(words) }])
})

test('help is printed without touching a database', async () => {
  for (const args of ['--help', 'key create --help', 'call createRisk --help']) {
    const printed = await plumbline(args)
    expect(printed).toMatchObject({ code: 0, stderr: '' })
    expect(printed.stdout).toContain('Usage: npm run --silent plumbline -- ')
  }
})

test.each([
  ['organisation list', 'did you mean organization list?'],
  ['organization', 'create, list, update'],
  ['organization creat', 'did you mean organization create?'],
  ['--json', 'before its flags'],
  ['key list --organisation Acme', 'did you mean --organization?'],
  ['key list', 'needs --organization'],
  ['key list --organization', 'needs a value'],
  ['key list --organization --json', 'needs a value'],
  ['key list --organization=', 'needs a value'],
  ['key list --organization A --json=yes', 'takes no value'],
  ['key list --organization A --organization B', 'given twice'],
  ['key revoke', 'needs ID'],
  ['key revoke a b', 'does not take "b"'],
  ['organization list all', 'does not take "all"'],
])('"%s" is not understood', (text, words) => {
  const args = text.split(' ')
  expect(() => parse(args, commands)).toThrow(Misused)
  expect(() => parse(args, commands)).toThrow(words)
})

test('a role that is none is said to be none', async () => {
  const args = 'user add --organization A --email a@example.com --name A --role auditer'
  expect((await plumbline(args)).stderr).toContain('there is no role auditer: did you mean auditor?')
})

test('a value may be all sorts of things', () => {
  const args = [
    'user',
    'add',
    '--password=--x',
    '--organization',
    'A b',
    '--email',
    '-',
    '--name',
    'ü',
    '--role=viewer',
  ]
  expect(parse(args, commands)).toMatchObject({
    want: 'run',
    given: {
      json: false,
      flags: { password: '--x', organization: 'A b', email: '-', name: 'ü', role: 'viewer' },
    },
  })
})

test('what is not understood ends with 2: the usage for a person, an object for a program', async () => {
  const forPerson = await alone('call createRisks --organization Acme --as ana@example.com')
  expect(forPerson).toMatchObject({ code: 2, stdout: '' })
  expect(forPerson.stderr).toMatch(/did you mean createRisk\?\n`help call` lists them\.\n$/)
  const forNobody = await plumbline('help call nosuchThing')
  expect(forNobody).toMatchObject({ code: 2, stdout: '' })
  expect(forNobody.stderr).toContain('there is no operation nosuchThing')
  const forCaller = await plumbline('call listRisks')
  expect(forCaller.stderr).toMatch(/\n\nUsage: /)
  expect(forCaller.stderr).not.toContain('createRisk')
  const forProgram = await plumbline('key lst --json')
  expect(forProgram).toMatchObject({ code: 2, stdout: '' })
  expect(forProgram.json).toMatchObject({
    code: 'usage',
    detail: expect.stringContaining('did you mean key list?'),
  })
  expect(await plumbline('')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('say what to do'),
  })
})
