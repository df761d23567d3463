import { type Command, Misused } from './command.ts'
import { card, table } from './print.ts'
import { withService } from './service.ts'

/*
 * Programs that register themselves, or whose id is the address of their metadata, need none of this: it is for
 * those that have to be told an id. The authorization server is loaded only where it is needed: it is large.
 */
const preregistered = () => import('../../server/oauth/preregistered.ts')

const create: Command = {
  name: 'oauth-client create',
  summary: 'Makes an OAuth client for a program that cannot register itself',
  flags: {
    name: { value: 'NAME', about: 'what people are told that asks them', required: true },
    'redirect-uris': { value: 'URI,…', about: 'where it may send people back to, exactly', required: true },
    kind: { value: 'public|confidential', about: 'whether it gets a secret; public unless told' },
  },
  notes: 'People still agree to it one by one, and it gets no more than they leave it.',
  run: (given) =>
    withService(given, async (service) => {
      const { name = '', 'redirect-uris': uris = '', kind = 'public' } = given.flags
      if (kind !== 'public' && kind !== 'confidential')
        throw new Misused('--kind is public or confidential', create)
      const { createClient } = await preregistered()
      const redirectUris = uris.split(',').flatMap((uri) => uri.trim() || [])
      const made = await createClient(service, { name, redirectUris, confidential: kind === 'confidential' })
      const text = made.clientSecret ? ' Its secret is shown here and never again.' : ''
      return { json: made, text: card(`The client is made.${text}`, made) }
    }),
}

const list: Command = {
  name: 'oauth-client list',
  summary: 'Lists the OAuth clients made here',
  flags: {},
  run: (given) =>
    withService(given, async (service) => {
      const data = await (await preregistered()).listClients(service)
      const fields = {
        clientId: 'ID',
        name: 'NAME',
        confidential: 'SECRET',
        redirectUris: 'REDIRECTS',
        apps: 'APPS',
      }
      return { json: { data }, text: table(data, fields, 'There is no client yet.') }
    }),
}

const remove: Command = {
  name: 'oauth-client delete',
  summary: 'Removes an OAuth client and ends what was granted to it',
  takes: 'ID',
  flags: {},
  run: (given) =>
    withService(given, async (service) => {
      const { ended } = await (await preregistered()).deleteClient(service, given.word)
      const json = { clientId: given.word, ended }
      return { json, text: card('The client is gone, and what it had of people with it.', json) }
    }),
}

export const oauthClientCommands = [create, list, remove]
