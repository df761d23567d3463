/**
 * What a credential may be allowed to do, in the words of the key form, and what a
 * role allows a person.
 */
export const FORM_SCOPES = {
  'read:frameworks': 'Read compliance frameworks and their controls',
  'read:policies': 'Read policies and policy logs',
  'read:controls': 'Read controls, statuses, ownership',
  'read:risks': 'Read the risk register',
  'read:evidence': 'Read evidence items and mappings',
  'read:organization': 'Read basic organization details',
  'read:users': 'Read user identities in the organization',
  'read:vendors': 'Read vendor inventory',
  'read:assets': 'Read asset inventory',
  'read:personnel': 'Read personnel directory entries',
  'read:datamaps': 'Read the privacy data map (systems, datasets, processing activities)',
  'read:internal-audits': 'Read internal audits, tested controls, findings',
  'write:policies': 'Create, draft, update policies (auditable)',
  'write:controls': 'Update control status and ownership (auditable)',
  'write:compliance': 'Create compliance plans and suggested tasks',
  'write:risks': 'Create, update, link risks and security findings',
  'write:evidence': 'Create, update, link evidence (no file uploads)',
  'write:assets': 'Create, update, delete assets',
  'write:vendors': 'Create, update, delete vendors',
  'write:personnel': 'Create, update, delete personnel directory entries',
  'write:datamaps': 'Push privacy manifests from CI (auditable)',
  'write:ai-inventory': 'Push AI system inventory manifests from CI (auditable)',
  'write:internal-audits': 'Create and manage internal audits and findings (auditable)',
} as const

/** Not in the key form: granted from the webhook settings and the command line. */
export const WEBHOOK_SCOPES = {
  'read:webhooks': 'Read webhook endpoints and the delivery log, and so what the signals of every kind carry',
  'write:webhooks':
    'Manage webhook endpoints and redeliver, and so send what the signals of every kind carry to any public address',
} as const

export const SCOPES = { ...FORM_SCOPES, ...WEBHOOK_SCOPES }

export type Scope = keyof typeof SCOPES
export type Role = 'admin' | 'editor' | 'viewer'
export type Capability = 'settings.manage'

const form = Object.keys(FORM_SCOPES) as Scope[]
const all = Object.keys(SCOPES) as Scope[]

/** What each role may hold, in a session as much as through a key or token of that person. */
export const ROLE_SCOPES: Record<Role, ReadonlySet<Scope>> = {
  viewer: new Set(form.filter((scope) => scope.startsWith('read:'))),
  editor: new Set(form),
  admin: new Set(all),
}

export const ROLE_CAPABILITIES: Record<Role, ReadonlySet<Capability>> = {
  viewer: new Set(),
  editor: new Set(),
  admin: new Set(['settings.manage']),
}
