/**
 * Promise: no address that cannot be reached ends the service, for any of its outbound callers. The service runs in a
 * network namespace of its own that has a loopback interface, one network whose packets vanish, and no default route.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('support/no-route.ts', import.meta.url))
const HOSTS = [
  ...['127.0.0.1 localhost refused.plumbline.example', '2a00:1450:4001:82a::200e six.plumbline.example'],
  ...['93.184.215.14 nowhere.plumbline.example', '198.51.100.77 hole.plumbline.example'],
  ...['93.184.215.14 many.plumbline.example', '8.8.8.8 many.plumbline.example'],
  '2a00:1450:4001:82a::200e many.plumbline.example',
]
const NAMESPACE = [
  ...['--net', '--mount', '/bin/sh', '-ec'],
  // What is sent to the neighbour reaches an interface that has another address, and is dropped there.
  `ip link set lo up; ip link add hole type veth peer name bottom; ip addr add 198.51.100.1/24 dev hole
   ip link set hole up; ip link set bottom up; ip neigh add 198.51.100.77 lladdr 02:00:00:00:00:01 dev hole
   hosts=$(mktemp); printf '%s\\n' ${HOSTS.map((line) => `'${line}'`).join(' ')} > "$hosts"
   chmod 644 "$hosts"; mount --bind "$hosts" /etc/hosts; rm "$hosts"; exec "$0" "$@"`,
]
const missing =
  spawnSync('unshare', [...NAMESPACE, 'true']).status === 0
    ? null
    : 'needs root, unshare of util-linux, ip of iproute2 and veth interfaces'
if (missing) console.log(`no-route: skipped: ${missing}`)

interface Outcome {
  readonly outcomes: Record<string, Record<string, string>>
  readonly isAlive: boolean
  readonly isolated: number
}

test.skipIf(missing)(
  'each outbound caller survives each kind of address that cannot be reached',
  async () => {
    const child = spawn('unshare', [...NAMESPACE, process.execPath, script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.on('data', (chunk) => (text += chunk))
    const [code] = await once(child, 'close')
    expect(code, text).toBe(0)
    const { outcomes, isAlive, isolated } = JSON.parse(text.slice(text.lastIndexOf('\n{'))) as Outcome
    console.log(outcomes)
    expect({ isAlive, isolated }).toEqual({ isAlive: true, isolated: 0 })
    const ADDRESSES = ['IPv6 only', 'no route', 'vanishes', 'refused', 'many without a route']
    const CALLERS = ['client metadata', 'webhook', 'sign-in provider', 'SMTP', 'S3', 'malware scanner']
    for (const caller of CALLERS) {
      expect(Object.keys(outcomes[caller] ?? {}).sort(), caller).toEqual([...ADDRESSES].sort())
      for (const outcome of Object.values(outcomes[caller]!)) expect(outcome, caller).toMatch(/^failed: /)
    }
  },
  600_000,
)
