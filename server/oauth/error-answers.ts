import type { IncomingMessage } from 'node:http'
import type { ErrorOut, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import type { CurrentSession } from './current-session.ts'
import { ERROR_PAGE_POLICY, errorPage } from './error-page.ts'
import { redirectHostOf } from './redirect-host.ts'

/**
 * Where the error of an authorization request goes.
 *
 * The protocol sends it back to the client. But anybody may register a client, with any address: a link to us that
 * is sure to fail would take whoever follows it to a page of a stranger (an open redirector, RFC 9700 4.11.2). So
 * an error goes to the client only where that is no surprise: the person has a live app of this client at this
 * address, or has just said no on the page that names the address, or an operator made the client and vouches for
 * it. Everybody else sees a page of ours, which leads nowhere.
 */
export function keepErrorsHere(provider: Provider, parts: Parts, currentSession: CurrentSession): void {
  const failed = new WeakMap<object, ErrorOut>()
  provider.on('authorization.error', (ctx, { message: error }) => failed.set(ctx, { error }))
  provider.use(async (ctx, next) => {
    await next()
    const out = failed.get(ctx)
    if (out && !(await mayHear(parts, currentSession, ctx as KoaContextWithOIDC, out))) showError(ctx, out)
  })
}

/** A page of ours, in place of whatever was going to be answered. */
export function showError(
  ctx: Pick<KoaContextWithOIDC, 'status' | 'type' | 'body' | 'path' | 'response' | 'remove' | 'set'>,
  { error }: ErrorOut,
): void {
  if (ctx.status < 400) ctx.status = 400
  ctx.remove('location')
  ctx.set('content-security-policy', ERROR_PAGE_POLICY)
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = errorPage(ctx.path, error, ctx.response.get('request-id'))
}

async function mayHear(
  parts: Parts,
  currentSession: CurrentSession,
  ctx: KoaContextWithOIDC,
  { error }: ErrorOut,
): Promise<boolean> {
  const { client, params, route } = ctx.oidc
  if (!client) return false
  // Said by the person: see `deny` in consent.ts.
  if (route === 'resume' && error === 'access_denied') return true
  const session = await currentSession(ctx.req as IncomingMessage)
  const host = redirectHostOf(String(params?.redirect_uri))
  // A session that a provider vouched for says nothing of the person's other organizations.
  const only = session?.providerId ? session.organizationId : null
  const { rows } = await parts.database.gate.query(
    trusted(client.clientId, session?.accountId ?? null, only, host),
  )
  return rows.length > 0
}

/** $1 the client, $2 the account, $3 the only organization that counts, if not all do, $4 where the answer goes. */
const trusted = statement(`
  select from oauth_clients where id = $1 and registration = 'preregistered'
  union all
  select from connected_apps a
    join members m on m.organization_id = a.organization_id and m.user_id = a.user_id
   where a.client_id = $1 and m.account_id = $2 and ($3::text is null or m.organization_id = $3)
     and m.status = 'active'
     and a.redirect_host = $4 and a.revoked_at is null and a.expires_at > clock_now()`)
