/** A service that delivers to receivers on loopback, and what tests of deliveries do with it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'
import type { Caller } from '../../server/caller/caller.ts'
import type { AnyJobKind } from '../../server/jobs/job-kind.ts'
import { type ReceivedRequest, testAuthority } from './receiver.ts'
import { startTestService, type TestService } from './service.ts'

export interface TestEndpoint {
  readonly id: string
  readonly address: string
  readonly secret: string
  readonly enabled: boolean
  readonly disabledReason: string | null
  readonly disabledAt: string | null
  readonly consecutiveFailures: number
}

export interface TestDelivery {
  readonly id: string
  readonly endpointId: string
  readonly signalId: string | null
  readonly type: string
  readonly status: string
  readonly createdAt: string
  readonly nextAttemptAt: string | null
  readonly attemptCount: number
  readonly run: null
  /** Of rows of the list. */
  readonly subject?: { type: string; id: string; reference?: string; title?: string } | null
  readonly lastAttempt?: object | null
  readonly request: { method: string; address: string; headers: Record<string, string>; body: string }
  readonly attempts: readonly {
    readonly number: number
    readonly sentAt: string
    readonly outcome: string | null
    readonly reason: string | null
    readonly meaning: string | null
    readonly likelyCause: string | null
    readonly counted: boolean
    readonly statusCode: number | null
    readonly durationMs: number | null
    readonly headers: Record<string, string> | null
    readonly responseBody: string | null
    readonly responseBodyBase64?: string
    readonly responseTruncated: boolean
  }[]
}

export interface WebhookTest extends TestService {
  endpoint(caller: Caller, address: string, more?: object): Promise<TestEndpoint>
  readEndpoint(caller: Caller, id: string): Promise<TestEndpoint>
  /** A change that makes a signal, and thereby a delivery to each endpoint subscribed to `risk.created`. */
  risk(caller: Caller, title?: string): Promise<{ id: string }>
  /** Newest first. */
  deliveries(caller: Caller, filters?: object): Promise<TestDelivery[]>
  delivery(caller: Caller, id: string): Promise<TestDelivery>
}

export async function loopbackSettings(): Promise<{ settings: Record<string, string>; remove(): void }> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-ca-'))
  const file = join(directory, 'ca.pem')
  writeFileSync(file, (await testAuthority()).certificate)
  return {
    settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_CA_FILE: file },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** @param options.deliver false: nothing is sent but by hand, until the test starts it */
export async function startWebhookTest(
  options: { deliver?: boolean; environment?: Record<string, string>; jobKinds?: readonly AnyJobKind[] } = {},
): Promise<WebhookTest> {
  const { settings, remove } = await loopbackSettings()
  const one = await startTestService({ ...settings, ...options.environment }, [], options.jobKinds)
  if (options.deliver !== false) await one.service.webhooks.start()
  const ask = async <Body>(caller: Caller, operation: string, input: unknown): Promise<Body> =>
    (await one.call(caller, operation, input)).body as Body
  const list = async <Item>(caller: Caller, operation: string, input: unknown) =>
    (await ask<{ data: Item[] }>(caller, operation, input)).data
  return {
    ...one,
    endpoint: (caller, address, more = {}) =>
      ask(caller, 'createWebhookEndpoint', { address, signalTypes: ['risk.created'], ...more }),
    readEndpoint: async (caller, id) =>
      (await list<TestEndpoint>(caller, 'listWebhookEndpoints', {})).find((endpoint) => endpoint.id === id)!,
    risk: (caller, title = 'Unpatched gateway') => ask(caller, 'createRisk', { title }),
    deliveries: (caller, filters = {}) => list(caller, 'listWebhookDeliveries', { limit: 200, ...filters }),
    delivery: (caller, id) => ask(caller, 'getWebhookDelivery', { id }),
    close: async () => {
      await one.close()
      remove()
    },
  }
}

/** The same for one sent on a clock that was moved: its own time is taken for the receiver's. */
export function verifiedThen(secret: string, request: ReceivedRequest): Record<string, unknown> {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Number(request.headers['webhook-timestamp']) * 1_000)
  try {
    return verified(secret, request)
  } finally {
    clock.mockRestore()
  }
}

/** The body of a request whose signature holds; throws otherwise. */
export function verified(secret: string, { headers, body }: ReceivedRequest): Record<string, unknown> {
  const signed = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  )
  return new Webhook(secret).verify(body, signed) as Record<string, unknown>
}
