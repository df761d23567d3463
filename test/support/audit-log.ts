import { generateKeyPairSync, sign } from 'node:crypto'
import { NO_TRUST, type Trust } from '../../client/audit-log/trust.ts'
import { type Report, Verifier } from '../../client/audit-log/verifier.ts'
import { recordAction } from '../../model/audit-actions.ts'
import { kinds } from '../../model/kinds/index.ts'
import { entry, insertEntry } from '../../server/journal/audit.ts'
import {
  checkpointBytes,
  entryHash,
  exportBytes,
  genesisHash,
  keyIdOf,
  sealHash,
} from '../../server/journal/seal.ts'
import { rotateSigningKey } from '../../server/journal/signing-keys.ts'
import type { TestOrganization, TestService } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: lines are taken apart and put together wrongly
export type Line = any

/** The lines of an export, read a few at a time. */
export async function exported(
  one: TestService,
  { admin }: TestOrganization,
  input: object = {},
): Promise<string[]> {
  const all: string[] = []
  let cursor: string | null = null
  do {
    const page: { lines: string[]; nextCursor: string | null } = (
      await one.call(admin, 'exportAuditLog', { ...input, limit: 4, ...(cursor ? { cursor } : {}) })
    ).body
    all.push(...page.lines)
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}

/**
 * Eighteen entries, odd texts among them, with three checkpoints on their way and one change of the key: its export.
 */
export async function exportedLog(one: TestService, of: TestOrganization): Promise<string[]> {
  for (let part = 0; part < 3; part++) {
    const titles = ['Fire', 'Fünf "Zeilen"\n', '=1+1', '\u2028 🔥 \u007f', '{"a":1}']
    for (const title of titles) await one.call(of.admin, 'createRisk', { title: `${title} ${part}` })
    const { rows } = await one.administrator.query('select clock_now() as now')
    const event = {
      time: rows[0].now.toISOString(),
      action: recordAction(kinds.risk, 'update'),
      subject: { type: 'risk', id: 'risk_x' },
    }
    const agent = { ...of.admin, channel: 'mcp', client: 'half a pair \ud83d', tool: 'updateRisk' } as const
    await one.administrator.query(insertEntry(...entry(agent, event)))
    await exported(one, of)
    if (part === 0) await rotateSigningKey(one.service)
  }
  return exported(one, of)
}

/** What the verifier says of lines. */
export function verdict(lines: readonly string[], trust: Trust = NO_TRUST): Report {
  const verifier = new Verifier(trust)
  for (const line of lines) verifier.take(line)
  return verifier.end()
}

export const parsed = (lines: readonly string[]): Line[] => lines.map((line) => JSON.parse(line))
export const written = (all: Line[]): string[] => all.map((line) => JSON.stringify(line))

/** mulberry32: the same thousand each time, and another by another seed. */
export function randomBy(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

/** Makes the chain right again behind a change, as somebody would who can do everything but sign. */
export function rechain(all: Line[]): Line[] {
  let [seq, before] = [0, genesisHash(all[0].header.organizationId).toString('hex')]
  return all.map((line) => {
    if (line.checkpoint) return { checkpoint: { ...line.checkpoint, seq, hash: before } }
    if (!line.seal) return line
    const own = entryHash(Object.values(line.entry) as string[])
    seq += 1
    const seal = { ...line.seal, seq, entryId: line.entry.id, prevHash: before }
    const { organizationId } = line.entry
    before = sealHash({
      ...seal,
      organizationId,
      entryHash: own,
      prevHash: Buffer.from(before, 'hex'),
    }).toString('hex')
    return { ...line, entryHash: own.toString('hex'), seal: { ...seal, hash: before } }
  })
}

export type Random = ReturnType<typeof randomBy>

/** A value in an entry is another. */
export function alter(all: Line[], random: Random): Line[] {
  const changed = structuredClone(all)
  const entries = changed.filter((line) => line.seal)
  const { entry } = entries[random(entries.length)]
  const names = Object.keys(entry).filter((name) => name !== 'organizationId')
  const name = names[random(names.length)]!
  entry[name] = entry[name] === null ? 'x' : `${entry[name]}x`
  return changed
}

/** A log made wholly anew, signed by a key of the forger's own. */
export function forge(lines: readonly string[]): string[] {
  const pair = generateKeyPairSync('ed25519')
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' })
  const keyId = keyIdOf(publicKey)
  const all = rechain(alter(parsed(lines), randomBy(1)))
  const signed = (part: 'header' | 'footer', value: object) => ({
    [part]: value,
    signature: sign(null, exportBytes(part, JSON.stringify(value)), pair.privateKey).toString('base64'),
  })
  return written(
    all.map((line) => {
      if (line.header)
        return signed('header', {
          ...line.header,
          publicKeys: [
            { id: keyId, publicKey: publicKey.toString('base64'), createdAt: line.header.exportedAt },
          ],
          keyId,
        })
      if (line.footer) return signed('footer', { ...line.footer, keyId })
      if (!line.checkpoint) return line
      const checkpoint = { ...line.checkpoint, keyId }
      const bytes = checkpointBytes({ ...checkpoint, hash: Buffer.from(checkpoint.hash, 'hex') })
      return {
        checkpoint: { ...checkpoint, signature: sign(null, bytes, pair.privateKey).toString('base64') },
      }
    }),
  )
}
