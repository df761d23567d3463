import { z } from 'zod'
import { line } from '../../model/fields.ts'
import { capability, confirmed, nothing, operation } from '../operation.ts'
import { READ_ONLY } from '../records/schemas.ts'
import { verifyDomain } from './sign-in-providers/domain-proof.ts'
import { createProvider, deleteProvider, updateProvider } from './sign-in-providers/provider-changes.ts'
import { listProviders, signInProvider } from './sign-in-providers/provider-record.ts'

/**
 * An organization's own OpenID Connect providers. Its admins say here which there are; what a provider may
 * vouch for, and for whom, is told in sign-in-providers/identity.ts.
 */
const ADMINS = capability('settings.manage')
const ALL = '/v1/sign-in-providers'
const ONE = `${ALL}/{id}`

const id = z.string().min(1).max(100).meta({ title: 'Id' })
const name = line('Name').describe('What people are offered on the sign-in page')
const issuer = z
  .string()
  .min(1)
  .max(500)
  .regex(
    /^https:\/\/[^\s?#@\\]+$/i,
    'is no https address without query, fragment or user name: give one such as https://login.example.com',
  )
  .meta({ title: 'Issuer' })
  .describe('The address under which the provider has /.well-known/openid-configuration')
const clientId = z.string().trim().min(1).max(500).meta({ title: 'Client id' })
const clientSecret = z
  .string()
  .min(1)
  .max(2_000)
  .meta({ title: 'Client secret' })
  .describe('Kept encrypted, and never shown again')
const domain = z
  .string()
  .max(253)
  .toLowerCase()
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
    'is no domain: give one such as example.com',
  )
  .meta({ title: 'Domain' })
const domains = z
  .array(domain)
  .max(20)
  .meta({ title: 'Domains' })
  .describe('Of the e-mails that the provider vouches for. Each counts once it is verified.')

export const listSignInProviders = operation({
  name: 'listSignInProviders',
  method: 'GET',
  path: ALL,
  needs: ADMINS,
  writes: false,
  title: 'List sign-in providers',
  input: z.strictObject({}),
  output: z.object({ data: z.array(signInProvider), nextCursor: z.null() }),
  run: async ({ tx, parts }) => ({ data: await listProviders(tx, parts.config.publicUrl), nextCursor: null }),
})

export const createSignInProvider = operation({
  name: 'createSignInProvider',
  method: 'POST',
  path: ALL,
  needs: confirmed(ADMINS),
  writes: 'own',
  title: 'Add a sign-in provider',
  description:
    'An OpenID Connect provider at which the organization registered a client with the redirect URI of the answer. It is asked for its configuration at once.',
  input: z.strictObject({ name, issuer, clientId, clientSecret, domains: domains.optional() }),
  output: signInProvider,
  example: {
    name: 'Example Ltd',
    issuer: 'https://id.example.com',
    clientId: 'plumbline',
    clientSecret: 'as the provider gave it',
    domains: ['example.com'],
  },
  location: (provider) => `${ALL}/${provider.id}`,
  run: createProvider,
})

export const updateSignInProvider = operation({
  name: 'updateSignInProvider',
  method: 'PATCH',
  path: ONE,
  needs: confirmed(ADMINS),
  writes: true,
  title: 'Change a sign-in provider',
  description:
    'Off: every session that it vouched for ends. Domains are given whole: what stays keeps its verification. The issuer stays: for another one, add another provider.',
  input: z.strictObject({
    id,
    name: name.optional(),
    clientId: clientId.optional(),
    clientSecret: clientSecret.optional(),
    enabled: z.boolean().optional().meta({ title: 'On' }),
    domains: domains.optional(),
    issuer: READ_ONLY,
    redirectUri: READ_ONLY,
    createdAt: READ_ONLY,
    updatedAt: READ_ONLY,
  }),
  output: signInProvider,
  annotations: { idempotent: true },
  run: updateProvider,
})

export const deleteSignInProvider = operation({
  name: 'deleteSignInProvider',
  method: 'DELETE',
  path: ONE,
  needs: confirmed(ADMINS),
  writes: true,
  title: 'Delete a sign-in provider',
  description: 'With every session that it vouched for, and every identity that was linked to it.',
  input: z.strictObject({ id }),
  output: nothing,
  annotations: { destructive: true, idempotent: true },
  run: deleteProvider,
})

export const verifySignInDomain = operation({
  name: 'verifySignInDomain',
  method: 'POST',
  path: `${ONE}/verify-domain`,
  needs: confirmed(ADMINS),
  writes: 'own',
  title: 'Verify a domain of a sign-in provider',
  description:
    'Looks for its TXT record. From then on members who were invited under an e-mail of this domain may come in through the provider. A domain is of one provider.',
  input: z.strictObject({ id, domain }),
  output: signInProvider,
  annotations: { idempotent: true },
  refusals: ['conflict'],
  run: verifyDomain,
})

export const signInProviderOperations = {
  listSignInProviders,
  createSignInProvider,
  updateSignInProvider,
  deleteSignInProvider,
  verifySignInDomain,
} as const
