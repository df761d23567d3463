import { createOrganization, listOrganizations } from '../../server/organization/organizations.ts'
import { AS, type Command, ORGANIZATION } from './command.ts'
import { passwordFrom } from './given.ts'
import { card, table } from './print.ts'
import { callerOf, perform, withService } from './service.ts'

const create: Command = {
  name: 'organization create',
  summary: 'Makes an organization and its first admin',
  flags: {
    name: { value: 'NAME', about: 'what it is called', required: true },
    'admin-email': { value: 'EMAIL', about: 'who signs in as its first admin', required: true },
    'admin-name': { value: 'NAME', about: 'what they are called' },
    'admin-password': { value: 'PASSWORD', about: 'at least 12 characters; or on standard input' },
  },
  notes:
    'A person who signs in here already joins with the password they have: leave it out, or give that one.\nOn the command line a password shows in the list of processes; on standard input it does not.',
  run: async (given) => {
    const { name = '', 'admin-email': adminEmail = '', 'admin-name': adminName } = given.flags
    const adminPassword = await passwordFrom(given.flags['admin-password'])
    return withService(given, async (service) => {
      const { organizationId, userId } = await createOrganization(service, {
        name,
        adminEmail,
        adminName,
        adminPassword,
      })
      const made = { organizationId, userId }
      return { json: made, text: card(`${name} is there, and ${adminEmail} is its admin.`, made) }
    })
  },
}

const list: Command = {
  name: 'organization list',
  summary: 'Lists the organizations',
  flags: {},
  run: (given) =>
    withService(given, async ({ database }) => {
      const data = await listOrganizations(database)
      const fields = { id: 'ID', name: 'NAME', status: 'STATUS', createdAt: 'CREATED' }
      return { json: { data }, text: table(data, fields, 'There is no organization yet.') }
    }),
}

const TEXTS = {
  name: 'name',
  'legal-name': 'legalName',
  website: 'website',
  industry: 'industry',
  size: 'size',
  country: 'country',
  locale: 'locale',
  timezone: 'timezone',
  currency: 'currency',
  'security-contact': 'securityContact',
} as const

const FEATURE = 'supplier-risk-management'

const update: Command = {
  name: 'organization update',
  summary: 'Changes an organization',
  flags: {
    organization: ORGANIZATION,
    as: AS,
    ...Object.fromEntries(
      Object.entries(TEXTS).map(([flag, field]) => [flag, { value: 'TEXT', about: `its ${field}` }]),
    ),
    [FEATURE]: { value: 'on|off', about: 'whether it has that feature' },
  },
  run: (given) =>
    withService(given, async (service) => {
      const { flags } = given
      const caller = await callerOf(service, flags.organization ?? '', flags.as)
      const fields = Object.entries(TEXTS).flatMap(([flag, field]) =>
        flags[flag] ? [[field, flags[flag]]] : [],
      )
      const feature = flags[FEATURE]
      const features =
        feature === undefined ? {} : { features: { supplierRiskManagement: SWITCH[feature] ?? feature } }
      const record = await perform(service, caller, 'updateOrganization', {
        ...Object.fromEntries(fields),
        ...features,
      })
      return { json: record ?? {}, text: card('The organization is now:', record ?? {}) }
    }),
}

const SWITCH: Record<string, boolean> = { on: true, off: false, true: true, false: false }

export const organizationCommands = [create, list, update]
