import type { KeyObject } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCheckpoints, readPublicKeys } from '../client/audit-log/trust.ts'
import { entryHash } from '../server/journal/seal.ts'
import { publicKeys } from '../server/journal/signing-keys.ts'
import {
  alter,
  exported,
  exportedLog,
  forge,
  type Line,
  parsed,
  type Random,
  randomBy,
  rechain,
  verdict,
  written,
} from './support/audit-log.ts'
import { commandLine } from './support/command-line.ts'
import { startTestService, type TestOrganization, type TestService } from './support/service.ts'

/*
 * An exported audit log shows by itself whether it is whole and unchanged: whatever is done to the file is found, by
 * what it says itself or by what was kept elsewhere.
 */

let one: TestService
let acme: TestOrganization
let lines: string[]
const offline = commandLine({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' })
const directory = mkdtempSync(join(tmpdir(), 'plumbline-audit-verify-'))

beforeAll(async () => {
  one = await startTestService()
  acme = await one.organization()
  lines = await exportedLog(one, acme)
})
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true })
  await one.close()
})

/** Somewhere behind the header and before the footer. */
const inside = (random: Random) => 1 + random(lines.length - 2)

function forgedEntry(random: Random): Line {
  const entries = parsed(lines).filter((line) => line.seal)
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
  'a value is another': (random) => written(alter(parsed(lines), random)),
  'a value is another and the chain made anew': (random) => written(rechain(alter(parsed(lines), random))),
  'lines are gone': (random) => lines.toSpliced(random(lines.length), 1 + random(5)),
  'lines are gone and the chain made anew': (random) =>
    written(rechain(parsed(lines).toSpliced(inside(random), 1 + random(3)))),
  'a line stands twice': (random) =>
    lines.toSpliced(random(lines.length + 1), 0, lines[random(lines.length)]!),
  'an entry was put in': (random) => written(parsed(lines).toSpliced(inside(random), 0, forgedEntry(random))),
  'an entry was put in and the chain made anew': (random) =>
    written(rechain(parsed(lines).toSpliced(inside(random), 0, forgedEntry(random)))),
  'an entry was put in as too young': (random) => {
    const forged = { ...forgedEntry(random), seal: null }
    forged.entryHash = entryHash(Object.values(forged.entry) as string[]).toString('hex')
    const all = parsed(lines)
    all.at(-1).footer.unsealed = [forged.entryHash]
    return written(all.toSpliced(-1, 0, forged))
  },
  'two lines are swapped': (random) => {
    const [a, b] = [random(lines.length), random(lines.length - 1)]
    const other = b >= a ? b + 1 : b
    return lines.with(a, lines[other]!).with(other, lines[a]!)
  },
  'two entries are swapped in the chain': (random) => {
    const all = parsed(lines)
    const at = all.flatMap((line, index) => (line.seal ? index : []))
    const first = random(at.length)
    const second = (first + 1 + random(at.length - 1)) % at.length
    const [a, b] = [at[first]!, at[second]!]
    return written(rechain(all.with(a, all[b]).with(b, all[a])))
  },
  'it was cut': (random) => lines.slice(0, random(lines.length)),
  'it was cut, with a footer that is right': (random) => {
    const all = parsed(lines)
    const kept = all.slice(0, inside(random))
    const footer = structuredClone(all.at(-1))
    footer.footer.sealed = kept.filter((line) => line.seal).length
    footer.footer.lastSeq = footer.footer.sealed
    return written([...kept, footer])
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

const outside = () =>
  readCheckpoints(readFileSync(one.service.config.auditCheckpointsFile, 'utf8')).checkpoints

test('a log that was forged as a whole is found by the key one knows, or by a checkpoint kept elsewhere', async () => {
  const forged = forge(lines)
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
    matched: 4,
  })
})

test('it says up to where checkpoints from outside have seen the log', async () => {
  const all = outside().filter(({ organizationId }) => organizationId === acme.id)
  const [first, last] = [all.at(0)!, all.at(-1)!]
  const seen = ({ seq, time }: typeof first) => ({ seq, time })
  const keys = new Map<string, KeyObject>()
  expect(verdict(lines).seenUntil).toBeNull()
  expect(verdict(lines, { keys, checkpoints: [first] }).seenUntil).toEqual(seen(first))
  expect(verdict(lines, { keys, checkpoints: [last, first] }).seenUntil).toEqual(seen(last))
  const [log, outsideFile] = ['seen.jsonl', 'seen-checkpoints'].map((name) => join(directory, name))
  writeFileSync(log!, lines.map((line) => `${line}\n`).join(''))
  writeFileSync(outsideFile!, `${JSON.stringify(first)}\n`)
  const { code, stdout } = await offline(`audit verify ${log} --checkpoints ${outsideFile}`)
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(
        `newest checkpoint from outside is of seal ${first.seq}, .* could have been cut off before the export`,
      ),
    ),
  ])
})

test('the log of the service has each checkpoint, and is taken for the file of them', async () => {
  const [checkpoint] = outside().filter(({ organizationId }) => organizationId === acme.id)
  const logged = [
    { level: 'info', time: '2030-01-31T12:00:00.000Z', msg: 'request', status: 200 },
    { level: 'info', time: '2030-01-31T12:00:01.000Z', msg: 'audit checkpoint', auditCheckpoint: checkpoint },
  ]
  const text = logged.map((line) => `${JSON.stringify(line)}\n`).join('')
  expect(readCheckpoints(text)).toEqual({ checkpoints: [checkpoint], torn: [] })
  const changed = text.replace(`"seq":${checkpoint!.seq}`, `"seq":${checkpoint!.seq + 1}`)
  expect(() => readCheckpoints(changed)).toThrow('does not have the signature')
  const written: string[] = []
  const door = await one.listen({ AUDIT_CHECKPOINTS_FILE: join(directory, 'another.jsonl') }, (line) =>
    written.push(line),
  )
  await door.service.database.engine.query('select 1')
  const { writeCheckpoint } = await import('../server/journal/checkpoints.ts')
  const { rows } = await one.administrator.query(
    'select organization_id, seq from audit_seals s where not exists (select from audit_checkpoints c where c.organization_id = s.organization_id and c.seq = s.seq) limit 1',
  )
  await writeCheckpoint(door.service, rows[0].organization_id, Number(rows[0].seq))
  const line = written.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'audit checkpoint')
  expect(readCheckpoints(`${JSON.stringify(line)}\n`).checkpoints).toEqual([
    expect.objectContaining({ organizationId: rows[0].organization_id, seq: Number(rows[0].seq) }),
  ])
})

test('the command line exports to a file, and verifies it with nothing beside it', async () => {
  const plumbline = commandLine({
    DATABASE_URL: one.database.url,
    MASTER_KEY: one.masterKey,
    AUDIT_CHECKPOINTS_FILE: one.service.config.auditCheckpointsFile,
  })
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
  expect(wrong.stdout).toMatch(/^WRONG at line \d+, seal 8, entry aud_\w+: The entry was changed/)
  expect([noLog.code, noLog.json]).toEqual([
    2,
    { ok: null, problem: expect.stringMatching(/log\.csv is an export as CSV.*--format jsonl/) },
  ])
  expect([absent.code, existsSync(join(directory, 'none'))]).toEqual([2, false])
})

test('checkpoints that have none of the log, or are none, are held against nothing and end with 2', async () => {
  const log = join(directory, 'checked.jsonl')
  writeFileSync(log, (await exported(one, acme)).map((line) => `${line}\n`).join(''))
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
    [1, expect.stringMatching(/^WRONG at line \d+, seal 8/)],
  ])
})
