import { randomBytes } from 'node:crypto'
import { statement } from '../../database/connect.ts'
import { newId } from '../../database/ids.ts'
import type { Transaction } from '../../database/transaction.ts'
import { takeTurn } from '../../database/turns.ts'
import { refuseMoved } from '../../input.ts'
import { audit, movedBetween } from '../../journal/audit.ts'
import type { OwnContext, TransactionContext } from '../../operation.ts'
import { invalid, Refusal } from '../../refusal.ts'
import { discover, troubleWith } from './metadata.ts'
import { lockProvider, readProvider, type SignInProvider } from './provider-record.ts'

/*
 * The life of a sign-in provider. It is asked for its configuration before any transaction begins: it may
 * take seconds to answer.
 */

const PROVIDERS_AT_MOST = 10

interface NewProvider {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly domains?: string[] | undefined
}

/** @throws {Refusal} `validation_failed` for the issuer, `conflict` for one too many */
export async function createProvider(context: OwnContext, input: NewProvider): Promise<SignInProvider> {
  const issuer = await issuerAt(context, input.issuer)
  return context.transaction(async ({ tx, caller, parts }) => {
    // Those who create at the same time queue here, so that the count holds until the row stands.
    void tx.read(takeTurn(`sign-in providers of ${tx.organizationId}`))
    const [[counted], time] = await Promise.all([tx.read(count(tx.organizationId)), tx.now])
    if ((counted?.count as number) >= PROVIDERS_AT_MOST)
      throw new Refusal(
        'conflict',
        `An organization has at most ${PROVIDERS_AT_MOST} sign-in providers: delete one first.`,
      )
    const id = newId('sip')
    const { name, clientId, clientSecret, domains = [] } = input
    const cipher = parts.keyring.seal(Buffer.from(clientSecret), 'providerClientSecret', [
      tx.organizationId,
      id,
    ])
    tx.write(insert(tx.organizationId, id, name, issuer, clientId, cipher, time))
    writeDomains(tx, id, domains, time)
    audit(tx, caller, {
      time,
      action: 'sign_in_provider.create',
      subject: { type: 'sign_in_provider', id, title: name },
      changes: movedBetween(AUDITED, {}, { name, issuer, clientId, enabled: true, domains: sorted(domains) }),
    })
    return readProvider(tx, id, parts.config.publicUrl)
  })
}

interface ChangedProvider {
  readonly id: string
  readonly name?: string | undefined
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  readonly enabled?: boolean | undefined
  readonly domains?: string[] | undefined
  readonly [setByService: string]: unknown
}

/** @throws {Refusal} `not_found`; `validation_failed` for what only the service sets */
export async function updateProvider(
  { tx, caller, parts }: TransactionContext,
  { id, ...input }: ChangedProvider,
): Promise<SignInProvider> {
  const { publicUrl } = parts.config
  const { before, time } = await lockProvider(tx, id, publicUrl)
  refuseMoved(['issuer', 'redirectUri', 'createdAt', 'updatedAt'], before, input)
  const { name = before.name, clientId = before.clientId, enabled = before.enabled, clientSecret } = input
  const kept = before.domains.map(({ domain }) => domain)
  const domains = sorted(input.domains ?? kept)
  const changes = movedBetween(
    AUDITED,
    { ...before, domains: sorted(kept) },
    { ...before, name, clientId, enabled, domains },
  )
  if (Object.keys(changes).length === 0 && clientSecret === undefined) return before
  const cipher =
    clientSecret === undefined
      ? null
      : parts.keyring.seal(Buffer.from(clientSecret), 'providerClientSecret', [tx.organizationId, id])
  tx.write(update(tx.organizationId, id, name, clientId, enabled, cipher, time))
  writeDomains(tx, id, domains, time)
  if (!enabled) tx.writeAsGate(endSessions(tx.organizationId, id))
  audit(tx, caller, {
    time,
    action: 'sign_in_provider.update',
    subject: { type: 'sign_in_provider', id, title: name },
    changes: { ...changes, ...(cipher ? { clientSecret: { from: '(secret)', to: '(secret)' } } : {}) },
  })
  return readProvider(tx, id, publicUrl)
}

/** Sessions, identities and domains go with the row, by the database's own hand. */
export async function deleteProvider(
  { tx, caller, parts }: TransactionContext,
  { id }: { id: string },
): Promise<null> {
  const { before, time } = await lockProvider(tx, id, parts.config.publicUrl)
  tx.write(remove(tx.organizationId, id))
  const { name, issuer, clientId, enabled, domains } = before
  audit(tx, caller, {
    time,
    action: 'sign_in_provider.delete',
    subject: { type: 'sign_in_provider', id, title: name },
    changes: movedBetween(
      AUDITED,
      { name, issuer, clientId, enabled, domains: sorted(domains.map(({ domain }) => domain)) },
      {},
    ),
  })
  return null
}

const AUDITED = ['name', 'issuer', 'clientId', 'enabled', 'domains']

const sorted = (domains: readonly string[]): string[] => [...new Set(domains)].sort()

/** The issuer as the provider at that address writes it. */
async function issuerAt({ parts }: OwnContext, given: string): Promise<string> {
  try {
    return (await discover(parts, given)).issuer
  } catch (error) {
    const trouble = troubleWith(error)
    if (trouble === null) throw error
    throw invalid({ path: 'issuer', message: `the provider ${trouble}` })
  }
}

/** Those named and no others; one that stays keeps its token and its verification. */
function writeDomains(tx: Transaction, id: string, domains: readonly string[], time: string): void {
  const wanted = sorted(domains)
  const tokens = wanted.map(() => randomBytes(16).toString('hex'))
  tx.write(removeDomains(tx.organizationId, id, wanted))
  tx.write(insertDomains(tx.organizationId, id, wanted, tokens, time))
}

const count = statement('select count(*)::int as count from sign_in_providers where organization_id = $1')

const insert = statement(`
  insert into sign_in_providers (organization_id, id, name, issuer, client_id, client_secret_cipher, created_at,
    updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $7)`)

const update = statement(`
  update sign_in_providers
     set name = $3, client_id = $4, enabled = $5, client_secret_cipher = coalesce($6, client_secret_cipher),
         updated_at = $7
   where organization_id = $1 and id = $2`)

const remove = statement('delete from sign_in_providers where organization_id = $1 and id = $2')

const removeDomains = statement(
  'delete from sign_in_domains where organization_id = $1 and provider_id = $2 and domain <> all($3)',
)

const insertDomains = statement(`
  insert into sign_in_domains (organization_id, provider_id, domain, token, created_at)
  select $1, $2, domain, token, $5 from unnest($3::text[], $4::text[]) as wanted (domain, token)
  on conflict do nothing`)

const endSessions = statement('delete from sessions where organization_id = $1 and provider_id = $2')
