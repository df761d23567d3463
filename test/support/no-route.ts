/**
 * Lets each outbound caller of the service try addresses that cannot be reached, in the network namespace that
 * no-route.long.ts makes, and writes what became of each.
 */
import { once } from 'node:events'
import { pino } from 'pino'
import { scan } from '../../server/files/clamd.ts'
import { openFileStore } from '../../server/files/open-store.ts'
import { discover } from '../../server/identity/sign-in-providers/metadata.ts'
import { openMail } from '../../server/mail/mail.ts'
import type { Parts } from '../../server/operation.ts'
import { openGuardedFetch } from '../../server/outbound/guarded-fetch.ts'
import { parseNetwork } from '../../server/outbound/network.ts'
import { isolatedFaults, isolateFaults } from '../../server/unit-of-work.ts'
import { openStage } from './crash.ts'
import { until } from './until.ts'

/** As the hosts file of the namespace has them. */
const NAMES: Record<string, string> = {
  'IPv6 only': 'six.plumbline.example',
  'no route': 'nowhere.plumbline.example',
  vanishes: 'hole.plumbline.example',
  refused: 'refused.plumbline.example',
  'many without a route': 'many.plumbline.example',
}
const ALLOWED = ['127.0.0.0/8', '198.51.100.0/24']
/** Where nothing listens. */
const PORT = 1

const log = pino({ level: 'silent' })
isolateFaults(log, () => process.exit(3))

const outcomes: Record<string, Record<string, string>> = {}
const note = (caller: string, address: string, outcome: string) => {
  outcomes[caller] = { ...outcomes[caller], [address]: outcome.slice(0, 120) }
}
const attempt = async (caller: string, address: string, work: () => Promise<unknown>) =>
  note(
    caller,
    address,
    await work().then(
      (value) => `answered ${JSON.stringify(value)}`,
      (error: Error) => `failed: ${error.message}`,
    ),
  )

const guarded = openGuardedFetch({ allowedNetworks: ALLOWED.map(parseNetwork) })
const parts = { outbound: { fetch: guarded.fetch } } as unknown as Parts
async function* bytes() {
  yield Buffer.alloc(1_000)
}

const within = Object.entries(NAMES).map(async ([address, name]) => {
  await Promise.all([
    attempt('sign-in provider', address, () => discover(parts, `https://${name}:${PORT}`)),
    attempt('SMTP', address, async () => {
      const sent = await openMail(`smtp://${name}:${PORT}?tls=off&from=us@plumbline.example`, log).send({
        ...{ to: 'ada@plumbline.example', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' },
      })
      if (sent !== null) throw new Error(sent)
    }),
    attempt('S3', address, () =>
      openFileStore({
        ...{
          bucket: 'files',
          prefix: '',
          endpoint: `https://${name}:${PORT}`,
          region: 'x',
          isEncrypted: false,
        },
        ...{ accessKeyId: 'x', secretAccessKey: 'x' },
      }).put('one', bytes(), 1_000),
    ),
    attempt('malware scanner', address, () => scan({ host: name, port: PORT }, bytes())),
  ])
})

const stage = await openStage({
  environment: { WEBHOOK_ALLOWED_NETWORKS: ALLOWED.join(), LOG_LEVEL: 'info' },
})
const endpoints = new Map<string, string>()
for (const [address, name] of Object.entries(NAMES)) {
  const answer = await stage.post('/v1/webhook-endpoints', {
    address: `https://${name}:${PORT}/`,
    signalTypes: ['risk.created'],
  })
  endpoints.set(((await answer.json()) as { id: string }).id, address)
}
await stage.load(1, 1)
for (const [address, name] of Object.entries(NAMES)) {
  const client = encodeURIComponent(`https://${name}:${PORT}/client.json`)
  await attempt('client metadata', address, async () => {
    const { status } = await fetch(`${stage.base}/oauth/authorize?client_id=${client}`, {
      redirect: 'manual',
    })
    if (status >= 400 && status < 500) throw new Error(String(status))
    return status
  })
}
await until(
  async () => {
    const rows = await stage.query<{ id: string; outcome: string }>(
      'select endpoint_id as id, outcome from attempts where endpoint_id = any($1)',
      [[...endpoints.keys()]],
    )
    for (const { id, outcome } of rows) note('webhook', endpoints.get(id)!, `failed: ${outcome}`)
    return new Set(rows.map(({ id }) => id)).size === endpoints.size
  },
  'an attempt at each endpoint',
  60_000,
)
await until(() => stage.receiver.requests.length >= 3, 'the endpoints that can be reached', 30_000)
await Promise.all(within)
const isReady = await fetch(`${stage.base}/readyz`).then(({ ok }) => ok)
const uncaught = stage.log.filter(({ msg }) => /no code caught/.test(msg)).length
const isolated = uncaught + Object.values(isolatedFaults()).reduce((sum, count) => sum + count, 0)
await guarded.close()
await stage.close()
process.stdout.write(`\n${JSON.stringify({ outcomes, isAlive: isReady, isolated })}`)
if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
process.exit(0)
