import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { SEALED, type SealedColumnName } from './sealed-columns.ts'

/**
 * The master keys, and what is made of them: AES-256-GCM for secrets at rest, and keyed hashes for
 * credentials. The first key of the ring writes, all of them read, so a key is changed by putting the
 * new one first and the old one behind it.
 *
 * A cipher text is bound to what it belongs to (organization, record, column): moved to another row it
 * does not open. It begins with the id of its key.
 */
export interface Keyring {
  /** The ids of its keys; the first is the one that writes. */
  readonly ids: readonly string[]
  readonly firstId: string
  /** @param ids of the row, as the column's entry in `SEALED` names them */
  seal(secret: Uint8Array, column: SealedColumnName, ids: readonly string[]): Buffer
  /** @throws where the bytes were changed, moved, or sealed with a key that the ring does not have */
  open(sealed: Uint8Array, column: SealedColumnName, ids: readonly string[]): Buffer
  /** A value that only the first key makes and opens, to tell later whether a ring has that key. */
  proof(): Buffer
  /** Whether the key of this id made the proof. */
  proves(id: string, proof: Uint8Array): boolean
  /** The keyed hash to store for a credential. */
  hash(credential: string): Buffer
  /** The hashes under which a credential may be stored: one for each key of the ring. */
  hashes(credential: string): Buffer[]
  /** 32 bytes for a purpose of its own, of each key of the ring: what needs a key and no storage. */
  derive(purpose: string): Buffer[]
}

/** The keys cannot be used as they were given, or are not those of this database; the message says what to do. */
export class MasterKeyRefused extends Error {
  override name = 'MasterKeyRefused'
}

/**
 * @param source where the entries come from, as whoever has to mend them knows it
 * @throws {MasterKeyRefused} where an entry is not `id:base64` of 32 bytes
 */
export function openKeyring(entries: string, source = 'MASTER_KEY'): Keyring {
  const keys = entries.split(/[\s,]+/).flatMap((entry) => (entry ? [decode(entry, source)] : []))
  const first = keys[0]
  if (!first) throw new MasterKeyRefused(`${source} is empty: give id:base64 of 32 random bytes.`)
  if (new Set(keys.map((key) => key.id)).size < keys.length)
    throw new MasterKeyRefused(`${source} names one id twice: give each key an id of its own.`)
  const open = (sealed: Uint8Array, belongsTo: readonly string[]) => {
    const { id, rest } = partsOf(sealed)
    const key = keys.find((one) => one.id === id)
    if (!key) throw new Error(`A secret was sealed with the master key "${id}", which is not in the ring.`)
    return unseal(key, rest, belongsTo)
  }
  return {
    ids: keys.map(({ id }) => id),
    firstId: first.id,
    seal: (secret, column, ids) => seal(first, secret, [SEALED[column].boundAs, ...ids]),
    open: (sealed, column, ids) => open(sealed, [SEALED[column].boundAs, ...ids]),
    proof: () => seal(first, Buffer.from('plumbline'), proofOf(first.id)),
    proves: (id, proof) => {
      try {
        return partsOf(proof).id === id && open(proof, proofOf(id)).length > 0
      } catch {
        return false
      }
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

function seal(key: Key, secret: Uint8Array, belongsTo: readonly string[]): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key.cipherKey, nonce)
  cipher.setAAD(aad(belongsTo))
  const body = Buffer.concat([cipher.update(secret), cipher.final()])
  const id = Buffer.from(key.id)
  return Buffer.concat([Buffer.from([id.length]), id, nonce, cipher.getAuthTag(), body])
}

function partsOf(sealed: Uint8Array): { id: string; rest: Buffer } {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const start = 1 + (bytes[0] ?? 0)
  return { id: bytes.toString('utf8', 1, start), rest: bytes.subarray(start) }
}

function unseal(key: Key, rest: Buffer, belongsTo: readonly string[]): Buffer {
  const cipher = createDecipheriv('aes-256-gcm', key.cipherKey, rest.subarray(0, 12))
  cipher.setAAD(aad(belongsTo))
  cipher.setAuthTag(rest.subarray(12, 28))
  return Buffer.concat([cipher.update(rest.subarray(28)), cipher.final()])
}

function decode(entry: string, source: string): Key {
  const match = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry)
  if (!match)
    throw new MasterKeyRefused(
      `An entry of ${source} is not valid: give id:base64, where the base64 is of 32 random bytes.`,
    )
  const master = Buffer.from(match[2]!, 'base64')
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, '', `plumbline ${purpose}`, 32))
  return { id: match[1]!, cipherKey: derive('secrets at rest'), hashKey: derive('credential hashes'), derive }
}

const proofOf = (id: string) => ['master key', id]
const aad = (belongsTo: readonly string[]) => Buffer.from(JSON.stringify(belongsTo))
const keyedHash = (key: Buffer, credential: string) => createHmac('sha256', key).update(credential).digest()
