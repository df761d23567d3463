import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client'

/** An agent's side: it remembers, and sends its person to the browser. */
export class Agent implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:33418/callback'
  information: OAuthClientInformationMixed | undefined
  held: OAuthTokens | undefined
  sentTo: URL | undefined
  #verifier = ''
  #found: OAuthDiscoveryState | undefined
  /** Where its metadata stands; without it, it registers itself. */
  readonly clientMetadataUrl?: string
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'Agent',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }

  constructor(clientMetadataUrl?: string) {
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
