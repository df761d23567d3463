import type { Client, Provider } from 'oidc-provider'
import { z } from 'zod'
import { everyKind } from '../../model/kinds/index.ts'
import { scopeText } from '../../model/scope-texts.ts'
import { ROLE_SCOPES, type Role, type Scope } from '../../model/scopes.ts'
import { secondFactorRequired } from '../caller/identity-requirements.ts'
import type { RequestContext } from '../caller/request-context.ts'
import { callerOfSession, type Session } from '../caller/session.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { type Transaction, transaction } from '../database/transaction.ts'
import { organizationsOf } from '../identity/people.ts'
import { audit } from '../journal/audit.ts'
import type { BrowserContext, Parts, PendingConsent } from '../operation.ts'
import { SCOPE_NAMES, scopeName } from '../organization/api-key-record.ts'
import { holdMember } from '../organization/member-credentials.ts'
import { invalid, Refusal } from '../refusal.ts'
import { GRANT_DAYS } from './grant-days.ts'
import { hashOf } from './kept.ts'
import { redirectHostOf } from './redirect-host.ts'

/**
 * What a person is asked when a program wants in, and what they answer.
 *
 * The question is the library's interaction: it knows the client and what was asked for. The answer is a
 * connected app: one client, for one person, in one organization. Who agrees again to the same client changes
 * that app, and what it may do is exactly what was left ticked, for the tokens it has already as well. A client
 * that comes back for more than its app has is asking for that app: it stays in its organization, or a program
 * would find itself in another one while it works.
 */
export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

const roles = z.enum(['viewer', 'editor', 'admin'])

/** What the page shows; a client's name is its own claim, the host is where the access really goes. */
export const consentRequest = z.object({
  client: z.object({
    name: z.string(),
    uri: z.string().nullable(),
    redirectHost: z.string(),
    redirectIsLocal: z.boolean(),
    registration: z.enum(['dynamic', 'metadata', 'preregistered']),
    clientId: z.string(),
  }),
  organizationId: z.string().nullable(),
  organizations: z.array(z.object({ id: z.string(), name: z.string(), role: roles })),
  scopes: z.array(
    z.object({
      scope: scopeName,
      description: z.string(),
      requested: z.boolean(),
      alreadyGranted: z.boolean(),
      roles: z.array(roles),
    }),
  ),
})

export type ConsentRequest = z.output<typeof consentRequest>
type ClientShown = ConsentRequest['client']

/** What the page shows. */
export async function consentRequestOf(
  parts: Parts,
  { provider, interaction }: PendingConsent,
  session: Session,
): Promise<ConsentRequest> {
  const client = await clientShown(parts, provider, interaction)
  const organizations = await choicesOf(parts, session)
  const requested = requestedOf(interaction)
  const comingBack = await appComingBack(parts, session.accountId, client.clientId, requested, organizations)
  return {
    client,
    organizationId: comingBack?.organization_id ?? null,
    organizations,
    scopes: SCOPE_NAMES.map((scope) => ({
      scope,
      description: scopeText(scope, everyKind),
      requested: requested.includes(scope),
      alreadyGranted: comingBack?.scopes.includes(scope) ?? false,
      roles: ROLES.filter((role) => ROLE_SCOPES[role].has(scope)),
    })),
  }
}

/**
 * Grants what was left ticked, as far as the person's role goes, and has the library go on.
 * @returns where the browser goes next
 * @throws {Refusal} `validation_failed` for an organization that is not offered, or nothing that could be granted;
 *   `conflict` where it was answered before
 */
export async function approve(
  { parts, session, requestContext }: BrowserContext<'session'>,
  pending: PendingConsent,
  answer: { organizationId: string; scopes: readonly Scope[] },
): Promise<string> {
  const { interaction } = pending
  const { client, organizationId: fixed, organizations } = await consentRequestOf(parts, pending, session)
  const organization = organizations.find(({ id }) => id === answer.organizationId)
  if (!organization || (fixed !== null && fixed !== organization.id))
    throw invalid({ path: 'organizationId', message: 'was not offered: reload the page' })
  const { role } = organization
  const scopes = SCOPE_NAMES.filter((scope) => answer.scopes.includes(scope) && ROLE_SCOPES[role].has(scope))
  if (scopes.length === 0)
    throw invalid({ path: 'scopes', message: `leave at least one that the role ${role} allows` })
  await takeAnswer(parts, interaction)
  const id = await keepApp(parts, session, requestContext, organization, client, scopes).catch(
    async (error) => {
      await parts.database.gate.query(untake(hashOf(interaction.jti)))
      throw error
    },
  )
  interaction.params.scope = [...scopes, ...(isForLong(interaction) ? ['offline_access'] : [])].join(' ')
  const authenticatedAt = Math.floor(Date.parse(session.authenticatedAt) / 1000)
  interaction.result = {
    login: { accountId: session.accountId, ts: authenticatedAt, remember: false },
    consent: { grantId: id },
  }
  await interaction.persist()
  return interaction.returnTo
}

/**
 * Has the library tell the client that the person said no.
 * @throws {Refusal} `conflict` where it was answered before
 */
export async function deny(parts: Parts, { interaction }: PendingConsent): Promise<string> {
  await takeAnswer(parts, interaction)
  interaction.result = { error: 'access_denied', error_description: 'The person did not agree.' }
  await interaction.persist()
  return interaction.returnTo
}

/**
 * One answer to a request, however many come at one moment: a no behind a yes would leave the app let in, and a yes
 * behind a no would let in what was told no.
 */
async function takeAnswer({ database }: Parts, { jti }: Interaction): Promise<void> {
  const { rows } = await database.gate.query(take(hashOf(jti)))
  if (rows.length === 0)
    throw new Refusal(
      'conflict',
      'This was answered before: go back to the app, and connect it again to answer anew.',
    )
}

const take = statement(`
  update oauth_states set payload = jsonb_set(payload, '{isAnswered}', 'true')
   where key_hash = $1 and kind = 'Interaction' and not payload ? 'isAnswered' and not payload ? 'result'
  returning kind`)

const untake = statement(`
  update oauth_states set payload = payload - 'isAnswered' where key_hash = $1 and kind = 'Interaction'`)

const ROLES: readonly Role[] = ['viewer', 'editor', 'admin']

async function clientShown(parts: Parts, provider: Provider, { params }: Interaction): Promise<ClientShown> {
  const clientId = String(params.client_id)
  const client: Client | undefined = await provider.Client.find(clientId)
  if (!client)
    throw new Refusal('not_found', 'The app is not known here any more: connect it again from the app.')
  const { rows } = await parts.database.gate.query(registrationOf(clientId))
  const registration: ClientShown['registration'] = rows[0]?.registration ?? 'metadata'
  const redirect = new URL(String(params.redirect_uri))
  const isWeb = redirect.protocol === 'https:'
  const fallback = registration === 'metadata' ? new URL(clientId).host : 'An app without a name'
  return {
    name: plain(client.clientName ?? '') || fallback,
    uri: client.clientUri?.startsWith('https://') ? client.clientUri : null,
    redirectHost: redirectHostOf(redirect.href)!,
    redirectIsLocal: !isWeb,
    registration,
    clientId,
  }
}

/** Without what would hide or turn round its neighbours on the page. */
const plain = (name: string): string =>
  name
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, 100)

/**
 * A session that an organization's own sign-in vouched for reaches no other organization; and into one that asks
 * for a second factor, nobody lets a program who has none.
 * @throws {Refusal} `second_factor_required` where none is left
 */
async function choicesOf(parts: Parts, session: Session): Promise<ConsentRequest['organizations']> {
  const all = await organizationsOf(parts, session.accountId)
  const open = all.filter(({ id, lacksSecondFactor }) =>
    session.providerId === null ? !lacksSecondFactor : id === session.organizationId,
  )
  if (open.length === 0 && all.length > 0) throw secondFactorRequired()
  return open.map(({ id, name, role }) => ({ id, name, role }))
}

const wordsOf = ({ params }: Interaction): string[] => String(params.scope ?? '').split(' ')

const requestedOf = (interaction: Interaction): Scope[] => {
  const words = wordsOf(interaction)
  return SCOPE_NAMES.filter((scope) => words.includes(scope))
}

const isForLong = (interaction: Interaction): boolean => wordsOf(interaction).includes('offline_access')

interface LiveApp {
  id: string
  organization_id: string
  scopes: Scope[]
}

/** The one app of this client that lacks something of what is asked for now. Of several, none is meant. */
async function appComingBack(
  parts: Parts,
  accountId: string,
  clientId: string,
  requested: readonly Scope[],
  organizations: ConsentRequest['organizations'],
): Promise<LiveApp | null> {
  const { rows } = await parts.database.gate.query<LiveApp>(liveApps(accountId, clientId))
  const lacking = rows.filter(
    (app) =>
      organizations.some(({ id }) => id === app.organization_id) &&
      requested.some((scope) => !app.scopes.includes(scope)),
  )
  return lacking.length === 1 ? lacking[0]! : null
}

/** Writes the app with its audit entry; @returns its id. */
async function keepApp(
  parts: Parts,
  session: Session,
  requestContext: RequestContext,
  { id: organizationId, role }: { id: string; role: Role },
  client: ClientShown,
  scopes: readonly Scope[],
): Promise<string> {
  const { clientId, name, uri, redirectHost, registration } = client
  return transaction(parts.database.tenant, organizationId, async (tx) => {
    const userId = await memberOf(tx, session.accountId)
    const caller = callerOfSession({ ...session, userId, organizationId, role }, requestContext)
    await holdMember(tx, caller)
    const [before] = await tx.read<LiveApp>(lockApp(organizationId, userId, clientId))
    const [app] = await tx.read<{ id: string; now: string }>(
      keep(organizationId, newId('app'), userId, clientId, name, uri, redirectHost, registration, scopes),
    )
    const { id, now: time } = app!
    tx.write(keepUsage(organizationId, id))
    tx.writeAsGate(noteAuthorized(clientId))
    audit(tx, caller, {
      time,
      action: 'connected_app.approve',
      subject: { type: 'connected_app', id, title: name },
      changes: {
        clientId: { from: before ? clientId : null, to: clientId },
        redirectHost: { from: null, to: redirectHost },
        scopes: { from: before?.scopes ?? null, to: scopes },
      },
    })
    return id
  })
}

/** What the organization that was chosen calls the person; it need not be that of their session. */
async function memberOf(tx: Transaction, accountId: string): Promise<string> {
  const [member] = await tx.read<{ user_id: string }>(findMember(tx.organizationId, accountId))
  return member?.user_id ?? ''
}

const findMember = statement('select user_id from members where organization_id = $1 and account_id = $2')

const registrationOf = statement('select registration from oauth_clients where id = $1')

const liveApps = statement(`
  select a.id, a.organization_id, a.scopes
    from connected_apps a
    join members m on m.organization_id = a.organization_id and m.user_id = a.user_id
   where m.account_id = $1 and a.client_id = $2 and a.revoked_at is null and a.expires_at > clock_now()`)

const lockApp = statement(`
  select id, organization_id, scopes from connected_apps
   where organization_id = $1 and user_id = $2 and client_id = $3 and revoked_at is null for update`)

const keep = statement(`
  insert into connected_apps as a (organization_id, id, user_id, client_id, client_name, client_uri, redirect_host,
    registration, scopes, created_at, approved_at, expires_at)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, now, now, now + interval '${GRANT_DAYS} days'
    from (select clock_now() as now) now
  on conflict (organization_id, user_id, client_id) where revoked_at is null do update
     set client_name = excluded.client_name, client_uri = excluded.client_uri,
         redirect_host = excluded.redirect_host, registration = excluded.registration, scopes = excluded.scopes,
         approved_at = excluded.approved_at, expires_at = excluded.expires_at
  returning id, approved_at as now`)

const keepUsage = statement(
  'insert into connected_app_usage (organization_id, app_id) values ($1, $2) on conflict do nothing',
)

const noteAuthorized = statement('update oauth_clients set last_authorized_at = clock_now() where id = $1')
