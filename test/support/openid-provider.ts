/**
 * An OpenID provider on loopback, with a key of its own: strict in what it takes, and told by a test what to say
 * of whom, or how to lie.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { Agent, request } from 'undici'
import { type Answer, type ReceivedRequest, startReceiver, testAuthority } from './receiver.ts'

export interface OpenIdProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly requests: readonly ReceivedRequest[]
  /** Who sits before the browser that comes next, and what the provider says of them. */
  claims: Claims
  /** How it errs. */
  faults: Faults
  /** How far its clock is ahead of this machine's. */
  aheadMs: number
  /** A browser is sent there: the address that it is sent on to. */
  visit(location: string): Promise<URL>
  /** A token of this provider, signed with its key. */
  sign(claims: Claims, header?: object, key?: KeyObject): string
  close(): Promise<void>
}

export type Claims = Record<string, unknown> & { sub: string }

export interface Faults {
  readonly metadata?: Record<string, unknown>
  /** Changes what the token says, or the token as a whole. */
  readonly token?: (claims: Claims) => Claims
  readonly idToken?: (claims: Claims) => string
  /** Changes what the browser carries back. */
  readonly answer?: (parameters: URLSearchParams) => void
  readonly userInfo?: Claims
  readonly instead?: (path: string) => Answer | undefined
}

export const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const key = newKey()
  const codes = new Map<string, { challenge: string; nonce: string; redirectUri: string; claims: Claims }>()
  const browser = new Agent({ connect: { ca: (await testAuthority()).certificate } })
  const [clientId, clientSecret] = ['plumbline', randomBytes(16).toString('hex')]

  const metadata = () => ({
    issuer: provider.issuer,
    authorization_endpoint: `${provider.issuer}/authorize`,
    token_endpoint: `${provider.issuer}/token`,
    jwks_uri: `${provider.issuer}/jwks`,
    userinfo_endpoint: `${provider.issuer}/userinfo`,
    id_token_signing_alg_values_supported: ['ES256'],
    authorization_response_iss_parameter_supported: true,
    ...provider.faults.metadata,
  })

  function authorize(query: URLSearchParams): Answer {
    const need = (name: string, right: boolean) => {
      if (!right) throw new Error(`the client sent no good ${name}: ${query.get(name)}`)
    }
    need('client_id', query.get('client_id') === clientId)
    need('response_type', query.get('response_type') === 'code')
    need('scope', (query.get('scope') ?? '').split(' ').includes('openid'))
    need('code_challenge_method', query.get('code_challenge_method') === 'S256')
    for (const name of ['state', 'nonce', 'code_challenge'])
      need(name, /^[\w-]{43}$/.test(query.get(name) ?? ''))
    const code = randomBytes(16).toString('hex')
    const redirectUri = query.get('redirect_uri')!
    const [challenge, nonce] = [query.get('code_challenge')!, query.get('nonce')!]
    codes.set(code, { challenge, nonce, redirectUri, claims: provider.claims })
    const answer = new URLSearchParams({ code, state: query.get('state')!, iss: provider.issuer })
    provider.faults.answer?.(answer)
    return { status: 302, headers: { location: `${redirectUri}?${answer}` } }
  }

  function token({ headers, body }: ReceivedRequest): Answer {
    const form = new URLSearchParams(body)
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const [, credentials = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
    const isClient = Buffer.from(credentials, 'base64').toString() === `${clientId}:${clientSecret}`
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!isClient) return json({ error: 'invalid_client' }, 401)
    if (!code || code.challenge !== challenge || code.redirectUri !== form.get('redirect_uri'))
      return json({ error: 'invalid_grant' }, 400)
    const now = Math.floor((Date.now() + provider.aheadMs) / 1000)
    const plain = {
      iss: provider.issuer,
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce: code.nonce,
      ...code.claims,
    }
    const claims = provider.faults.token?.(plain) ?? plain
    const idToken = provider.faults.idToken?.(claims) ?? provider.sign(claims)
    return json({ access_token: `access ${code.claims.sub}`, token_type: 'Bearer', id_token: idToken })
  }

  let closed: Promise<void> | null = null
  const { kty, crv, x, y } = publicPart(key)
  const receiver = await startReceiver({
    behaviour: (received) => {
      const [path = '', query] = received.path.split('?')
      const instead = provider.faults.instead?.(path)
      if (instead) return instead
      if (path === '/.well-known/openid-configuration') return json(metadata())
      if (path === '/authorize') return authorize(new URLSearchParams(query))
      if (path === '/token') return token(received)
      if (path === '/jwks') return json({ keys: [{ kty, crv, x, y, use: 'sig', alg: 'ES256', kid: 'one' }] })
      if (path === '/userinfo' && received.headers.authorization?.startsWith('Bearer access '))
        return json(provider.faults.userInfo ?? provider.claims)
      return { status: 404 }
    },
  })
  const provider: OpenIdProvider = {
    issuer: receiver.url,
    clientId,
    clientSecret,
    requests: receiver.requests,
    claims: { sub: 'nobody' },
    faults: {},
    aheadMs: 0,
    visit: async (location) => {
      const { statusCode, headers, body } = await request(location, { dispatcher: browser })
      await body.dump()
      if (statusCode !== 302) throw new Error(`the provider answers ${statusCode}`)
      return new URL(String(headers.location))
    },
    sign: (claims, header = {}, by = key) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const content = `${part({ alg: 'ES256', kid: 'one', ...header })}.${part(claims)}`
      const signature = sign('sha256', Buffer.from(content), { key: by, dsaEncoding: 'ieee-p1363' })
      return `${content}.${signature.toString('base64url')}`
    },
    close: () => (closed ??= Promise.all([browser.destroy(), receiver.close()]).then(() => {})),
  }
  return provider
}

const publicPart = (key: KeyObject) => key.export({ format: 'jwk' })

const json = (body: object, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
