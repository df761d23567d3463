import { isTerminal } from '../../model/roles.ts'
import { serviceCaller } from '../caller/service.ts'
import { CLOCK } from '../clock/clock.ts'
import { statement } from '../database/connect.ts'
import { transaction } from '../database/transaction.ts'
import type { Parts } from '../operation.ts'
import { endAcceptance, lockBoth, riskAcceptance } from './risk-acceptance-acts.ts'

interface Due {
  readonly organizationId: string
  readonly id: string
  readonly expiresAt: string
}

const AT_ONCE = 200

/**
 * Ends what was accepted until now, and what nobody decided in time: each in a transaction of its own, by the service.
 * Several processes may be at it: whoever has the lock first ends it, and the others find that done. One that cannot be
 * ended keeps no other, and is tried again by the next run.
 */
export async function expireRiskAcceptances(parts: Parts): Promise<void> {
  let last: Due | undefined
  do {
    const { rows }: { rows: Due[] } = await parts.database.engine.query(
      findDue(last?.expiresAt ?? '-infinity', last?.id ?? '', AT_ONCE),
    )
    for (const one of rows)
      await expire(parts, one).catch((err) =>
        parts.log.warn({ err, id: one.id }, 'a risk acceptance could not be ended at its time'),
      )
    last = rows.length === AT_ONCE ? rows.at(-1) : undefined
  } while (last)
}

const findDue = statement(`
  select organization_id as "organizationId", id, expires_at as "expiresAt" from risk_acceptances
   where status not in ('rejected', 'revoked', 'expired') and expires_at <= clock_now()
     and (expires_at, id) > ($1::timestamptz, $2::text)
   order by expires_at, id limit $3`)

const expire = (parts: Parts, { organizationId, id }: Due): Promise<void> =>
  transaction(parts.database.tenant, organizationId, async (tx) => {
    const context = { tx, caller: serviceCaller(organizationId, CLOCK), parts }
    const both = await lockBoth(context, id)
    if (!isTerminal(riskAcceptance, both.acceptance))
      await endAcceptance(context, both, () => ({ status: 'expired' }))
  })
