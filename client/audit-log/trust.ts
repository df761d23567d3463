import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { checkpointBytes, keyIdOf } from '../../server/journal/seal.ts'
import { type CheckpointFields, OutsideCheckpoint, type OutsideCheckpointFields } from './lines.ts'

/** What whoever verifies knows from elsewhere, and what a signature is worth by it. */
export interface Trust {
  /** Keys known from elsewhere, by id; empty where none was given. */
  readonly keys: ReadonlyMap<string, KeyObject>
  /** Checkpoints from outside of the database. */
  readonly checkpoints: readonly OutsideCheckpointFields[]
}

export const NO_TRUST: Trust = { keys: new Map(), checkpoints: [] }

export class Untrustworthy extends Error {
  override name = 'Untrustworthy'
}

/**
 * @param text PEM, one or several, or base64 of the DER alone, with commas between
 * @throws {Untrustworthy} where it is no Ed25519 key
 */
export function readPublicKeys(text: string): Map<string, KeyObject> {
  const bodies = text.replaceAll(/-----(BEGIN|END) PUBLIC KEY-----/g, ',').split(',')
  const keys = bodies.flatMap((body) => body.replaceAll(/\s/g, '') || [])
  if (keys.length === 0)
    throw new Untrustworthy('There is no public key in it: give PEM, or its base64 alone.')
  return new Map(keys.map((key) => [idOf(key), readPublicKey(key)]))
}

/** @throws {Untrustworthy} */
export function readPublicKey(base64: string): KeyObject {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Said below.
  }
  throw new Untrustworthy('A public key is no Ed25519 key in base64 (SubjectPublicKeyInfo, DER).')
}

export const idOf = (base64: string): string => keyIdOf(Buffer.from(base64, 'base64'))

/**
 * @param text of the file of checkpoints, a line each, or of the log of the service, which has them among other lines
 * @returns those that their keys signed, of any organization
 * @throws {Untrustworthy} with the line that is none; but for the last, which a crash may have left half written
 */
export function readCheckpoints(text: string): { checkpoints: OutsideCheckpointFields[]; torn: number[] } {
  const torn: number[] = []
  const lines = text.trimEnd().split('\n')
  const checkpoints = lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const parsed = parsedOr(line)
    if (parsed === null && index === lines.length - 1 && line.startsWith('{')) {
      torn.push(index + 1)
      return []
    }
    const { checkpoint, isOther } = loggedIn(parsed)
    if (isOther) return []
    const { success, data } = OutsideCheckpoint.safeParse(checkpoint)
    if (!success) throw new Untrustworthy(`Line ${index + 1} of the checkpoints is not a checkpoint.`)
    if (idOf(data.publicKey) !== data.keyId || !isSigned(data, readPublicKey(data.publicKey)))
      throw new Untrustworthy(`Line ${index + 1} of the checkpoints does not have the signature of its key.`)
    return [data]
  })
  return { checkpoints, torn }
}

/** A line of the log of the service has a level and a message. */
function loggedIn(line: unknown): { checkpoint: unknown; isOther: boolean } {
  if (typeof line !== 'object' || line === null || !('level' in line && 'msg' in line))
    return { checkpoint: line, isOther: false }
  return 'auditCheckpoint' in line
    ? { checkpoint: line.auditCheckpoint, isOther: false }
    : { checkpoint: null, isOther: true }
}

function parsedOr(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

export const isSigned = ({ hash, signature, ...rest }: CheckpointFields, key: KeyObject): boolean =>
  isSignature(signature, checkpointBytes({ ...rest, hash: Buffer.from(hash, 'hex') }), key)

/** In one spelling only, so that no byte of a file can change unseen. */
export function isSignature(signature: string, bytes: Uint8Array, key: KeyObject): boolean {
  const given = Buffer.from(signature, 'base64')
  return given.toString('base64') === signature && verify(null, bytes, key, given)
}
