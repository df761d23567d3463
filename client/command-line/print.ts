import type { Command, Flag } from './command.ts'

/** What the command line shows a person: aligned, and no more than was asked. */
const START = 'npm run --silent plumbline --'

export function overview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [`  ${nameOf(command)}`, command.summary])
  return [
    `Usage: ${START} COMMAND … [--json] [--help]`,
    '',
    ...columns(rows),
    '',
    '`help COMMAND` tells more of one, --version which version this is. With --json it prints one JSON object on',
    'standard output, and a problem object on standard error where it fails (exit 1; 2 where it is not understood).',
  ].join('\n')
}

/** @throws {Misused} for a word of which there is nothing to tell */
export function help(command: Command, word?: string): string {
  const notes = typeof command.notes === 'function' ? command.notes(word) : command.notes
  return [usage(command), ...(notes ? ['', notes] : [])].join('\n')
}

/** How it is called, where that was missed: of what it takes only where to read about it. */
export const usageAfter = (command: Command): string =>
  typeof command.notes === 'function'
    ? `${usage(command)}\n\n\`help ${nameOf(command)}\` tells what one takes, \`help ${command.name}\` lists all.`
    : help(command)

function usage(command: Command): string {
  const flags = Object.entries(command.flags)
  const given = flags.map(([name, flag]) => {
    const text = shownFlag(name, flag)
    return flag.required ? text : `[${text}]`
  })
  return [
    `Usage: ${START} ${[nameOf(command), ...given, '[--json]'].join(' ')}`,
    '',
    `${command.summary}.`,
    ...(flags.length > 0
      ? ['', ...columns(flags.map(([name, flag]) => [`  ${shownFlag(name, flag)}`, flag.about]))]
      : []),
  ].join('\n')
}

const shownFlag = (name: string, { value }: Flag) => (value === null ? `--${name}` : `--${name} ${value}`)

const nameOf = ({ name, takes }: Command) => (takes ? `${name} ${takes}` : name)

/** Rows with their columns under each other. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, index) =>
    Math.max(...rows.map((row) => row[index]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd((widths[index] ?? 0) + 2)))
      .join('')
      .trimEnd(),
  )
}

/** A table of records: one column for each field named. */
export function table(
  records: readonly object[],
  fields: Readonly<Record<string, string>>,
  none: string,
): string {
  if (records.length === 0) return none
  const head = Object.values(fields)
  const rows = records.map((record) => Object.keys(fields).map((field) => shown((record as never)[field])))
  return columns([head, ...rows]).join('\n')
}

/** One record, a field a line; what is not set is left out. */
export function card(title: string, record: object): string {
  const set = Object.entries(record).filter(([, value]) => value !== null)
  return [title, '', ...fieldLines(Object.fromEntries(set))].join('\n')
}

/** A field a line; what has fields of its own has them below it, further in, and so has a list that is long. */
export function fieldLines(record: object, indent = '  '): string[] {
  const fields = Object.entries(record).filter(([, value]) => value !== undefined)
  const width = Math.max(0, ...fields.map(([name, value]) => (isBlock(value) ? 0 : name.length)))
  return fields.flatMap(([name, value]) =>
    isBlock(value)
      ? [`${indent}${name}`, ...blockLines(value, `${indent}  `)]
      : [`${indent}${name.padEnd(width + 2)}${shown(value)}`],
  )
}

const blockLines = (value: object, indent: string): string[] =>
  Array.isArray(value) ? value.flatMap((one) => itemLines(one, indent)) : fieldLines(value, indent)

/** An item of a list; the first of its fields stands beside the sign that begins it. */
function itemLines(item: unknown, indent: string): string[] {
  const lines = isBlock(item) ? blockLines(item, `${indent}  `) : [`${indent}  ${shown(item)}`]
  return lines.map((line, index) => (index === 0 ? `${indent}- ${line.trimStart()}` : line))
}

const LONGEST_LINE = 80

/** Whether a value takes lines of its own. */
function isBlock(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (!Array.isArray(value)) return Object.keys(value).length > 0
  return value.some((one) => typeof one === 'object' && one !== null) || shown(value).length > LONGEST_LINE
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value)) return value.map(shown).join(', ') || '–'
  if (typeof value !== 'object') return String(value)
  const fields = Object.entries(value).map(([name, one]) => `${name} ${shown(one)}`)
  return fields.join(', ') || '–'
}

/** A text without the control characters that a terminal would obey: a file or a record may contain any. */
export const printable = (text: string): string => text.replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd')
