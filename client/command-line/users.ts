import { asTaken, STANDINGS, type Standing, standingOf } from '../../model/standing.ts'
import type { Caller } from '../../server/caller/caller.ts'
import type { Invitation } from '../../server/organization/invitations.ts'
import type { User } from '../../server/organization/members.ts'
import { Refusal } from '../../server/refusal.ts'
import type { Service } from '../../server/service.ts'
import { AS, type Command, Misused, ORGANIZATION } from './command.ts'
import { passwordFrom } from './given.ts'
import { meant } from './parse.ts'
import { card, table } from './print.ts'
import { callerOf, perform, performAll, withService } from './service.ts'

const add: Command = {
  name: 'user add',
  summary: 'Adds a user to an organization',
  flags: {
    organization: ORGANIZATION,
    email: { value: 'EMAIL', about: 'who signs in', required: true },
    name: { value: 'NAME', about: 'what they are called', required: true },
    role: { value: STANDINGS.join('|'), about: 'what they may do', required: true },
    password: { value: 'PASSWORD', about: 'at least 12 characters; or on standard input' },
    as: AS,
  },
  notes:
    'Without a password they are invited: the link goes by mail, or is printed to be handed over. With one they are\nactive at once; a person who signs in here already is added so only with the password they have.',
  run: async (given) => {
    const { organization = '', email, name, role = '', as } = given.flags
    const standing = standingNamed(role)
    const password = await passwordFrom(given.flags.password)
    return withService(given, async (service) => {
      const caller = await callerOf(service, organization, as)
      const input = { email, name, ...asTaken(standing), ...(password === undefined ? {} : { password }) }
      const record = (await perform(service, caller, 'createUser', input)) as NewUser
      const { invitation, ...user } = record
      const title = invitation ? `${email} is invited.` : `${email} is a user now.`
      const text = [card(title, user), ...(invitation ? ['', inWords(invitation)] : [])].join('\n')
      return { json: record, text }
    })
  },
}

/** @throws {Misused} for what is none */
function standingNamed(word: string): Standing {
  const standing = STANDINGS.find((one) => one === word)
  if (standing) return standing
  throw new Misused(`there is no role ${word}${meant(word, STANDINGS, '')}`, add)
}

const invite: Command = {
  name: 'user invite',
  summary: 'Invites a user again who has not joined yet',
  flags: {
    organization: ORGANIZATION,
    email: { value: 'EMAIL', about: 'whom', required: true },
    as: AS,
  },
  run: async (given) => {
    const { organization = '', email = '', as } = given.flags
    return withService(given, async (service) => {
      const caller = await callerOf(service, organization, as)
      const id = await idOf(service, caller, email)
      const made = (await perform(service, caller, 'createInvitation', { id })) as Invitation
      return { json: made, text: inWords(made) }
    })
  },
}

const resetPassword: Command = {
  name: 'user reset-password',
  summary: 'Makes a link for a user who has lost their password',
  flags: {
    organization: ORGANIZATION,
    email: { value: 'EMAIL', about: 'whose', required: true },
    as: AS,
  },
  notes:
    'It works once, for an hour. Without --as it is made for any user, also for one of several organizations; and\nwhere no mail has ever shown the login to be theirs, second factors and passkeys go with the old password.',
  run: async (given) => {
    const { organization = '', email = '', as } = given.flags
    return withService(given, async (service) => {
      const caller = await callerOf(service, organization, as)
      const id = await idOf(service, caller, email)
      const made = (await perform(service, caller, 'createPasswordReset', { id })) as { link: string }
      return { json: made, text: `Hand this link to ${email}; it works once, for an hour:\n  ${made.link}` }
    })
  },
}

type NewUser = User & { invitation: Invitation | null }

function inWords({ sentTo, link, problem, expiresAt }: Invitation): string {
  if (sentTo !== null) return `A link was mailed to ${sentTo}; it works once, until ${expiresAt}.`
  const words = `Hand them this link; it works once, until ${expiresAt}:\n  ${link}`
  return problem === null ? words : `${problem}\n${words}`
}

async function idOf(service: Service, caller: Caller, email: string): Promise<string> {
  const found = (await performAll(service, caller, 'listUsers', { q: email })) as User[]
  const user = found.find((one) => one.email.toLowerCase() === email.toLowerCase())
  if (!user)
    throw new Refusal('not_found', `${email} is no user of this organization: \`user add\` makes them one.`)
  return user.id
}

const list: Command = {
  name: 'user list',
  summary: 'Lists the users of an organization',
  flags: { organization: ORGANIZATION, as: AS },
  run: (given) =>
    withService(given, async (service) => {
      const caller = await callerOf(service, given.flags.organization ?? '', given.flags.as)
      const data = (await performAll(service, caller, 'listUsers', {})) as User[]
      const fields = {
        id: 'ID',
        email: 'EMAIL',
        name: 'NAME',
        role: 'ROLE',
        status: 'STATUS',
        lastLoginAt: 'LAST SIGN-IN',
      }
      const rows = data.map((user) => ({ ...user, role: standingOf(user) }))
      return { json: { data }, text: table(rows, fields, 'There is no user yet.') }
    }),
}

export const userCommands = [add, invite, list, resetPassword]
