/**
 * A process that has used up its file descriptors and then tries to send. Run by a test under a low `ulimit -n`:
 * the address and the authority's PEM come as arguments; it prints what became of both attempts as JSON.
 */
import { openSync } from 'node:fs'
import { parseNetwork } from '../../server/outbound/network.ts'
import { openSender } from '../../server/webhooks/request.ts'

const [address = '', authorities = ''] = process.argv.slice(2)
const sender = openSender({
  allowedNetworks: [parseNetwork('127.0.0.0/8')],
  certificateAuthorities: authorities,
})

async function attempt(id: string): Promise<string> {
  const result = await sender.attempt({
    id,
    address,
    body: Buffer.from('{}'),
    secret: Buffer.alloc(32),
    fresh: true,
  })
  if (result === 'not_left') return result
  return 'fault' in result ? result.fault : result.outcome
}

const before = await attempt('dlv_1')
// Standard output is a pipe that exists already: writing to it needs no descriptor.
try {
  for (;;) openSync('/dev/null', 'r')
} catch {
  // All are used.
}
const exhausted = await attempt('dlv_2')
process.stdout.write(JSON.stringify({ before, exhausted }), () => process.exit(0))
