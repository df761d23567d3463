import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import { keyIdOf } from './seal.ts'

/**
 * The keys of this instance that sign checkpoints of the audit log (Ed25519). The newest signs; the others stay, so
 * that what they signed can be verified. Private keys rest sealed with the master key.
 */
export interface SigningKey extends PublicKey {
  readonly privateKey: KeyObject
}

export interface PublicKey {
  readonly id: string
  /** SubjectPublicKeyInfo in DER, in base64: what stands in a PEM file between its two lines. */
  readonly publicKey: string
  readonly createdAt: string
}

type KeyParts = Pick<Parts, 'database' | 'keyring'>

/** The key that signs now, made on first use. @throws where the master key that sealed it is not in the ring */
export async function signingKey(parts: KeyParts): Promise<SigningKey> {
  const { engine } = parts.database
  const row = (await engine.query(newest())).rows[0] ?? (await makeKey(parts, true))
  const privateKey = createPrivateKey({
    key: parts.keyring.open(row.private_key_sealed, 'auditSigningKey', [row.id]),
    format: 'der',
    type: 'pkcs8',
  })
  return { ...publicOf(row), privateKey }
}

/** Every key there has been, the newest first. */
export async function publicKeys({ database }: Pick<Parts, 'database'>): Promise<PublicKey[]> {
  return (await database.engine.query(all())).rows.map(publicOf)
}

/** Makes a new key, which signs from now on. */
export async function rotateSigningKey(parts: KeyParts): Promise<PublicKey> {
  return publicOf(await makeKey(parts, false))
}

async function makeKey({ database, keyring }: KeyParts, onlyTheFirst: boolean): Promise<KeyRow> {
  const pair = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  })
  const id = keyIdOf(pair.publicKey)
  const sealed = keyring.seal(pair.privateKey, 'auditSigningKey', [id])
  const client = await database.engine.connect()
  let failed = true
  try {
    await client.query('begin')
    await client.query(lock())
    const { rows } = await client.query(newest())
    const first = rows[0] as KeyRow | undefined
    if (first && onlyTheFirst) return first
    const made = await client.query(insert(id, pair.publicKey, sealed))
    return made.rows[0]
  } finally {
    await client.query('commit').then(
      () => {
        failed = false
      },
      () => {},
    )
    client.release(failed)
  }
}

interface KeyRow {
  readonly id: string
  readonly public_key: Buffer
  readonly private_key_sealed: Buffer
  readonly created_at: string
}

const publicOf = ({ id, public_key, created_at }: KeyRow): PublicKey => ({
  id,
  publicKey: public_key.toString('base64'),
  createdAt: created_at,
})

const newest = statement('select * from audit_signing_keys order by created_at desc, id limit 1')
const all = statement(
  'select id, public_key, created_at from audit_signing_keys order by created_at desc, id',
)

/** The row that the sealer locks: one process at a time makes a key. */
const lock = statement('select one from audit_sealing for update')

const insert = statement(`
  insert into audit_signing_keys (id, public_key, private_key_sealed, created_at)
  values ($1, $2, $3, clock_now()) returning *`)
