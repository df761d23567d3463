import { randomUUID } from 'node:crypto'
import { claimDue, take } from '../../server/webhooks/dispatcher/claim.ts'
import type { Result } from '../../server/webhooks/dispatcher/flush.ts'
import { judge } from '../../server/webhooks/dispatcher/schedule.ts'
import type { Outcome } from '../../server/webhooks/outcomes.ts'
import { fillDeliveries } from './backlog.ts'
import type { TestService } from './service.ts'

/** Makes and claims so many deliveries; each becomes a result when its outcome is said. */
export async function resultsOf(
  one: TestService,
  organizationId: string,
  endpointId: string,
  count: number,
  epoch = 1,
): Promise<((outcome: Outcome) => Result)[]> {
  const claimId = randomUUID()
  // Together, so that no engine that runs gets at them between.
  await one.administrator.query('begin')
  await fillDeliveries(one, organizationId, endpointId, count, epoch)
  const { items } = await take(
    one.administrator,
    claimDue([endpointId], [count], claimId, 60_000, false),
    claimId,
  )
  await one.administrator.query('commit')
  return items.map((claim) => (outcome) => ({
    claim,
    number: claim.number,
    outcome,
    reason: null,
    verdict: judge(outcome, claim, one.service.config.webhookRetryDelays),
    sentAt: new Date().toISOString(),
    headers: {},
    statusCode: outcome === 'success' ? 200 : 500,
    durationMs: 1,
    responseBody: null,
    responseTruncated: false,
    endedAt: performance.now(),
  }))
}
