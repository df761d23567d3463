import { z } from 'zod'
import { CALLBACK_PATH } from '../../../model/callback-path.ts'
import { statement } from '../../database/connect.ts'
import { lockAndRead, lockedRow } from '../../database/locked-row.ts'
import { NATURALLY } from '../../database/natural-order.ts'
import type { Transaction } from '../../database/transaction.ts'
import { timestamp } from '../../output.ts'
import { notFound } from '../../refusal.ts'

const signInDomain = z
  .object({
    domain: z.string(),
    verifiedAt: timestamp.nullable(),
    record: z
      .object({ name: z.string(), type: z.literal('TXT'), value: z.string() })
      .describe('What the DNS of the domain has to hold before it can be verified'),
  })
  .meta({ id: 'SignInDomain', title: 'Domain of a sign-in provider' })

/** A sign-in provider as admins see it: everything but the client's secret. */
export const signInProvider = z
  .object({
    id: z.string(),
    name: z.string(),
    issuer: z.string(),
    clientId: z.string(),
    redirectUri: z.string().describe('What the client at the provider has to allow'),
    enabled: z.boolean(),
    domains: z.array(signInDomain),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'SignInProvider', title: 'Sign-in provider' })

export type SignInProvider = z.input<typeof signInProvider>

export const recordOf = (domain: string, token: string) =>
  ({ name: `_plumbline.${domain}`, type: 'TXT', value: `plumbline-domain=${token}` }) as const

/** The domain of an e-mail, as it is kept and compared. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

export async function listProviders(tx: Transaction, publicUrl: string): Promise<SignInProvider[]> {
  const rows = await tx.read<ProviderRow>(selectAll(tx.organizationId))
  return rows.map((row) => providerOf(row, publicUrl))
}

/**
 * The provider, locked until the transaction ends, and the moment of what is written to it.
 * @throws {Refusal} `not_found`
 */
export async function lockProvider(
  tx: Transaction,
  id: string,
  publicUrl: string,
): Promise<{ before: SignInProvider; time: string }> {
  const rows = await lockAndRead(tx, lock(tx.organizationId, id), select(tx.organizationId, id))
  const { before, time } = lockedRow<ProviderRow>(rows)
  return { before: providerOf(before, publicUrl), time }
}

/** @throws {Refusal} `not_found` */
export async function readProvider(tx: Transaction, id: string, publicUrl: string): Promise<SignInProvider> {
  const [row] = await tx.read<ProviderRow>(select(tx.organizationId, id))
  if (!row) throw notFound()
  return providerOf(row, publicUrl)
}

interface ProviderRow extends Omit<SignInProvider, 'redirectUri' | 'domains'> {
  domains: { domain: string; token: string; verifiedAt: string | null }[]
}

function providerOf({ domains, ...row }: ProviderRow, publicUrl: string): SignInProvider {
  return {
    ...row,
    redirectUri: publicUrl + CALLBACK_PATH,
    domains: domains.map(({ domain, token, verifiedAt }) => ({
      domain,
      verifiedAt: verifiedAt && new Date(verifiedAt).toISOString(),
      record: recordOf(domain, token),
    })),
  }
}

const COLUMNS = `
  p.id, p.name, p.issuer, p.client_id as "clientId", p.enabled, p.created_at as "createdAt",
  p.updated_at as "updatedAt",
  (select coalesce(json_agg(json_build_object('domain', d.domain, 'token', d.token, 'verifiedAt', d.verified_at)
                            order by d.domain), '[]')
     from sign_in_domains d
    where d.organization_id = p.organization_id and d.provider_id = p.id) as domains`

const selectAll = statement(`
  select ${COLUMNS} from sign_in_providers p where p.organization_id = $1 order by p.name ${NATURALLY}, p.id`)

const select = statement(
  `select ${COLUMNS} from sign_in_providers p where p.organization_id = $1 and p.id = $2`,
)

const lock = statement(`
  select greatest(clock_now(), updated_at + interval '1 millisecond') as write_time
    from sign_in_providers where organization_id = $1 and id = $2 for no key update`)
