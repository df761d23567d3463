import { z } from 'zod'
import { statement } from '../../database/connect.ts'
import { NATURALLY } from '../../database/natural-order.ts'
import { audit } from '../../journal/audit.ts'
import { nothing, oneself, operation, own } from '../../operation.ts'
import { notFound } from '../../refusal.ts'

/**
 * A person's own accounts at the sign-in providers of the organization they are in. One is added by the session
 * act beginProviderSignIn with the intent `link`.
 */
const identity = z
  .object({
    id: z.string(),
    provider: z.object({ id: z.string(), name: z.string() }),
    email: z.string().nullable().describe('As the provider said it last'),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
  })
  .meta({ id: 'Identity', title: 'Identity' })

export const listMyIdentities = operation({
  name: 'listMyIdentities',
  method: 'GET',
  path: '/v1/account/identities',
  needs: own(),
  writes: false,
  title: 'List your accounts at sign-in providers',
  description: 'And the providers of this organization that you have not linked.',
  input: z.strictObject({}),
  output: z.object({
    data: z.array(identity),
    nextCursor: z.null(),
    linkable: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  run: async ({ tx, caller }) => {
    const [data, linkable] = await Promise.all([
      tx.read<z.output<typeof identity>>(mine(tx.organizationId, caller.userId)),
      tx.read<{ id: string; name: string }>(others(tx.organizationId, caller.userId)),
    ])
    return { data, nextCursor: null, linkable }
  },
})

export const removeMyIdentity = operation({
  name: 'removeMyIdentity',
  method: 'DELETE',
  path: '/v1/account/identities/{id}',
  needs: oneself(),
  writes: true,
  title: 'Remove your account at a sign-in provider',
  description: 'Sessions that it began end at once.',
  input: z.strictObject({ id: z.string().min(1).max(100) }),
  output: nothing,
  annotations: { destructive: true, idempotent: true },
  run: async ({ tx, caller }, { id }) => {
    const time = await tx.now
    const [removed] = await tx.read<{ provider_id: string }>(remove(tx.organizationId, caller.userId, id))
    if (!removed) throw notFound()
    tx.writeAsGate(endSessions(tx.organizationId, removed.provider_id, caller.accountId))
    audit(tx, caller, {
      time,
      action: 'identity.remove',
      subject: { type: 'user', id: caller.userId, title: caller.credential.name },
      changes: { identity: { from: id, to: null } },
    })
    return null
  },
})

const mine = statement(`
  select i.id, json_build_object('id', p.id, 'name', p.name) as provider, i.email, i.created_at as "createdAt",
         i.last_used_at as "lastUsedAt"
    from sign_in_identities i
    join sign_in_providers p on p.organization_id = i.organization_id and p.id = i.provider_id
   where i.organization_id = $1 and i.user_id = $2
   order by i.created_at, i.id`)

const others = statement(`
  select p.id, p.name from sign_in_providers p
   where p.organization_id = $1 and p.enabled and not exists (
     select from sign_in_identities i
      where i.organization_id = p.organization_id and i.provider_id = p.id and i.user_id = $2)
   order by p.name ${NATURALLY}, p.id`)

const remove = statement(`
  delete from sign_in_identities where organization_id = $1 and user_id = $2 and id = $3 returning provider_id`)

const endSessions = statement(
  'delete from sessions where organization_id = $1 and provider_id = $2 and user_id = $3',
)
