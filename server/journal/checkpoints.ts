import { sign } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Row, statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import { type Checkpoint, checkpointBytes, hex } from './seal.ts'
import { type SigningKey, signingKey } from './signing-keys.ts'

/**
 * A checkpoint says, signed: at this time the chain of this organization had this hash at this place. Whoever can
 * write to the database can cut the end of a chain off or make a whole chain anew; they cannot sign it, and cannot
 * reach what was written outside of the database. So each checkpoint goes to the log of the service and to a file first,
 * and then to its table.
 */
export interface SignedCheckpoint extends Checkpoint {
  readonly signature: Uint8Array
}

type CheckpointParts = Pick<Parts, 'config' | 'database' | 'keyring' | 'log'>

/** Signs the head of every organization that has moved since its last checkpoint, an hour ago or more. */
export async function writeDueCheckpoints(parts: CheckpointParts): Promise<void> {
  const { rows } = await parts.database.engine.query(due())
  if (rows.length === 0) return
  const key = await signingKey(parts)
  for (const { organization_id, seq, hash, now } of rows)
    await write(parts, key, { organizationId: organization_id, seq, hash, time: now })
}

/** Signs one place of a chain, unless the key of now has signed it already. */
export async function writeCheckpoint(
  parts: CheckpointParts,
  organizationId: string,
  seq: number,
): Promise<void> {
  const key = await signingKey(parts)
  const { rows } = await parts.database.engine.query(unsigned(organizationId, seq, key.id))
  for (const { hash, now } of rows) await write(parts, key, { organizationId, seq, hash, time: now })
}

async function write(
  { config, database, log }: CheckpointParts,
  key: SigningKey,
  place: Omit<Checkpoint, 'keyId'>,
): Promise<void> {
  const checkpoint = { ...place, keyId: key.id }
  const signature = sign(null, checkpointBytes(checkpoint), key.privateKey)
  const line = { ...shown({ ...checkpoint, signature }), publicKey: key.publicKey }
  // Where the log is collected, it is on another machine within seconds, without anything to be set up.
  log.info({ auditCheckpoint: line }, 'audit checkpoint')
  await appendTo(config.auditCheckpointsFile, line).catch((err) =>
    log.error(
      { err, file: config.auditCheckpointsFile },
      'a checkpoint of the audit log is not in its file: AUDIT_CHECKPOINTS_FILE must be a file that can be written',
    ),
  )
  const { organizationId, seq, hash, time, keyId } = checkpoint
  await database.engine.query(insert(organizationId, seq, keyId, hash, time, signature))
}

/** A checkpoint as files tell it. */
export const shown = ({ organizationId, seq, hash, time, keyId, signature }: SignedCheckpoint) => ({
  organizationId,
  seq,
  hash: hex(hash),
  time,
  keyId,
  signature: Buffer.from(signature).toString('base64'),
})

/** One line, which is on the disk when this resolves. */
async function appendTo(path: string, line: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    const last = Buffer.alloc(1)
    if (size > 0) await file.read(last, 0, 1, size - 1)
    // What a crash left half written is ended first.
    const isTorn = size > 0 && last.toString() !== '\n'
    await file.write(`${isTorn ? '\n' : ''}${JSON.stringify(line)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

export const checkpointOf = ({ organization_id, key_id, ...row }: Row): SignedCheckpoint =>
  ({ ...row, organizationId: organization_id, keyId: key_id }) as never

const due = statement(`
  select o.id as organization_id, h.seq, h.hash, clock_now() as now from organizations o
    join lateral (
      select s.seq, s.hash from audit_seals s where s.organization_id = o.id order by s.seq desc limit 1) h on true
    left join lateral (
      select c.seq, c.time from audit_checkpoints c where c.organization_id = o.id order by c.seq desc limit 1) c on true
   where c.seq is null or c.seq < h.seq and c.time <= clock_now() - interval '1 hour'`)

const unsigned = statement(`
  select s.hash, clock_now() as now from audit_seals s
   where s.organization_id = $1 and s.seq = $2 and not exists (
     select from audit_checkpoints c where c.organization_id = $1 and c.seq = $2 and c.key_id = $3)`)

const insert = statement(`
  insert into audit_checkpoints (organization_id, seq, key_id, hash, time, signature)
  values ($1, $2, $3, $4, $5, $6) on conflict do nothing`)
