/** A service, organizations with providers of their own, and browsers that go from one to the other. */

import { ROLE_SCOPES } from '../../model/scopes.ts'
import type { Caller } from '../../server/caller/caller.ts'
import { newId } from '../../server/database/ids.ts'
import { createOrganization } from '../../server/organization/organizations.ts'
import type { Door, Reply } from './door.ts'
import { tokenOf } from './joining.ts'
import { type OpenIdProvider, startOpenIdProvider } from './openid-provider.ts'
import { startTestService, type TestService } from './service.ts'
import { loopbackSettings } from './webhooks.ts'

export interface ProviderTest extends TestService {
  readonly door: Door
  /** What name servers say of TXT records. */
  readonly texts: Map<string, string[]>
  /** An organization whose admin signs in with a password, with a provider of its own. */
  founded(name: string, domain: string): Promise<Founded>
  browser(): Browser
}

export interface Founded {
  readonly id: string
  readonly email: string
  readonly admin: Caller
  readonly openId: OpenIdProvider
  readonly providerId: string
  /** Puts the record of the domain into the DNS and has it verified. */
  verify(domain?: string): Promise<void>
  /** Has a member added without a password, as somebody who is invited. */
  invite(email: string): Promise<string>
  /** The token of a new link for somebody who is invited. */
  link(email: string): Promise<string>
}

export const PASSWORD = 'correct horse battery'

/** @param environment settings beside the tests' own */
export async function startProviderTest(environment: Record<string, string> = {}): Promise<ProviderTest> {
  const { settings, remove } = await loopbackSettings()
  const one = await startTestService({ ...settings, ...environment })
  const texts = new Map<string, string[]>()
  const { fetch } = one.service.outbound
  const textsOf = async (name: string) => texts.get(name) ?? []
  Object.assign(one.service, { outbound: { fetch, textsOf } })
  const door = await one.listen()
  const providers: OpenIdProvider[] = []
  let aheadMs = 0
  return {
    ...one,
    moveClock: async (milliseconds) => {
      await one.moveClock(milliseconds)
      aheadMs += milliseconds
      for (const openId of providers) openId.aheadMs = aheadMs
    },
    door,
    texts,
    browser: () => openBrowser(door),
    founded: async (name, domain) => {
      const email = `ada@${domain}`
      const { organizationId: id, ...person } = await createOrganization(one.service, {
        name,
        adminEmail: email,
        adminName: `Ada of ${name}`,
        adminPassword: PASSWORD,
      })
      const admin = asAdmin(id, person)
      const openId = await startOpenIdProvider()
      openId.aheadMs = aheadMs
      providers.push(openId)
      const { issuer, clientId, clientSecret } = openId
      const input = { name: `${name} ID`, issuer, clientId, clientSecret, domains: [domain] }
      const made = (await one.call(admin, 'createSignInProvider', input)).body as Provider
      const recordOf = async (wanted: string) => {
        const { data } = (await one.call(admin, 'listSignInProviders')).body as { data: Provider[] }
        return data[0]!.domains.find((each) => each.domain === wanted)!.record
      }
      return {
        id,
        email,
        admin,
        openId,
        providerId: made.id,
        verify: async (wanted = domain) => {
          const record = await recordOf(wanted)
          texts.set(record.name, [...(texts.get(record.name) ?? []), record.value])
          await one.call(admin, 'verifySignInDomain', { id: made.id, domain: wanted })
        },
        invite: async (invited) => {
          const { body } = await one.call(admin, 'createUser', {
            email: invited,
            name: invited,
            role: 'editor',
          })
          return (body as { id: string }).id
        },
        link: async (invited) => {
          const { data } = (await one.call(admin, 'listUsers', { q: invited })).body as {
            data: { id: string }[]
          }
          const { body } = await one.call(admin, 'createInvitation', { id: data[0]!.id })
          return tokenOf((body as { link: string }).link)
        },
      }
    },
    close: async () => {
      for (const openId of providers) await openId.close()
      await one.close()
      remove()
    },
  }
}

interface Provider {
  id: string
  domains: { domain: string; record: { name: string; value: string } }[]
}

const asAdmin = (organizationId: string, person: { userId: string; accountId: string }): Caller => ({
  organizationId,
  ...person,
  role: 'admin',
  limitedView: null,
  features: {},
  credential: { type: 'session', id: 'ses_admin', name: 'Ada' },
  granted: ROLE_SCOPES.admin,
  channel: 'cli',
  requestId: 'test',
})

/** A browser with its cookies. */
export interface Browser {
  readonly cookies: Map<string, string>
  call(name: string, input?: object): Promise<Reply>
  /** Follows an address of ours, as after a redirect from elsewhere. */
  go(address: URL | string, method?: string): Promise<Reply>
  /** Goes to a provider and comes back; the path that it is sent to in the end. */
  signIn(organization: Founded, claims: object, more?: object): Promise<string>
  state(): Promise<Reply['body']>
}

export function openBrowser(door: Door): Browser {
  const { publicUrl } = door.service.config
  const cookies = new Map<string, string>()
  const keep = (reply: Reply): Reply => {
    for (const set of [reply.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    return reply
  }
  const sent = (): Record<string, string> =>
    cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  const browser: Browser = {
    cookies,
    call: async (name, input = {}) =>
      keep(
        await door.send(null, 'POST', `/web/${name}`, {
          body: input,
          headers: { origin: publicUrl, ...sent() },
        }),
      ),
    go: async (address, method = 'GET') => {
      const url = new URL(address, publicUrl)
      if (url.origin !== publicUrl) throw new Error(`${url.origin} is not ours`)
      return keep(await door.send(null, method, url.pathname + url.search, { headers: sent() }))
    },
    signIn: async ({ providerId, openId }, claims, more = {}) => {
      const begun = await browser.call('beginProviderSignIn', { providerId, ...more })
      if (begun.status !== 200) throw new Error(`beginProviderSignIn: ${begun.text}`)
      openId.claims = claims as OpenIdProvider['claims']
      const { status, headers } = await browser.go(await openId.visit(begun.body.location))
      if (status !== 303) throw new Error(`the callback answers ${status}`)
      return pathOf(headers.location!, publicUrl)
    },
    state: async () => (await browser.call('getSession')).body,
  }
  return browser
}

function pathOf(location: string, publicUrl: string): string {
  if (!location.startsWith(`${publicUrl}/`)) throw new Error(`sent to ${location}`)
  return location.slice(publicUrl.length)
}

/** A provider that nobody asks anything: for sessions that are said to have come through one. @returns its id */
export async function addSilentProvider(one: TestService, organizationId: string): Promise<string> {
  const id = newId('sip')
  await one.administrator.query(
    `insert into sign_in_providers (organization_id, id, name, issuer, client_id, client_secret_cipher, created_at, updated_at)
     values ($1, $2, 'Silent', 'https://silent.invalid', 'x', '', clock_now(), clock_now())`,
    [organizationId, id],
  )
  return id
}
