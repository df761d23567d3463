import { z } from 'zod'
import { ENTRY_FIELDS } from '../../server/journal/seal.ts'

/** The lines of an exported audit log (docs/audit-log.md), each an object of one of these forms. */

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const text = z.string().nullable()

export const Header = z.strictObject({
  header: z.strictObject({
    format: z.literal('plumbline audit log v1'),
    organizationId: z.string(),
    exportedAt: z.string(),
    from: text,
    to: text,
    firstSeq: z.int().min(0),
    lastSeq: z.int().min(0),
    publicKeys: z.array(z.strictObject({ id: z.string(), publicKey: z.string(), createdAt: z.string() })),
    keyId: z.string(),
  }),
  signature: z.string(),
})

export const EntryLine = z.strictObject({
  entry: z.strictObject(Object.fromEntries(ENTRY_FIELDS.map((name) => [name, text]))).nullable(),
  entryHash: hash.nullable(),
  seal: z
    .strictObject({
      seq: z.int().min(1),
      entryId: z.string(),
      sealedAt: z.string(),
      prevHash: hash,
      hash,
    })
    .nullable(),
})

const checkpoint = {
  organizationId: z.string(),
  seq: z.int().min(1),
  hash,
  time: z.string(),
  keyId: z.string(),
  signature: z.string(),
}

export const CheckpointLine = z.strictObject({ checkpoint: z.strictObject(checkpoint) })

/** As a line of the file outside of the database. */
export const OutsideCheckpoint = z.strictObject({ ...checkpoint, publicKey: z.string() })

export const Footer = z.strictObject({
  footer: z.strictObject({
    organizationId: z.string(),
    lastSeq: z.int().min(0),
    sealed: z.int().min(0),
    checkpoints: z.int().min(0),
    unsealed: z.array(hash),
    keyId: z.string(),
  }),
  signature: z.string(),
})

export type HeaderFields = z.output<typeof Header>
export type EntryFields = z.output<typeof EntryLine>
export type CheckpointFields = z.output<typeof CheckpointLine>['checkpoint']
export type OutsideCheckpointFields = z.output<typeof OutsideCheckpoint>
export type FooterFields = z.output<typeof Footer>
