import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems hand out by themselves, so that nobody's connection takes it meanwhile. */
const FIRST = 20_000
const LAST = 32_000

/** A port of this machine that was free a moment ago, for what must say its address before it listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
