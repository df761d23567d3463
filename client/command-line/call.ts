import type { AnyOperation } from '../../server/operation.ts'
import { operations } from '../../server/operations.ts'
import { AS, type Command, Misused, ORGANIZATION } from './command.ts'
import { inputFrom } from './given.ts'
import { meant } from './parse.ts'
import { columns } from './print.ts'
import { callerOf, perform, withService } from './service.ts'

const command: Command = {
  name: 'call',
  summary: 'Does any operation, as a user would in a session of theirs',
  takes: 'OPERATION',
  flags: {
    organization: ORGANIZATION,
    as: { ...AS, required: true },
    input: { value: 'JSON', about: 'its input: JSON, @file, or - for standard input' },
  },
  notes: (word) => {
    const operation = operations.find(({ name }) => name === word)
    return operation ? describe(operation) : [`Operations:`, ...columns(operations.map(lineOf))].join('\n')
  },
  run: async (given) => {
    const { organization = '', as } = given.flags
    const names = operations.map(({ name }) => name)
    if (!names.includes(given.word))
      throw new Misused(`there is no operation ${given.word}${meant(given.word, names, '')}`, command)
    const input = await inputFrom(given.flags.input)
    return withService(given, async (service) => {
      const caller = await callerOf(service, organization, as)
      const answer = await perform(service, caller, given.word, input)
      return { json: answer ?? {}, text: answer === null ? 'Done.' : JSON.stringify(answer, null, 2) }
    })
  },
}

const lineOf = ({ name, title }: AnyOperation) => [`  ${name}`, title]

function describe({ title, description, input }: AnyOperation): string {
  const fields = Object.keys(input.shape)
  return [
    `${title}.`,
    ...(description ? [description] : []),
    '',
    `Input: ${fields.join(', ') || 'none'}`,
  ].join('\n')
}

export const callCommands = [command]
