import { createECDH, createHash } from 'node:crypto'
import type { JWK } from 'oidc-provider'
import type { Keyring } from '../keyring/keyring.ts'

/** The order of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** What cookies between a request and its answer are signed with; the first key signs, all are taken. */
export const cookieKeys = (keyring: Keyring): string[] =>
  keyring.derive('oauth cookies').map((key) => key.toString('base64url'))

/**
 * The signing keys that every authorization server publishes, made of the ring, so that all processes have the
 * same and none is stored. Our tokens are opaque and nothing is signed with these.
 */
export function signingKeys(keyring: Keyring): JWK[] {
  const [high, low] = [keyring.derive('oauth signing 1'), keyring.derive('oauth signing 2')]
  return high.map((half, index) => jwkOf(Buffer.concat([half, low[index]!])))
}

/** 64 bytes leave no bias worth speaking of when they are brought into the range of the curve. */
function jwkOf(bytes: Buffer): JWK {
  const secret = (BigInt(`0x${bytes.toString('hex')}`) % (ORDER - 1n)) + 1n
  const d = Buffer.from(secret.toString(16).padStart(64, '0'), 'hex')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(d)
  const point = pair.getPublicKey()
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url')
  return { kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256', kid, x, y, d: d.toString('base64url') }
}
