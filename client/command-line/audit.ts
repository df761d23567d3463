import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { linesOf } from '../../model/lines.ts'
import type { Caller } from '../../server/caller/caller.ts'
import { publicKeys, rotateSigningKey } from '../../server/journal/signing-keys.ts'
import type { Service } from '../../server/service.ts'
import { csvOf } from '../audit-log/csv.ts'
import { NO_TRUST, readCheckpoints, readPublicKeys, type Trust, Untrustworthy } from '../audit-log/trust.ts'
import { type Report, Verifier } from '../audit-log/verifier.ts'
import { AS, type Command, type Given, Misused, ORGANIZATION } from './command.ts'
import { card, table } from './print.ts'
import { callerOf, perform, withService } from './service.ts'

const exportLog: Command = {
  name: 'audit export',
  summary: 'Exports the audit log with its seals, to be verified by anybody',
  flags: {
    organization: ORGANIZATION,
    as: { ...AS, about: 'the admin it acts as' },
    format: { value: 'jsonl|csv', about: 'jsonl (verifiable, where nothing is said) or csv' },
    from: { value: 'TIME', about: 'at or after: 2030-01-31, or 2030-01-31T12:00:00Z' },
    to: { value: 'TIME', about: 'before' },
    file: { value: 'FILE', about: 'a new file to write; standard output where none is given' },
  },
  run: async (given) => {
    const { organization = '', as, format = 'jsonl', from, to, file } = given.flags
    if (format !== 'jsonl' && format !== 'csv')
      throw new Misused(`--format is jsonl or csv, not ${format}`, exportLog)
    if (given.json && file === undefined)
      throw new Misused('--json needs --file: the log has lines of its own', exportLog)
    if (file !== undefined && existsSync(file)) throw new Misused(`${file} is there already`, exportLog)
    return withService(given, async (service) => {
      const caller = await callerOf(service, organization, as)
      const span = { ...(from ? { from } : {}), ...(to ? { to } : {}) }
      const first = await nextPage(service, caller, span)
      const out = file === undefined ? process.stdout : createWriteStream(file, { flags: 'wx', mode: 0o600 })
      const count = await writeAll(service, caller, span, first, format === 'csv' ? csvOf : plainOf, out)
      if (out !== process.stdout) {
        out.end()
        await finished(out)
      }
      const text = file === undefined ? null : `Exported ${count} lines to ${file}.`
      return { json: { file: file ?? null, format, lines: count }, text }
    })
  },
}

const verify: Command = {
  name: 'audit verify',
  summary: 'Tells whether an exported audit log is whole and unchanged, from nothing but the file',
  takes: 'FILE',
  flags: {
    checkpoints: {
      value: 'FILE',
      about: 'checkpoints kept outside of the database: finds a log that was cut',
    },
    'public-key': {
      value: 'KEY|FILE',
      about: "the instance's public keys as you know them: finds a forged log",
    },
  },
  notes:
    'It needs no service and no database, and answers with 0 where all is well, 1 where something is wrong, 2 where\nit could not look. docs/audit-log.md says what each of these shows, and how to verify without this program.',
  run: async ({ word, flags }) => {
    try {
      const { trust, torn } = trustFrom(flags)
      const { report, rewritten } = await verifyFile(word, trust)
      if (flags.checkpoints !== undefined) refuseUnmatched(report, flags.checkpoints)
      return { json: report, text: wordsOf(report, torn, rewritten), exitCode: report.ok ? 0 : 1 }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (!(error instanceof Untrustworthy) && code === undefined) throw error
      const what =
        error instanceof Untrustworthy ? error.message : `A file cannot be read: ${(error as Error).message}.`
      return { json: { ok: null, problem: what }, text: what, exitCode: 2 }
    }
  },
}

const keys: Command = {
  name: 'audit keys',
  summary: 'Shows the public keys that sign the audit log, the newest first',
  flags: {},
  run: (given) =>
    withService(given, async (service) => {
      const data = await publicKeys(service)
      const fields = { id: 'ID', createdAt: 'MADE', publicKey: 'PUBLIC KEY' }
      return {
        json: { data },
        text: table(data, fields, 'There is none yet: the first checkpoint makes it.'),
      }
    }),
}

const rotate: Command = {
  name: 'audit rotate-key',
  summary: 'Makes a new key that signs the audit log from now on',
  flags: {},
  notes: 'The old public keys are kept: what they signed is verified with them.',
  run: (given) =>
    withService(given, async (service) => {
      const key = await rotateSigningKey(service)
      return { json: key, text: card('The new key signs from now on.', key) }
    }),
}

interface Page {
  readonly lines: readonly string[]
  readonly nextCursor: string | null
}

const nextPage = async (service: Service, caller: Caller, input: object): Promise<Page> =>
  (await perform(service, caller, 'exportAuditLog', { ...input, limit: 1_000 })) as Page

/** A page at a time, none before the last was taken up. @returns how many lines were written */
async function writeAll(
  service: Service,
  caller: Caller,
  span: object,
  first: Page,
  form: (lines: readonly string[], isFirst: boolean) => string,
  out: Writable,
): Promise<number> {
  let count = 0
  for (let page = first; ; ) {
    const text = form(page.lines, page === first)
    await written(out, text)
    count += text.split('\n').length - 1
    if (page.nextCursor === null) return count
    page = await nextPage(service, caller, { ...span, cursor: page.nextCursor })
  }
}

const written = (out: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    out.write(text, (error) => (error ? reject(error) : resolve()))
  })

const plainOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** What was given of what is known from elsewhere. */
function trustFrom(flags: Given['flags']): { trust: Trust; torn: number[] } {
  const given = flags['public-key']
  const keys =
    given === undefined
      ? NO_TRUST.keys
      : readPublicKeys(existsSync(given) ? readFileSync(given, 'utf8') : given)
  if (flags.checkpoints === undefined) return { trust: { keys, checkpoints: [] }, torn: [] }
  const { checkpoints, torn } = readCheckpoints(readFileSync(flags.checkpoints, 'utf8'))
  const strange = checkpoints.find(({ keyId }) => keys.size > 0 && !keys.has(keyId))
  if (strange)
    throw new Untrustworthy(
      `The checkpoints have one of the key ${strange.keyId}, which is not a public key that you gave.`,
    )
  return { trust: { keys, checkpoints }, torn }
}

/** @throws {Untrustworthy} where it is no export that could be verified, rather than one that was changed */
async function verifyFile(path: string, trust: Trust): Promise<{ report: Report; rewritten: string[] }> {
  const verifier = new Verifier(trust)
  const rewritten = new Set<string>()
  let first = true
  for await (const line of linesOf(createReadStream(path, 'utf8'))) {
    const { text, marks } = withoutMarks(line)
    if (first) refuseOtherFile(path, text)
    first = false
    for (const mark of marks) rewritten.add(mark)
    verifier.take(text)
    if (verifier.isDecided) break
  }
  if (first) refuseOtherFile(path, '')
  return { report: verifier.end(), rewritten: [...rewritten] }
}

/**
 * Whoever gives checkpoints wants the log held against them: a copy that went wrong must not pass for one that fits.
 */
function refuseUnmatched({ ok, isWhole, sealed, matched, organizationId }: Report, path: string): void {
  if (ok && isWhole && sealed > 0 && matched === 0)
    throw new Untrustworthy(
      `${path} has no checkpoint of this log, of organization ${organizationId}, so it was held against none: give the file that the service writes, or a copy of it.`,
    )
}

/** What editors and transfers put around lines. No seal is of it, so it is taken off, and told. */
function withoutMarks(line: string): { text: string; marks: string[] } {
  const text = line.replace(/^\uFEFF/, '').replace(/\r$/, '')
  const marks = [
    ...(line.startsWith('\uFEFF') ? ['a byte order mark'] : []),
    ...(line.endsWith('\r') ? ['line ends of Windows (CRLF)'] : []),
  ]
  return { text, marks }
}

function refuseOtherFile(path: string, firstLine: string): void {
  if (firstLine.startsWith('{') && !isShownEntry(firstLine)) return
  const what =
    firstLine === ''
      ? `${path} is empty, or begins with an empty line`
      : firstLine.startsWith('{')
        ? `${path} has what the filters of the app show, which is for reading and has no signatures`
        : firstLine.startsWith(CSV_HEAD)
          ? `${path} is an export as CSV, which is for reading and has no signatures`
          : `${path} is no export of the audit log`
  throw new Untrustworthy(`${what}: give the file of \`audit export --format jsonl\`.`)
}

/** A line of the other JSON lines, which the app gives for what its filters show. */
function isShownEntry(line: string): boolean {
  try {
    const value = JSON.parse(line)
    return 'action' in value && 'actor' in value
  } catch {
    return false
  }
}

const CSV_HEAD = csvOf([], true)
  .trim()
  .replace(/^\uFEFF/, '')
  .slice(0, 20)

function wordsOf(report: Report, torn: readonly number[], rewritten: readonly string[]): string {
  const { problem, isWhole, firstSeq, lastSeq, lastHash, sealed, unsealed, matched } = report
  const { organizationId, exportedAt, signedBy, isKeyKnown, seenUntil } = report
  if (problem) {
    const { line, seq, entryId, what } = problem
    const where = [`line ${line}`, seq && `seal ${seq}`, entryId && `entry ${entryId}`].filter(Boolean)
    return `WRONG at ${where.join(', ')}: ${what}`
  }
  const notes = [
    rewritten.length > 0 &&
      `The file got ${rewritten.join(' and ')} on its way, which no seal is of: what the lines say is unchanged.`,
    !isWhole &&
      `It is an excerpt, of seals ${firstSeq} to ${lastSeq}: it says nothing of what was before and after.`,
    unsealed > 0 &&
      `${unsealed} entries at its end were too young to be sealed: the signature of the export is all that holds them.`,
    signedBy !== null &&
      !isKeyKnown &&
      `Its key ${signedBy} is known from the file alone. A forger can make a key, too: give the one you know as --public-key.`,
    seenUntil !== null &&
      isWhole &&
      `The newest checkpoint from outside is of seal ${seenUntil.seq}, made at ${seenUntil.time}, ${agoOf(seenUntil.time, exportedAt)} before the export. ${tailOf(lastSeq - seenUntil.seq)}Entries of that time could have been cut off before the export, and would not show.`,
    matched === 0 &&
      'No checkpoint from outside was held against it, so an end that was cut off before the export would not show: give --checkpoints.',
    torn.length > 0 && `Of the checkpoints, line ${torn.join(', ')} is half written and was passed over.`,
  ].filter((note) => note !== false)
  const facts = { organizationId, exportedAt, sealed, unsealed, lastSeq, lastHash, signedBy, matched }
  return [card('Whole and unchanged.', facts), ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')
}

/** What the file has after the newest checkpoint from outside. */
const tailOf = (seals: number): string =>
  seals === 0 ? '' : `The file has ${seals} ${seals === 1 ? 'seal' : 'seals'} after it. `

function agoOf(time: string, exportedAt: string | null): string {
  const minutes = Math.max(0, Math.round((Date.parse(exportedAt ?? time) - Date.parse(time)) / 60_000))
  if (minutes < 1) return 'less than a minute'
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  return minutes < 2_880 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1_440)} days`
}

export const auditCommands: readonly Command[] = [exportLog, verify, keys, rotate]
