import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCheckpoints, readPublicKeys } from '../client/audit-log/trust.ts'
import { recordAction } from '../model/audit-actions.ts'
import { kinds } from '../model/kinds/index.ts'
import { bindCursor } from '../server/cursor.ts'
import { entry, insertEntry } from '../server/journal/audit.ts'
import { sealAll } from '../server/journal/sealer.ts'
import { publicKeys } from '../server/journal/signing-keys.ts'
import { operations } from '../server/operations.ts'
import { inExportTurn } from '../server/records/export-turns.ts'
import { exported, exportedLog, parsed, verdict } from './support/audit-log.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * An exported audit log is whole, says by which key, and shows what was done to the tables before it was exported.
 */

let one: TestService
let acme: TestOrganization
let lines: string[]

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  lines = await exportedLog(one, acme)
})
afterAll(async () => {
  await one.close()
})

test('an export is whole, and says by which key', async () => {
  const [newest] = await publicKeys(one.service)
  expect(verdict(lines)).toMatchObject({
    problem: null,
    isWhole: true,
    // With an entry for each of four exports.
    sealed: 22,
    firstSeq: 1,
    lastSeq: 22,
    signedBy: newest!.id,
    isKeyKnown: false,
  })
  const keys = readPublicKeys(newest!.publicKey)
  expect(verdict(lines, { keys, checkpoints: [] })).toMatchObject({ ok: true, isKeyKnown: true })
  expect(lines.filter((line) => line.startsWith(`{"checkpoint"`))).toHaveLength(4)
  expect(verdict(await exported(one, await one.organization()))).toMatchObject({
    ok: true,
    sealed: 1,
    signedBy: newest!.id,
  })
})

test('as docs/audit-log.md says, it can be verified without a line of ours', () => {
  const sha = (bytes: string) => createHash('sha256').update(bytes).digest('hex')
  const all = parsed(lines)
  const { header } = all[0]
  let before = sha(`plumbline audit genesis v1\n${header.organizationId}\n`)
  for (const { entry, seal, checkpoint } of all) {
    if (seal) {
      const { client, tool, ...older } = entry
      const own = sha(JSON.stringify(Object.values(client === null && tool === null ? older : entry)))
      const parts = [header.organizationId, seal.seq, seal.entryId, own, seal.sealedAt, before]
      before = sha(`plumbline audit seal v1\n${parts.map((part) => `${part}\n`).join('')}`)
      expect(seal.hash).toBe(before)
    }
    if (checkpoint) {
      const { organizationId, seq, hash, time, keyId, signature } = checkpoint
      const { publicKey } = header.publicKeys.find(({ id }: { id: string }) => id === keyId)
      const pem = `-----BEGIN PUBLIC KEY-----\n${publicKey}\n-----END PUBLIC KEY-----\n`
      const signed = `plumbline audit checkpoint v1\n${organizationId}\n${seq}\n${hash}\n${time}\n${keyId}\n`
      expect(verify(null, Buffer.from(signed), createPublicKey(pem), Buffer.from(signature, 'base64'))).toBe(
        true,
      )
      expect(hash).toBe(before)
    }
  }
  const [first] = lines
  const told = first!.slice('{"header":'.length, first!.lastIndexOf(',"signature":"'))
  const { publicKey } = header.publicKeys.find(({ id }: { id: string }) => id === header.keyId)
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  const signature = Buffer.from(all[0].signature, 'base64')
  expect(verify(null, Buffer.from(`plumbline audit export header v1\n${told}\n`), key, signature)).toBe(true)
})

const outside = () =>
  readCheckpoints(readFileSync(one.service.config.auditCheckpointsFile, 'utf8')).checkpoints

test('an end that was cut off in the tables is found by a checkpoint from outside, and by nothing else', async () => {
  const cut = await one.organization()
  for (const title of ['One', 'Two', 'Three']) await one.call(cut.admin, 'createRisk', { title })
  await exported(one, cut)
  for (const table of [
    'audit_seals where seq > 2 and',
    'audit_checkpoints where',
    "audit_entries where (subject->>'title' = 'Three' or action = 'audit_log.export') and",
  ])
    await one.administrator.query(`delete from ${table} organization_id = $1`, [cut.id])
  const again = await exported(one, cut)
  expect(verdict(again)).toMatchObject({ ok: true, lastSeq: 3 })
  expect(verdict(again, { keys: new Map(), checkpoints: outside() }).problem).toMatchObject({
    what: 'It was cut at its end: a checkpoint from outside shows that 4 were sealed, and 4 is missing.',
  })
})

test('what was changed or taken out of the tables shows in the next export', async () => {
  const other = await one.organization()
  for (const title of ['One', 'Two', 'Three']) await one.call(other.admin, 'createRisk', { title })
  await exported(one, other)
  const named = `organization_id = '${other.id}' and subject->>'title' = 'Two'`
  await one.administrator.query(
    `update audit_entries set actor = '{"type":"user","id":"usr_other"}' where ${named}`,
  )
  expect(verdict(await exported(one, other)).problem).toMatchObject({
    seq: 2,
    what: expect.stringContaining('changed'),
  })
  await one.administrator.query(`delete from audit_entries where ${named}`)
  expect(verdict(await exported(one, other)).problem).toMatchObject({
    seq: 2,
    what: expect.stringContaining('missing'),
  })
})

test('what was put into the tables among what is sealed already shows in the next export', async () => {
  const other = await one.organization()
  for (const title of ['One', 'Two']) await one.call(other.admin, 'createRisk', { title })
  await sealAll(one.service.database.engine)
  const event = {
    time: '2026-01-01T00:00:00.000Z',
    action: recordAction(kinds.risk, 'delete'),
    subject: { type: 'risk', id: 'risk_never' },
  }
  await one.administrator.query(insertEntry(...entry(other.admin, event)))
  await one.administrator.query(
    `update audit_entries set xact = '3' where organization_id = $1 and subject_id = 'risk_never'`,
    [other.id],
  )
  await one.call(other.admin, 'createRisk', { title: 'Three' })
  const { problem } = verdict(await exported(one, other))
  expect(problem).toMatchObject({ seq: null, what: expect.stringContaining('it was put in later') })
})

test('a span of time is an excerpt without a gap, which says that it is one', async () => {
  const all = parsed(lines).filter((line) => line.seal)
  const [from, to] = [all[6].entry.time, all[12].entry.time]
  const excerpt = await exported(one, acme, { from, to })
  expect(verdict(excerpt)).toMatchObject({ problem: null, isWhole: false })
  const times = excerpt.flatMap((line) => JSON.parse(line).entry?.time ?? [])
  expect(times.length).toBeGreaterThanOrEqual(6)
  expect(times.length).toBeLessThan(18)
  expect(verdict(excerpt.toSpliced(1, 1)).ok).toBe(false)
  expect(
    verdict(await exported(one, acme, { from: '2001-01-01T00:00:00Z', to: '2001-01-02T00:00:00Z' })),
  ).toMatchObject({ ok: true, sealed: 0 })
})

test('what is too young to be sealed stands at the end, and says so', async () => {
  const other = await one.organization()
  await one.call(other.admin, 'createRisk', { title: 'One' })
  const page = (await one.call(other.admin, 'exportAuditLog', { limit: 1_000 })).body as { lines: string[] }
  expect(JSON.parse(page.lines.at(-1)!).footer).toMatchObject({ sealed: 2, unsealed: [] })
  // Begun before the next is written, and ended after it.
  await one.call(other.admin, 'createRisk', { title: 'Two' })
  await exported(one, other)
  const first = (await one.call(other.admin, 'exportAuditLog', { limit: 1 })).body as {
    lines: string[]
    nextCursor: string
  }
  await one.call(other.admin, 'createRisk', { title: 'Three' })
  const last = (await one.call(other.admin, 'exportAuditLog', { limit: 5, cursor: first.nextCursor }))
    .body as { lines: string[] }
  const whole = [...first.lines, ...last.lines]
  expect(verdict(whole)).toMatchObject({ problem: null, sealed: 5, unsealed: 1 })
  const young = whole.at(-2)!
  expect(JSON.parse(young)).toMatchObject({ seal: null })
  expect(verdict(whole.with(-2, young.replace('Three', 'Tree'))).ok).toBe(false)
  expect(verdict(whole.toSpliced(-2, 1)).ok).toBe(false)
})

test('it is for admins in person, and a cursor that it did not give is refused', async () => {
  const editor = await acme.person('editor')
  await expect(one.call(editor, 'exportAuditLog')).rejects.toMatchObject({ code: 'capability_required' })
  await expect(one.call(acme.admin, 'exportAuditLog', { cursor: 'bm9wZQ' })).rejects.toMatchObject({
    code: 'malformed_request',
  })
  const other = await one.organization()
  // What is signed at the end was counted by the cursor, which therefore nobody can make.
  const place = { organizationId: acme.id, last: 3, after: 3, sealed: 7777, checkpoints: 5 }
  const list = operations.find(({ name }) => name === 'exportAuditLog')!
  const told = Buffer.from(JSON.stringify(place)).toString('base64url')
  for (const forged of [told, `${told}.`, `${told}.${'A'.repeat(43)}`])
    await expect(
      one.call(acme.admin, 'exportAuditLog', { cursor: bindCursor(list, list.input.parse({}), forged) }),
    ).rejects.toMatchObject({ code: 'malformed_request' })
  const { nextCursor: cursor } = (await one.call(acme.admin, 'exportAuditLog', { limit: 1 })).body as {
    nextCursor: string
  }
  await expect(one.call(other.admin, 'exportAuditLog', { cursor })).rejects.toMatchObject({
    code: 'malformed_request',
  })
})

test('pages take turns, two at a time, and a crowd that is too large is told to come again', async () => {
  let [now, most, done] = [0, 0, 0]
  const page = async () => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setImmediate(resolve))
    now--
    done++
  }
  const crowd = await Promise.allSettled(Array.from({ length: 110 }, () => inExportTurn(page)))
  const refused = crowd.filter((one) => one.status === 'rejected')
  expect([most, done, refused.length]).toEqual([2, 102, 8])
  expect(refused[0]!.reason).toMatchObject({ code: 'unavailable', status: 503 })
  await inExportTurn(page)
})
