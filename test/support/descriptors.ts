/**
 * A process that has used up its file descriptors and then tries to send. Run by a test under a low `ulimit -n`:
 * the address, the authority's PEM and the number of attempts come as arguments; it prints the results as JSON.
 */
import { openSync } from 'node:fs'
import { parseNetwork } from '../../server/webhooks/network.ts'
import { openSender } from '../../server/webhooks/request.ts'

const [address = '', authorities = ''] = process.argv.slice(2)
const sender = openSender({
  allowedNetworks: [parseNetwork('127.0.0.0/8')],
  certificateAuthorities: authorities,
})
const attempt = () => sender.attempt({ id: 'dlv_1', address, body: '{}', secret: Buffer.alloc(32) })
const shown = (result: Awaited<ReturnType<typeof attempt>>) =>
  'fault' in result ? result.fault : result.outcome

const before = shown(await attempt())
const fresh = { id: 'dlv_2', address, body: '{}', secret: Buffer.alloc(32), fresh: true }
// Standard output is a pipe that exists already: writing to it needs no descriptor.
try {
  for (;;) openSync('/dev/null', 'r')
} catch {
  // All are used.
}
const exhausted = shown(await sender.attempt(fresh))
process.stdout.write(JSON.stringify({ before, exhausted }), () => process.exit(0))
