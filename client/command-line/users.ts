import { AS, type Command, ORGANIZATION } from './command.ts'
import { passwordFrom } from './given.ts'
import { card } from './print.ts'
import { callerOf, perform, withService } from './service.ts'

const add: Command = {
  name: 'user add',
  summary: 'Adds a user to an organization',
  flags: {
    organization: ORGANIZATION,
    email: { value: 'EMAIL', about: 'who signs in', required: true },
    name: { value: 'NAME', about: 'what they are called', required: true },
    role: { value: 'admin|editor|viewer', about: 'what they may do', required: true },
    password: { value: 'PASSWORD', about: 'at least 12 characters; or on standard input' },
    as: AS,
  },
  notes:
    'A person who signs in here already joins with the password they have: leave it out, or give that one.',
  run: async (given) => {
    const { organization = '', email, name, role, as } = given.flags
    const password = await passwordFrom(given.flags.password)
    return withService(given, async (service) => {
      const caller = await callerOf(service, organization, as)
      const input = { email, name, role, ...(password === undefined ? {} : { password }) }
      const record = (await perform(service, caller, 'createUser', input)) ?? {}
      return { json: record, text: card(`${email} is a user now.`, record) }
    })
  },
}

export const userCommands = [add]
