import { Misused } from './command-line/command.ts'
import { commands } from './command-line/commands.ts'
import { problemOf, wordsOf } from './command-line/failure.ts'
import { parse } from './command-line/parse.ts'
import { help, overview, printable, usageAfter } from './command-line/print.ts'
import { version } from './command-line/version.ts'

/*
 * The command line: what the operator of a service does before there is anybody to sign in, and any
 * operation as a user would do it. It goes through the same parts as the service, whether that runs or not.
 *
 * With --json it is for programs: one object on standard output, or a problem object on standard error.
 */

const args = process.argv.slice(2)
const json = args.includes('--json')

try {
  const parsed = parse(args, commands)
  if (parsed.want === 'version') console.log(json ? JSON.stringify({ version }) : `plumbline ${version}`)
  else if (parsed.want === 'help')
    console.log(parsed.command ? help(parsed.command, parsed.word) : overview(commands))
  else {
    const { json: object, text, exitCode = 0 } = await parsed.command.run(parsed.given)
    if (json) console.log(JSON.stringify(object))
    else if (text !== null) console.log(printable(text))
    process.exitCode = exitCode
  }
} catch (error) {
  process.exitCode = error instanceof Misused ? 2 : 1
  console.error(error instanceof Misused ? usage(error) : failure(error))
}

function usage({ message, help: about }: Misused): string {
  if (json)
    return JSON.stringify({
      type: 'urn:plumbline:problem:usage',
      title: 'The command was not understood',
      detail: message,
      code: 'usage',
    })
  if (typeof about === 'string') return `plumbline: ${message}\n${about}`
  return `plumbline: ${message}\n\n${about ? usageAfter(about) : overview(commands)}`
}

function failure(error: unknown): string {
  const problem = problemOf(error)
  return json ? JSON.stringify(problem) : printable(wordsOf(problem))
}
