import { LRUCache } from 'lru-cache'
import type { Keyring } from '../keyring/keyring.ts'

interface Sealed {
  readonly organizationId: string
  readonly endpointId: string
  readonly secretCipher: Buffer
  readonly secretVersion: number
}

const MOST = 10_000

/** Secrets opened once for each version, kept in memory. */
export class Secrets {
  readonly #keyring: Keyring
  readonly #opened = new LRUCache<string, { version: number; secret: Buffer }>({ max: MOST })

  constructor(keyring: Keyring) {
    this.#keyring = keyring
  }

  open({ organizationId, endpointId, secretCipher, secretVersion }: Sealed): Buffer {
    const known = this.#opened.get(endpointId)
    if (known?.version === secretVersion) return known.secret
    const opened = this.#keyring.open(secretCipher, 'endpointSecret', [organizationId, endpointId])
    // Copied: it is a window on a shared buffer two thousand times its size, which would be kept with it.
    const secret = Buffer.allocUnsafeSlow(opened.length)
    opened.copy(secret)
    this.#opened.set(endpointId, { version: secretVersion, secret })
    return secret
  }
}
