import { parseArgs } from 'node:util'
import { nearestName } from '../../server/nearest-name.ts'
import { type Command, type Given, Misused } from './command.ts'

export type Parsed =
  | { readonly want: 'run'; readonly command: Command; readonly given: Given }
  | { readonly want: 'version' }
  | { readonly want: 'help'; readonly command: Command | null; readonly word?: string | undefined }

/**
 * What the arguments ask for.
 * @throws {Misused} for a command or flag nobody knows (with the nearest known one), and for what is missing
 */
export function parse(args: readonly string[], commands: readonly Command[]): Parsed {
  if (args[0] === 'help') return parse([...args.slice(1), '--help'], commands)
  if (args.includes('--version') && wordsAtStart(args) === 0) return { want: 'version' }
  const words = args.slice(0, wordsAtStart(args))
  const command = commands.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `))
  if (!command) {
    if (words.length === 0 && args.some(isHelp)) return { want: 'help', command: null }
    throw unknownCommand(words, args, commands)
  }
  const rest = args.slice(command.name.split(' ').length)
  const { flags, positionals } = read(rest, command)
  if ('help' in flags) return { want: 'help', command, word: positionals[0] }
  const [word = '', ...more] = positionals
  const surplus = command.takes ? more[0] : positionals[0]
  if (surplus !== undefined) throw new Misused(`${command.name} does not take "${surplus}"`, command)
  if (command.takes && word === '') throw new Misused(`${command.name} needs ${command.takes}`, command)
  const missing = Object.keys(command.flags).filter((name) => command.flags[name]?.required && !flags[name])
  if (missing.length > 0)
    throw new Misused(`${command.name} needs ${missing.map((name) => `--${name}`).join(' and ')}`, command)
  return { want: 'run', command, given: { word, flags, json: 'json' in flags } }
}

const isHelp = (arg: string) => arg === '--help' || arg === '-h'

function wordsAtStart(args: readonly string[]): number {
  const flag = args.findIndex((arg) => arg.startsWith('-'))
  return flag < 0 ? args.length : flag
}

function unknownCommand(
  words: readonly string[],
  args: readonly string[],
  commands: readonly Command[],
): Misused {
  const names = commands.map(({ name }) => name)
  const given = words.slice(0, 2).join(' ')
  if (given === '')
    return new Misused(args.length === 0 ? 'say what to do' : 'the command comes before its flags')
  const within = names.filter((name) => name.startsWith(`${words[0]} `))
  if (within.length > 0 && words.length === 1)
    return new Misused(`${given} goes on: ${within.map((name) => name.split(' ')[1]).join(', ')}`)
  return new Misused(`there is no command "${given}"${meant(given, within.length > 0 ? within : names, '')}`)
}

function read(args: readonly string[], command: Command) {
  const known: Record<string, { type: 'string' | 'boolean'; short?: string }> = {
    ...Object.fromEntries(
      Object.entries(command.flags).map(([name, { value }]) => [
        name,
        { type: value === null ? ('boolean' as const) : ('string' as const) },
      ]),
    ),
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  }
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: known,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const flags: Record<string, string | undefined> = {}
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const type = known[token.name]?.type
    if (!type)
      throw new Misused(
        `${command.name} has no ${token.rawName}${meant(token.name, Object.keys(known), '--')}`,
        command,
      )
    if (token.name in flags) throw new Misused(`${token.rawName} is given twice`, command)
    if (type === 'boolean' && token.value !== undefined)
      throw new Misused(`${token.rawName} takes no value`, command)
    if (type === 'string' && !token.value && flags.help === undefined)
      throw new Misused(`${token.rawName} needs a value`, command)
    // A value that looks like a flag is a forgotten one; `--name=--value` says that it is meant.
    if (type === 'string' && !token.inlineValue && token.value?.startsWith('--'))
      throw new Misused(`${token.rawName} needs a value`, command)
    flags[token.name] = token.value
  }
  return { flags, positionals }
}

/** The nearest known name, where it is near enough to be meant. */
export function meant(name: string, known: readonly string[], before: string): string {
  const nearest = nearestName(name, known)
  return nearest === null ? '' : `: did you mean ${before}${nearest}?`
}
