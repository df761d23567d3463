import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * The master keys, and what is made of them: AES-256-GCM for secrets at rest, and keyed hashes for
 * credentials. The first key of the ring writes, all of them read, so a key is changed by putting the
 * new one first and the old one behind it.
 *
 * A cipher text is bound to what it belongs to (organization, record, column): moved to another row it
 * does not open. It begins with the id of its key.
 */
export interface Keyring {
  /** @param belongsTo parts that must be given again to open it */
  seal(secret: Uint8Array, belongsTo: readonly string[]): Buffer
  /** @throws where the bytes were changed, moved, or sealed with a key that the ring does not have */
  open(sealed: Uint8Array, belongsTo: readonly string[]): Buffer
  /** The keyed hash to store for a credential. */
  hash(credential: string): Buffer
  /** The hashes under which a credential may be stored: one for each key of the ring. */
  hashes(credential: string): Buffer[]
  /** 32 bytes for a purpose of its own, of each key of the ring: what needs a key and no storage. */
  derive(purpose: string): Buffer[]
}

/** @throws {Error} with one line that says what is wrong, where an entry is not `id:base64` of 32 bytes */
export function openKeyring(entries: string): Keyring {
  const keys = entries.split(/[\s,]+/).flatMap((entry) => (entry ? [decode(entry)] : []))
  const first = keys[0]
  if (!first) throw new Error('MASTER_KEY is empty: give id:base64 of 32 random bytes.')
  if (new Set(keys.map((key) => key.id)).size < keys.length)
    throw new Error('MASTER_KEY names one id twice: give each key an id of its own.')
  return {
    seal: (secret, belongsTo) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', first.cipherKey, nonce)
      cipher.setAAD(aad(belongsTo))
      const body = Buffer.concat([cipher.update(secret), cipher.final()])
      const id = Buffer.from(first.id)
      return Buffer.concat([Buffer.from([id.length]), id, nonce, cipher.getAuthTag(), body])
    },
    open: (sealed, belongsTo) => {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      const start = 1 + (bytes[0] ?? 0)
      const id = bytes.toString('utf8', 1, start)
      const key = keys.find((one) => one.id === id)
      if (!key) throw new Error(`A secret was sealed with the master key "${id}", which is not in the ring.`)
      const cipher = createDecipheriv('aes-256-gcm', key.cipherKey, bytes.subarray(start, start + 12))
      cipher.setAAD(aad(belongsTo))
      cipher.setAuthTag(bytes.subarray(start + 12, start + 28))
      return Buffer.concat([cipher.update(bytes.subarray(start + 28)), cipher.final()])
    },
    hash: (credential) => keyedHash(first.hashKey, credential),
    hashes: (credential) => keys.map((key) => keyedHash(key.hashKey, credential)),
    derive: (purpose) => keys.map((key) => key.derive(purpose)),
  }
}

/** An entry for a ring of one, made on the first start of an embedded service. */
export const newMasterKey = (): string => `k1:${randomBytes(32).toString('base64')}`

interface Key {
  id: string
  cipherKey: Buffer
  hashKey: Buffer
  derive(purpose: string): Buffer
}

function decode(entry: string): Key {
  const match = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry)
  if (!match)
    throw new Error(
      'A MASTER_KEY entry is not valid: give id:base64, where the base64 is of 32 random bytes.',
    )
  const master = Buffer.from(match[2]!, 'base64')
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, '', `plumbline ${purpose}`, 32))
  return { id: match[1]!, cipherKey: derive('secrets at rest'), hashKey: derive('credential hashes'), derive }
}

const aad = (belongsTo: readonly string[]) => Buffer.from(JSON.stringify(belongsTo))
const keyedHash = (key: Buffer, credential: string) => createHmac('sha256', key).update(credential).digest()
