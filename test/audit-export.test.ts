import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_TRUST, readCheckpoints, readPublicKeys, type Trust } from '../client/audit-log/trust.ts'
import { type Report, Verifier } from '../client/audit-log/verifier.ts'
import { recordAction } from '../model/audit-actions.ts'
import { kinds } from '../model/kinds/index.ts'
import { bindCursor } from '../server/cursor.ts'
import { entry, insertEntry } from '../server/journal/audit.ts'
import {
  checkpointBytes,
  entryHash,
  exportBytes,
  genesisHash,
  keyIdOf,
  sealHash,
} from '../server/journal/seal.ts'
import { sealAll } from '../server/journal/sealer.ts'
import { publicKeys, rotateSigningKey } from '../server/journal/signing-keys.ts'
import { operations } from '../server/operations.ts'
import { inExportTurn } from '../server/records/audit-log/export-turns.ts'
import { commandLine } from './support/command-line.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * An exported audit log shows by itself whether it is whole and unchanged: whatever is done to the file, or to the
 * tables before it is exported, is found, by what it says itself or by what was kept elsewhere.
 */

// biome-ignore lint/suspicious/noExplicitAny: lines are taken apart and put together wrongly
type Line = any

let one: TestService
let acme: TestOrganization
let lines: string[]
const directory = mkdtempSync(join(tmpdir(), 'plumbline-audit-export-'))

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  // With checkpoints on its way, and one change of the key.
  for (let part = 0; part < 3; part++) {
    const titles = ['Fire', 'Fünf "Zeilen"\n', '=1+1', '\u2028 🔥 \u007f', '{"a":1}']
    for (const title of titles) await one.call(acme.admin, 'createRisk', { title: `${title} ${part}` })
    const { rows } = await one.administrator.query('select clock_now() as now')
    const event = {
      time: rows[0].now.toISOString(),
      action: recordAction(kinds.risk, 'update'),
      subject: { type: 'risk', id: 'risk_x' },
    }
    const agent = { ...acme.admin, channel: 'mcp', client: 'half a pair \ud83d', tool: 'updateRisk' } as const
    await one.administrator.query(insertEntry(...entry(agent, event)))
    await exported()
    if (part === 0) await rotateSigningKey(one.service)
  }
  lines = await exported()
})
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true })
  await one.close()
})

async function exported(input: object = {}, of = acme): Promise<string[]> {
  const all: string[] = []
  let cursor: string | null = null
  do {
    const page: { lines: string[]; nextCursor: string | null } = (
      await one.call(of.admin, 'exportAuditLog', { ...input, limit: 4, ...(cursor ? { cursor } : {}) })
    ).body
    all.push(...page.lines)
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}

function verdict(of: readonly string[], trust: Trust = NO_TRUST): Report {
  const verifier = new Verifier(trust)
  for (const line of of) verifier.take(line)
  return verifier.end()
}

const parsed = (): Line[] => lines.map((line) => JSON.parse(line))
const text = (all: Line[]) => all.map((line) => JSON.stringify(line))

test('an export is whole, and says by which key', async () => {
  const [newest] = await publicKeys(one.service)
  expect(verdict(lines)).toMatchObject({
    problem: null,
    isWhole: true,
    sealed: 18,
    firstSeq: 1,
    lastSeq: 18,
    signedBy: newest!.id,
    isKeyKnown: false,
  })
  const keys = readPublicKeys(newest!.publicKey)
  expect(verdict(lines, { keys, checkpoints: [] })).toMatchObject({ ok: true, isKeyKnown: true })
  expect(lines.filter((line) => line.startsWith('{"checkpoint"'))).toHaveLength(3)
  expect(verdict(await exported({}, await one.organization()))).toMatchObject({
    ok: true,
    sealed: 0,
    signedBy: null,
  })
})

test('as docs/audit-log.md says, it can be verified without a line of ours', () => {
  const sha = (bytes: string) => createHash('sha256').update(bytes).digest('hex')
  const all = parsed()
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

/** mulberry32: the same thousand each time, and another by another seed. */
function randomBy(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

/** Makes the chain right again behind a change, as somebody would who can do everything but sign. */
function rechain(all: Line[]): Line[] {
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

type Random = ReturnType<typeof randomBy>

/** Somewhere behind the header and before the footer. */
const inside = (random: Random) => 1 + random(lines.length - 2)

/** A value in an entry is another. */
function alter(all: Line[], random: Random): Line[] {
  const changed = structuredClone(all)
  const entries = changed.filter((line) => line.seal)
  const { entry } = entries[random(entries.length)]
  const names = Object.keys(entry).filter((name) => name !== 'organizationId')
  const name = names[random(names.length)]!
  entry[name] = entry[name] === null ? 'x' : `${entry[name]}x`
  return changed
}

function forgedEntry(random: Random): Line {
  const entries = parsed().filter((line) => line.seal)
  const forged = entries[random(entries.length)]
  forged.entry.id = `aud_${random(1e9)}`
  return forged
}

const MUTATIONS: Record<string, (random: Random) => string[]> = {
  'a letter is another': (random) => {
    const at = random(lines.length)
    const line = lines[at]!
    const place = random(line.length)
    const other = String.fromCharCode(33 + random(94))
    return lines.with(
      at,
      line.slice(0, place) + (line[place] === other ? '~ ' : other) + line.slice(place + 1),
    )
  },
  'a value is another': (random) => text(alter(parsed(), random)),
  'a value is another and the chain made anew': (random) => text(rechain(alter(parsed(), random))),
  'lines are gone': (random) => lines.toSpliced(random(lines.length), 1 + random(5)),
  'lines are gone and the chain made anew': (random) =>
    text(rechain(parsed().toSpliced(inside(random), 1 + random(3)))),
  'a line stands twice': (random) =>
    lines.toSpliced(random(lines.length + 1), 0, lines[random(lines.length)]!),
  'an entry was put in': (random) => text(parsed().toSpliced(inside(random), 0, forgedEntry(random))),
  'an entry was put in and the chain made anew': (random) =>
    text(rechain(parsed().toSpliced(inside(random), 0, forgedEntry(random)))),
  'an entry was put in as too young': (random) => {
    const forged = { ...forgedEntry(random), seal: null }
    forged.entryHash = entryHash(Object.values(forged.entry) as string[]).toString('hex')
    const all = parsed()
    all.at(-1).footer.unsealed = [forged.entryHash]
    return text(all.toSpliced(-1, 0, forged))
  },
  'two lines are swapped': (random) => {
    const [a, b] = [random(lines.length), random(lines.length - 1)]
    const other = b >= a ? b + 1 : b
    return lines.with(a, lines[other]!).with(other, lines[a]!)
  },
  'two entries are swapped in the chain': (random) => {
    const all = parsed()
    const at = all.flatMap((line, index) => (line.seal ? index : []))
    const first = random(at.length)
    const second = (first + 1 + random(at.length - 1)) % at.length
    const [a, b] = [at[first]!, at[second]!]
    return text(rechain(all.with(a, all[b]).with(b, all[a])))
  },
  'it was cut': (random) => lines.slice(0, random(lines.length)),
  'it was cut, with a footer that is right': (random) => {
    const all = parsed()
    const kept = all.slice(0, inside(random))
    const footer = structuredClone(all.at(-1))
    footer.footer.sealed = kept.filter((line) => line.seal).length
    footer.footer.lastSeq = footer.footer.sealed
    return text([...kept, footer])
  },
}

test('a thousand changed files are found, whatever was changed', () => {
  const random = randomBy(20_261_122)
  const names = Object.keys(MUTATIONS)
  const unfound: string[] = []
  for (let made = 0; made < 1_040; made++) {
    const name = names[made % names.length]!
    const mutated = MUTATIONS[name]!(random)
    if (mutated.join('\n') === lines.join('\n')) throw new Error(`${name} changed nothing`)
    if (verdict(mutated).ok) unfound.push(`${made}: ${name}`)
  }
  expect(unfound).toEqual([])
})

test('what is wrong is said in words, with its place', () => {
  const of = (name: string, ...all: string[]) => [name, verdict(all).problem]
  const at = (seq: number) => lines.findIndex((line) => line.includes(`"seq":${seq},"entryId"`))
  const id = JSON.parse(lines[at(9)]!).entry.id
  expect(of('gone', ...lines.toSpliced(at(8), 1))[1]).toEqual({
    line: at(8) + 1,
    seq: 9,
    entryId: id,
    what: 'What was sealed as 8 is missing.',
  })
  expect(of('edited', ...lines.with(at(9), lines[at(9)]!.replace('risk', 'risc')))[1]).toEqual({
    line: at(9) + 1,
    seq: 9,
    entryId: id,
    what: 'The entry was changed: it does not have its hash.',
  })
  expect(of('cut', ...lines.slice(0, at(9)))[1]).toMatchObject({
    what: expect.stringContaining('without its footer'),
  })
})

/** A log made wholly anew, signed by a key of the forger's own. */
function forge(): string[] {
  const pair = generateKeyPairSync('ed25519')
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' })
  const keyId = keyIdOf(publicKey)
  const all = rechain(alter(parsed(), randomBy(1)))
  const signed = (part: 'header' | 'footer', value: object) => ({
    [part]: value,
    signature: sign(null, exportBytes(part, JSON.stringify(value)), pair.privateKey).toString('base64'),
  })
  return text(
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

const outside = () =>
  readCheckpoints(readFileSync(one.service.config.auditCheckpointsFile, 'utf8')).checkpoints

test('a log that was forged as a whole is found by the key one knows, or by a checkpoint kept elsewhere', async () => {
  const forged = forge()
  expect(verdict(forged)).toMatchObject({ ok: true, isKeyKnown: false })
  const keys = new Map<string, KeyObject>()
  for (const { publicKey } of await publicKeys(one.service))
    for (const [id, key] of readPublicKeys(publicKey)) keys.set(id, key)
  expect(verdict(forged, { keys, checkpoints: [] }).problem?.what).toContain('not a public key that you gave')
  expect(verdict(forged, { keys: new Map(), checkpoints: outside() }).problem?.what).toContain(
    'was made anew',
  )
  expect(verdict(lines, { keys, checkpoints: outside() })).toMatchObject({
    ok: true,
    isKeyKnown: true,
    matched: 3,
  })
})

test('an end that was cut off in the tables is found by a checkpoint from outside, and by nothing else', async () => {
  const cut = await one.organization()
  for (const title of ['One', 'Two', 'Three']) await one.call(cut.admin, 'createRisk', { title })
  await exported({}, cut)
  for (const table of [
    'audit_seals where seq > 2 and',
    'audit_checkpoints where',
    "audit_entries where subject->>'title' = 'Three' and",
  ])
    await one.administrator.query(`delete from ${table} organization_id = $1`, [cut.id])
  const again = await exported({}, cut)
  expect(verdict(again)).toMatchObject({ ok: true, lastSeq: 2 })
  expect(verdict(again, { keys: new Map(), checkpoints: outside() }).problem).toMatchObject({
    what: 'It was cut at its end: a checkpoint from outside shows that 3 were sealed, and 3 is missing.',
  })
})

test('what was changed or taken out of the tables shows in the next export', async () => {
  const other = await one.organization()
  for (const title of ['One', 'Two', 'Three']) await one.call(other.admin, 'createRisk', { title })
  await exported({}, other)
  const named = `organization_id = '${other.id}' and subject->>'title' = 'Two'`
  await one.administrator.query(
    `update audit_entries set actor = '{"type":"user","id":"usr_other"}' where ${named}`,
  )
  expect(verdict(await exported({}, other)).problem).toMatchObject({
    seq: 2,
    what: expect.stringContaining('changed'),
  })
  await one.administrator.query(`delete from audit_entries where ${named}`)
  expect(verdict(await exported({}, other)).problem).toMatchObject({
    seq: 2,
    what: expect.stringContaining('missing'),
  })
})

test('what was put into the tables among what is sealed already shows in the next export', async () => {
  const other = await one.organization()
  for (const title of ['One', 'Two']) await one.call(other.admin, 'createRisk', { title })
  await sealAll(one.service.database.engine)
  const deed = {
    time: '2026-01-01T00:00:00.000Z',
    action: recordAction(kinds.risk, 'delete'),
    subject: { type: 'risk', id: 'risk_never' },
  }
  await one.administrator.query(insertEntry(...entry(other.admin, deed)))
  await one.administrator.query(
    `update audit_entries set xact = '3' where organization_id = $1 and subject_id = 'risk_never'`,
    [other.id],
  )
  await one.call(other.admin, 'createRisk', { title: 'Three' })
  const { problem } = verdict(await exported({}, other))
  expect(problem).toMatchObject({ seq: null, what: expect.stringContaining('it was put in later') })
})

test('a span of time is an excerpt without a gap, which says that it is one', async () => {
  const all = parsed().filter((line) => line.seal)
  const [from, to] = [all[6].entry.time, all[12].entry.time]
  const excerpt = await exported({ from, to })
  expect(verdict(excerpt)).toMatchObject({ problem: null, isWhole: false })
  const times = excerpt.flatMap((line) => JSON.parse(line).entry?.time ?? [])
  expect(times.length).toBeGreaterThanOrEqual(6)
  expect(times.length).toBeLessThan(18)
  expect(verdict(excerpt.toSpliced(1, 1)).ok).toBe(false)
  expect(verdict(await exported({ from: '2001-01-01T00:00:00Z', to: '2001-01-02T00:00:00Z' }))).toMatchObject(
    { ok: true, sealed: 0 },
  )
})

test('what is too young to be sealed stands at the end, and says so', async () => {
  const other = await one.organization()
  await one.call(other.admin, 'createRisk', { title: 'One' })
  const page = (await one.call(other.admin, 'exportAuditLog', { limit: 1_000 })).body as { lines: string[] }
  expect(JSON.parse(page.lines.at(-1)!).footer).toMatchObject({ sealed: 1, unsealed: [] })
  // Begun before the next is written, and ended after it.
  await one.call(other.admin, 'createRisk', { title: 'Two' })
  await exported({}, other)
  const first = (await one.call(other.admin, 'exportAuditLog', { limit: 1 })).body as {
    lines: string[]
    nextCursor: string
  }
  await one.call(other.admin, 'createRisk', { title: 'Three' })
  const last = (await one.call(other.admin, 'exportAuditLog', { limit: 5, cursor: first.nextCursor }))
    .body as { lines: string[] }
  const whole = [...first.lines, ...last.lines]
  expect(verdict(whole)).toMatchObject({ problem: null, sealed: 2, unsealed: 1 })
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

test('the command line exports to a file, and verifies it with nothing beside it', async () => {
  const plumbline = commandLine({
    DATABASE_URL: one.database.url,
    MASTER_KEY: one.masterKey,
    AUDIT_CHECKPOINTS_FILE: one.service.config.auditCheckpointsFile,
  })
  const offline = commandLine({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' })
  const { rows } = await one.administrator.query('select email from users where id = $1', [
    acme.admin.accountId,
  ])
  const [log, bad, sheet] = ['log.jsonl', 'bad.jsonl', 'log.csv'].map((name) => join(directory, name))
  const as = `--organization ${acme.id} --as ${rows[0].email}`
  const [toFile, toOutput, toSheet] = await Promise.all([
    plumbline(`audit export ${as} --file ${log} --json`),
    plumbline(`audit export ${as} --format csv`),
    plumbline(`audit export ${as} --format csv --file ${log}.csv --json`),
  ])
  expect((toSheet.json as { lines: number }).lines).toBe(
    readFileSync(`${log}.csv`, 'utf8').split('\n').length - 1,
  )
  expect(toFile).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(log!, 'utf8').trimEnd().split('\n')).toHaveLength(
    (toFile.json as { lines: number }).lines,
  )
  writeFileSync(bad!, readFileSync(log!, 'utf8').replace('Fire 1', 'Ice 1'))
  writeFileSync(sheet!, toOutput.stdout)
  expect(toOutput.stdout).toMatch(/^\uFEFF"seq","sealedAt"/)
  expect(toOutput.stdout).not.toMatch(/(^|,)"[=+@-]/m)
  const known = (await publicKeys(one.service)).map(({ publicKey }) => publicKey).join(',')
  const [good, wrong, noLog, absent] = await Promise.all([
    offline(
      `audit verify ${log} --checkpoints ${one.service.config.auditCheckpointsFile} --public-key ${known}`,
    ),
    offline(`audit verify ${bad}`),
    offline(`audit verify ${sheet} --json`),
    offline(`audit verify ${join(directory, 'none')}`),
  ])
  expect([good.code, good.stderr]).toEqual([0, ''])
  expect(good.stdout).toMatch(/^Whole and unchanged\.\n/)
  expect(good.stdout).not.toContain('--public-key')
  expect(wrong.code).toBe(1)
  expect(wrong.stdout).toMatch(/^WRONG at line \d+, seal 7, entry aud_\w+: The entry was changed/)
  expect([noLog.code, noLog.json]).toEqual([
    2,
    { ok: null, problem: expect.stringMatching(/log\.csv is an export as CSV.*--format jsonl/) },
  ])
  expect([absent.code, existsSync(join(directory, 'none'))]).toEqual([2, false])
})

test('checkpoints that have none of the log, or are none, are held against nothing and end with 2', async () => {
  const offline = commandLine({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' })
  const log = join(directory, 'checked.jsonl')
  writeFileSync(log, (await exported()).map((line) => `${line}\n`).join(''))
  const ours = readFileSync(one.service.config.auditCheckpointsFile, 'utf8')
  const byLine = (isOurs: boolean) =>
    ours.split(/(?<=\n)/).filter((line) => line.includes(acme.id) === isOurs)
  const held = async (name: string, text: string) => {
    const path = join(directory, name)
    writeFileSync(path, text)
    const { code, stdout } = await offline(`audit verify ${log} --checkpoints ${path}`)
    return [code, stdout]
  }
  const none = expect.stringContaining('has no checkpoint of this log')
  expect(await held('empty', '')).toEqual([2, none])
  expect(await held('of-others', byLine(false).join(''))).toEqual([2, none])
  expect(await held('garbage', 'garbage\n')).toEqual([2, expect.stringContaining('is not a checkpoint')])
  const torn = byLine(true).join('')
  expect(await held('torn', `${torn}{"organizationId":"or`)).toEqual([
    0,
    expect.stringContaining('is half written'),
  ])
  expect(await held('torn-within', `{"organizationId":"or\n${torn}`)).toEqual([
    2,
    expect.stringContaining('Line 1 of the checkpoints is not a checkpoint'),
  ])
})

test('what is no export is said to be none, and a copy with other line ends is still whole', async () => {
  const offline = commandLine({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' })
  const verify = async (name: string, text: string) => {
    const path = join(directory, name)
    writeFileSync(path, text)
    const { code, stdout } = await offline(`audit verify ${path}`)
    return [code, stdout]
  }
  const of = (end: string) => lines.map((line) => `${line}${end}`).join('')
  const other = (what: RegExp) => [2, expect.stringMatching(what)]
  expect(
    await Promise.all([
      verify('empty.jsonl', ''),
      verify('letter.txt', 'Dear auditor,\n'),
      verify(
        'shown.jsonl',
        '{"id":"aud_1","time":"2026-01-01T00:00:00.000Z","actor":{},"action":"risk.create"}\n',
      ),
      verify('windows.jsonl', `\uFEFF${of('\r\n')}`),
      verify('changed.jsonl', of('\r\n').replace('Fire 1', 'Ice 1')),
    ]),
  ).toEqual([
    other(/empty\.jsonl is empty.*--format jsonl/),
    other(/letter\.txt is no export of the audit log.*--format jsonl/),
    other(/shown\.jsonl has what the filters of the app show.*--format jsonl/),
    [0, expect.stringMatching(/^Whole and unchanged\.[\s\S]*a byte order mark and line ends of Windows/)],
    [1, expect.stringMatching(/^WRONG at line \d+, seal 7/)],
  ])
})
