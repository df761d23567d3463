import { everyKind } from '../../model/kinds/index.ts'
import { scopeText } from '../../model/scope-texts.ts'
import { SCOPES, type Scope } from '../../model/scopes.ts'
import { organizationOfKey } from '../../server/organization/api-keys.ts'
import { AS, type Command, ORGANIZATION } from './command.ts'
import { card, columns, table } from './print.ts'
import { callerOf, perform, performAll, withService } from './service.ts'

const create: Command = {
  name: 'key create',
  summary: 'Creates an API key and shows its secret, once',
  flags: {
    organization: ORGANIZATION,
    as: { ...AS, about: 'the admin it acts as', required: true },
    name: { value: 'NAME', about: 'what it is for', required: true },
    scopes: { value: 'SCOPE,…', about: 'what it may do, such as read:risks,write:risks', required: true },
    expires: { value: 'TIME', about: 'when it ends: 2030-01-31, or 2030-01-31T12:00:00Z' },
  },
  notes: [
    'Scopes:',
    ...columns((Object.keys(SCOPES) as Scope[]).map((scope) => [`  ${scope}`, scopeText(scope, everyKind)])),
  ].join('\n'),
  run: (given) =>
    withService(given, async (service) => {
      const { organization = '', as, name, scopes = '', expires } = given.flags
      const caller = await callerOf(service, organization, as)
      const key = (await perform(service, caller, 'createApiKey', {
        name,
        scopes: scopes.split(',').flatMap((scope) => scope.trim() || []),
        ...(expires ? { expiresAt: expires } : {}),
      })) as Record<string, unknown>
      const shown = Object.fromEntries(
        ['id', 'name', 'prefix', 'secret', 'scopes', 'expiresAt'].map((field) => [field, key[field]]),
      )
      return { json: shown, text: card('The key is made. Its secret is shown here and never again.', shown) }
    }),
}

const list: Command = {
  name: 'key list',
  summary: 'Lists the API keys of an organization',
  flags: { organization: ORGANIZATION, as: AS },
  run: (given) =>
    withService(given, async (service) => {
      const caller = await callerOf(service, given.flags.organization ?? '', given.flags.as)
      const data = await performAll(service, caller, 'listApiKeys', {})
      const fields = {
        id: 'ID',
        name: 'NAME',
        prefix: 'PREFIX',
        state: 'STATE',
        lastUsedAt: 'LAST USED',
        scopes: 'SCOPES',
      }
      return { json: { data }, text: table(data, fields, 'There is no API key yet.') }
    }),
}

const revoke: Command = {
  name: 'key revoke',
  summary: 'Revokes an API key, for good',
  takes: 'ID',
  flags: { as: AS },
  run: (given) =>
    withService(given, async (service) => {
      const organization = await organizationOfKey(service.database, given.word)
      const caller = await callerOf(service, organization, given.flags.as)
      const record = (await perform(service, caller, 'revokeApiKey', { id: given.word })) ?? {}
      return { json: record, text: card('The key is revoked: its next call is refused.', record) }
    }),
}

export const keyCommands = [create, list, revoke]
