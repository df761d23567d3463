import { createReadStream, statSync } from 'node:fs'
import { describeSignalType } from '../../model/raised-signals.ts'
import { SIGNAL_TYPES, type SignalType } from '../../model/signal-types.ts'
import { IncomingBytes } from '../../server/bytes.ts'
import { pointedAt, type Schema, schemaOf } from '../../server/doors/json-schemas.ts'
import type { AnyOperation } from '../../server/operation.ts'
import { operationsBy } from '../../server/operations.ts'
import { AS, type Command, type Given, Misused, ORGANIZATION } from './command.ts'
import { inputFrom } from './given.ts'
import { meant } from './parse.ts'
import { columns } from './print.ts'
import { callOverRest, type Remote, remoteOf } from './remote.ts'
import { callerOf, perform, withService } from './service.ts'

const operations = operationsBy('credential')

const command: Command = {
  name: 'call',
  summary: 'Does any operation: as a user would in a session of theirs, or with a key over REST',
  takes: 'OPERATION',
  flags: {
    organization: { ...ORGANIZATION, required: undefined },
    as: AS,
    url: { value: 'URL', about: 'a service elsewhere, in place of these two; or PLUMBLINE_URL' },
    key: { value: '@FILE', about: 'the file with the key for it; or PLUMBLINE_KEY' },
    input: { value: 'JSON', about: 'its input: JSON, @file, or - for standard input' },
    file: { value: 'FILE', about: 'of an operation that takes bytes: where they are' },
  },
  notes: (word) => {
    return word === undefined
      ? [KEY_IS_SEEN, '', 'Operations:', ...columns(operations.map(lineOf))].join('\n')
      : describe(operationNamed(word))
  },
  run: async (given) => {
    const operation = operationNamed(given.word)
    const remote = remoteFrom(given)
    const input = { ...(await inputFrom(given.flags.input)), ...bytesFrom(operation, given, remote) }
    if (remote) return told(await callOverRest(remote, operation, input as Record<string, unknown>))
    const { organization = '', as } = given.flags
    return withService(given, async (service) => {
      const caller = await callerOf(service, organization, as)
      return told(await perform(service, caller, operation.name, input))
    })
  },
}

/** @throws {Misused} for a name that none has, with the nearest of those that one has */
function operationNamed(word: string): AnyOperation {
  const operation = operations.find(({ name }) => name === word)
  if (operation) return operation
  const names = operations.map(({ name }) => name)
  throw new Misused(`there is no operation ${word}${meant(word, names, '')}`, '`help call` lists them.')
}

/**
 * The bytes that an operation takes, under the name that it has for them.
 * @throws {Misused} where there are none, or it takes none, or they would go over REST
 */
function bytesFrom({ name, bodyIs, takes }: AnyOperation, { flags }: Given, remote: Remote | null): object {
  const { file } = flags
  if (!takes.types || !bodyIs) {
    if (file !== undefined) throw new Misused(`${name} takes no --file`, command)
    return {}
  }
  if (file === undefined) throw new Misused(`${name} needs --file, with the bytes that it takes`, command)
  if (remote) throw new Misused(`${name} needs --organization and --as: a key sends no files`, command)
  const size = statSync(file, { throwIfNoEntry: false })?.size
  if (size === undefined) throw new Misused(`there is no file ${file}`, command)
  return { [bodyIs]: new IncomingBytes(takes.types[0]!, size, createReadStream(file)) }
}

const KEY_IS_SEEN =
  'A key on a command line shows in the list of processes: keep it in a file or in PLUMBLINE_KEY. A key does what it\nmay over REST; what only a person may do needs --organization and --as, beside the service.'

const told = (answer: object | null) => ({
  json: answer ?? {},
  text: answer === null ? 'Done.' : JSON.stringify(answer, null, 2),
})

/**
 * The service elsewhere, where one is asked for; what is said on the command line goes before the environment.
 * @throws {Misused} where it is not said who does it, or said twice
 */
function remoteFrom({ flags: { organization, as, url, key } }: Given): Remote | null {
  const isLocal = organization !== undefined || as !== undefined
  if (isLocal && (url !== undefined || key !== undefined))
    throw new Misused('--url and --key stand in place of --organization and --as: the key says who', command)
  if (isLocal) {
    if (organization !== undefined && as !== undefined) return null
    throw new Misused(`call needs --${organization === undefined ? 'organization' : 'as'}`, command)
  }
  const address = url ?? process.env.PLUMBLINE_URL
  if (!address) throw new Misused('call needs --organization and --as, or --url and a key', command)
  return remoteOf(address, key ?? process.env.PLUMBLINE_KEY)
}

const lineOf = ({ name, title }: AnyOperation) => [`  ${name}`, title]

function describe({ title, description, input, bodyIs }: AnyOperation): string {
  const components: Record<string, Schema> = {}
  const { properties = {}, required = [] } = pointedAt(schemaOf(input, 'input', components), components)
  const fields = Object.entries(properties).map(([name, form]) => [
    `  ${name}`,
    required.includes(name) ? 'required' : '',
    name === bodyIs ? 'the bytes of --file' : formWords(form, components),
  ])
  return [
    `${title}.`,
    ...(description ? [description] : []),
    '',
    ...(fields.length > 0 ? ['Input:', ...columns(fields)] : ['Input: none']),
    ...('signalTypes' in properties ? ['', ...signalTypes()] : []),
  ].join('\n')
}

function formWords(form: Schema, components: Record<string, Schema>, unknown = 'set by the service'): string {
  const all = pointedAt(form, components).anyOf?.filter(({ type }) => type !== 'null')
  // Beside the words of a choice that may grow stands any text, which is for readers of answers.
  const known = all?.filter((one) => pointedAt(one, components).enum)
  const choices = known?.length ? known : all
  if (choices && choices.length > 1) return choices.map((one) => formWords(one, components)).join(' or ')
  const bare = pointedAt(choices?.[0] ?? pointedAt(form, components), components)
  if (bare.enum) return bare.enum.filter((choice) => choice !== null).join(' | ')
  if (bare.items) return `list of ${formWords(bare.items, components, 'object')}`
  if (bare.properties) return membersOf(bare.properties, components)
  const type = [bare.type].flat().find((one) => one !== 'null')
  if (type === undefined) return unknown
  return `${{ string: bare.format ?? 'text', integer: 'whole number' }[type] ?? type}${boundsOf(bare)}`
}

/** What an object has: the names, and behind each what it takes, where that is not any text; once, where all take the same. */
function membersOf(properties: Readonly<Record<string, Schema>>, components: Record<string, Schema>): string {
  const names = Object.keys(properties)
  const forms = names.map((name) => formWords(properties[name]!, components))
  const [first = ''] = forms
  if (names.length > 1 && first !== 'text' && forms.every((form) => form === first))
    return `{ ${names.join(', ')} }, each ${first}`
  return `{ ${names.map((name, at) => (forms[at] === 'text' ? name : `${name}: ${forms[at]}`)).join(', ')} }`
}

/** Those of a number, but for how much a program can count. */
function boundsOf({ minimum, maximum }: Schema): string {
  const least = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined
  const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined
  if (least === undefined) return most === undefined ? '' : ` up to ${most}`
  return most === undefined ? ` from ${least}` : ` from ${least} to ${most}`
}

const signalTypes = (): string[] => [
  'Signal types:',
  ...columns(
    (Object.keys(SIGNAL_TYPES) as SignalType[]).map((type) => [
      `  ${type}`,
      describeSignalType(type).description,
    ]),
  ),
]

export const callCommands = [command]
