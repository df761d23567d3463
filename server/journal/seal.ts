import { hash } from 'node:crypto'

/**
 * The bytes that hashes and signatures of the audit log are made over. docs/audit-log.md tells them to whoever
 * verifies a log without us, so what stands here never changes: another form gets another version in its first line.
 */

/** The fields of an entry, in the order in which they are hashed. Each is a text or null. */
export const ENTRY_FIELDS = [
  'organizationId',
  'id',
  'time',
  'actor',
  'channel',
  'action',
  'outcome',
  'subjectType',
  'subjectId',
  'subject',
  'changes',
  'reason',
  'requestId',
  'ip',
  'userAgent',
  'client',
  'tool',
] as const

export type EntryText = Readonly<Record<(typeof ENTRY_FIELDS)[number], string | null>>

/**
 * The hash of an entry's own bytes: of the JSON array of its fields.
 * @param values in the order of `ENTRY_FIELDS`
 */
export function entryHash(values: readonly (string | null)[]): Buffer {
  // Entries were made before the last two were: what has neither is hashed as then.
  const whole = values.at(-1) === null && values.at(-2) === null ? values.slice(0, -2) : values
  return sha256(JSON.stringify(whole))
}

export interface Seal {
  readonly organizationId: string
  /** 1, 2, 3 … in an organization, without a gap. */
  readonly seq: number
  readonly entryId: string
  readonly entryHash: Uint8Array
  /** ISO 8601. */
  readonly sealedAt: string
  readonly prevHash: Uint8Array
}

/** What the first seal of an organization stands on. */
export const genesisHash = (organizationId: string): Buffer =>
  sha256(lines('plumbline audit genesis v1', organizationId))

export const sealHash = (seal: Seal): Buffer =>
  sha256(
    lines(
      'plumbline audit seal v1',
      seal.organizationId,
      String(seal.seq),
      seal.entryId,
      hex(seal.entryHash),
      seal.sealedAt,
      hex(seal.prevHash),
    ),
  )

/** Says that at this time the chain of an organization had this hash at this place. */
export interface Checkpoint {
  readonly organizationId: string
  readonly seq: number
  readonly hash: Uint8Array
  readonly time: string
  readonly keyId: string
}

/** What a checkpoint's signature is made over. */
export const checkpointBytes = ({ organizationId, seq, hash, time, keyId }: Checkpoint): Buffer =>
  Buffer.from(lines('plumbline audit checkpoint v1', organizationId, String(seq), hex(hash), time, keyId))

/** What the signature of an export's first and last line is made over. @param json the text of what stands in it */
export const exportBytes = (part: 'header' | 'footer', json: string): Buffer =>
  Buffer.from(lines(`plumbline audit export ${part} v1`, json))

/** @param publicKey as SubjectPublicKeyInfo (RFC 8410), in DER */
export const keyIdOf = (publicKey: Uint8Array): string => hex(sha256(publicKey)).slice(0, 16)

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer')
const lines = (...parts: string[]): string => parts.map((part) => `${part}\n`).join('')
