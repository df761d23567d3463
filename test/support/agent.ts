import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client'

/** An agent's side of OAuth, for the protocol's own client: it remembers, and sends its person to the browser. */
export class Agent implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly clientMetadata: OAuthClientMetadata
  /** Where its metadata document is, for one that registers by it. */
  readonly clientMetadataUrl?: string
  information: OAuthClientInformationMixed | undefined
  held: OAuthTokens | undefined
  /** Where its person was sent last. */
  sentTo: URL | undefined
  #verifier = ''
  #found: OAuthDiscoveryState | undefined

  constructor(clientMetadataUrl?: string, redirectUrl = 'http://127.0.0.1:33418/callback') {
    this.redirectUrl = redirectUrl
    this.clientMetadata = {
      client_name: 'Agent',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
    if (clientMetadataUrl) this.clientMetadataUrl = clientMetadataUrl
  }

  state = () => 'a-state'
  clientInformation = () => this.information
  saveClientInformation = (information: OAuthClientInformationMixed) => {
    this.information = information
  }
  tokens = () => this.held
  saveTokens = (tokens: OAuthTokens) => {
    this.held = tokens
  }
  /** What the authorization server does not take any more is forgotten, and the person is asked anew. */
  invalidateCredentials = (what: string) => {
    if (what === 'all' || what === 'tokens') this.held = undefined
    if (what === 'all' || what === 'client') this.information = undefined
  }
  redirectToAuthorization = (url: URL) => {
    this.sentTo = url
  }
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
  discoveryState = () => this.#found
  saveDiscoveryState = (found: OAuthDiscoveryState) => {
    this.#found = found
  }
}

/** Where a browser comes back to an agent on the same machine. */
export interface Callback {
  readonly url: string
  /** The answer that came last. */
  answered(): URLSearchParams | undefined
  close(): void
}

export async function listenForCallback(): Promise<Callback> {
  let last: URLSearchParams | undefined
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/callback') last = url.searchParams
    response.setHeader('content-type', 'text/html').end('<h1>Back at the agent</h1>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    answered: () => last,
    close: () => server.close(),
  }
}
