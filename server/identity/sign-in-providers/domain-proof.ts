import { statement } from '../../database/connect.ts'
import { takeTurn } from '../../database/turns.ts'
import { type AuditEvent, audit, entryOfService, insertEntry } from '../../journal/audit.ts'
import type { OwnContext } from '../../operation.ts'
import { NotFetched } from '../../outbound/outbound.ts'
import { invalid, notFound, Refusal } from '../../refusal.ts'
import { lockProvider, readProvider, recordOf, type SignInProvider } from './provider-record.ts'

/**
 * Who has a domain is who can write into its DNS, now. So a domain that another organization verified once is
 * taken over by whoever proves it today, if what that one had written is gone; as long as both stand there, the
 * first one keeps it. From one provider of an organization to another of its own it moves as it is told.
 *
 * @throws {Refusal} `validation_failed` where the record is not there; `conflict` where another provider has
 *   the domain and still can prove it
 */
export async function verifyDomain(
  { parts, transaction }: OwnContext,
  { id, domain }: { id: string; domain: string },
): Promise<SignInProvider> {
  const { publicUrl } = parts.config
  const read = await transaction(({ tx }) => readProvider(tx, id, publicUrl))
  const wanted = read.domains.find((one) => one.domain === domain)?.record
  if (!wanted) throw invalid({ path: 'domain', message: 'not a domain of this provider: add it first' })
  const texts = await textsOf(parts.outbound.textsOf, wanted.name)
  if (!texts.includes(wanted.value))
    throw invalid({
      path: 'domain',
      message: `no TXT record ${wanted.name} with ${wanted.value} was found: add it, and try again when the DNS shows it`,
    })
  return transaction(async ({ tx, caller }) => {
    const { before, time } = await lockProvider(tx, id, publicUrl)
    const now = before.domains.find((one) => one.domain === domain)
    if (now?.record.value !== wanted.value) throw notFound()
    if (now.verifiedAt !== null) return before
    // Those who prove one domain at the same moment take turns.
    void tx.read(takeTurn(`sign-in domain ${domain}`))
    const [holder] = await tx.readAsGate<Holder>(findHolder(domain))
    if (holder) {
      const isOurs = holder.organizationId === tx.organizationId
      if (!isOurs && texts.includes(recordOf(domain, holder.token).value)) throw taken(domain)
      const lost = await tx.readAsGate(lose(holder.organizationId, holder.providerId, domain))
      if (lost.length > 0) noteLoss(holder)
    }
    tx.write(verify(tx.organizationId, id, domain, time))
    audit(tx, caller, {
      time,
      action: 'sign_in_provider.verify_domain',
      subject: { type: 'sign_in_provider', id, title: before.name },
      changes: { [domain]: { from: null, to: 'verified' } },
    })
    return readProvider(tx, id, publicUrl)

    /** It is told to the organization that lost the domain, in its own audit log, and not who has it now. */
    function noteLoss({ organizationId, providerId }: Holder): void {
      const event: AuditEvent = {
        time,
        action: 'sign_in_provider.lose_domain',
        subject: { type: 'sign_in_provider', id: providerId },
        changes: { [domain]: { from: 'verified', to: null } },
      }
      tx.writeAsGate(insertEntry(...entryOfService(organizationId, PROOF, event)))
    }
  })
}

async function textsOf(ask: (name: string) => Promise<string[]>, name: string): Promise<string[]> {
  return ask(name).catch((error) => {
    if (!(error instanceof NotFetched)) throw error
    throw invalid({ path: 'domain', message: 'its name servers do not answer just now: try again' })
  })
}

const taken = (domain: string) =>
  new Refusal(
    'conflict',
    `Another sign-in provider has ${domain}, and its TXT record still stands: remove that record, then try again.`,
  )

interface Holder {
  readonly organizationId: string
  readonly providerId: string
  readonly token: string
}

const PROOF = { id: 'sign_in_domains', displayName: 'Domain verification' }

const findHolder = statement(`
  select organization_id as "organizationId", provider_id as "providerId", token
    from sign_in_domains where domain = $1 and verified_at is not null`)

const lose = statement(`
  update sign_in_domains set verified_at = null
   where organization_id = $1 and provider_id = $2 and domain = $3
  returning domain`)

const verify = statement(`
  update sign_in_domains set verified_at = $4 where organization_id = $1 and provider_id = $2 and domain = $3`)
