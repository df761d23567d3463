/**
 * Every column whose values are sealed with the master key. The keyring seals for these and nothing else, so
 * what is not listed cannot be written, and what is listed moves to a new key with `keyring reseal`.
 */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** What a value belongs to besides its column, as the columns of its row: moved elsewhere it does not open. */
  readonly ids: readonly string[]
  /** The first part of what a value belongs to. */
  readonly boundAs: string
  /** Who may read and replace the column in every organization. */
  readonly role: 'plumbline_gate' | 'plumbline_engine'
  /** In reports. */
  readonly title: string
}

const columns = {
  endpointSecret: {
    table: 'webhook_endpoints',
    column: 'secret_cipher',
    ids: ['organization_id', 'id'],
    boundAs: 'webhook endpoint',
    role: 'plumbline_engine',
    title: 'Secrets of webhook endpoints',
  },
  providerClientSecret: {
    table: 'sign_in_providers',
    column: 'client_secret_cipher',
    ids: ['organization_id', 'id'],
    boundAs: 'sign-in provider',
    role: 'plumbline_gate',
    title: 'Client secrets of sign-in providers',
  },
  totpSecret: {
    table: 'totp_secrets',
    column: 'sealed_secret',
    ids: ['user_id', 'id'],
    boundAs: 'totp',
    role: 'plumbline_gate',
    title: 'Secrets of authenticator apps',
  },
  oauthClientSecret: {
    table: 'oauth_clients',
    column: 'secret_sealed',
    ids: ['id'],
    boundAs: 'oauth_client',
    role: 'plumbline_gate',
    title: 'Secrets of OAuth clients',
  },
  auditSigningKey: {
    table: 'audit_signing_keys',
    column: 'private_key_sealed',
    ids: ['id'],
    boundAs: 'audit signing key',
    role: 'plumbline_engine',
    title: 'Keys that sign the audit log',
  },
  jobInput: {
    table: 'jobs',
    column: 'sealed_input',
    ids: ['id'],
    boundAs: 'job',
    role: 'plumbline_engine',
    title: 'Inputs of jobs that are under way, such as mails',
  },
} as const satisfies Record<string, SealedColumn>

export type SealedColumnName = keyof typeof columns
export const SEALED: Readonly<Record<SealedColumnName, SealedColumn>> = columns
