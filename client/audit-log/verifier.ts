import type { KeyObject } from 'node:crypto'
import {
  ENTRY_FIELDS,
  entryHash,
  exportBytes,
  genesisHash,
  hex,
  sealHash,
} from '../../server/journal/seal.ts'

import {
  type CheckpointFields,
  CheckpointLine,
  type EntryFields,
  EntryLine,
  Footer,
  type FooterFields,
  Header,
  type HeaderFields,
  type OutsideCheckpointFields,
} from './lines.ts'
import { idOf, isSignature, isSigned, NO_TRUST, readPublicKey, type Trust, Untrustworthy } from './trust.ts'

/**
 * Judges an exported audit log, line by line, by nothing but its bytes and what the reader knows from elsewhere.
 *
 * The chain shows that what stands between its first seal and its last is whole and in order. Signatures, at its ends
 * and at the last seal, show that an instance with that key said so. Two things no file can show of itself: that its
 * key is the right one (a forger may make a chain and a key, so give the key that you know), and that nothing is
 * missing behind its end (who cuts the table and exports it anew has a file that is right in itself, so give the
 * checkpoints that were kept elsewhere).
 *
 * It stops at the first thing that is wrong: what comes behind it stands on sand.
 */
export interface Problem {
  /** Of the file, from 1. */
  readonly line: number
  readonly seq: number | null
  readonly entryId: string | null
  readonly what: string
}

export interface Report {
  readonly ok: boolean
  readonly problem: Problem | null
  readonly organizationId: string | null
  readonly exportedAt: string | null
  /** Whether it begins at the first seal and was not limited to a span of time. */
  readonly isWhole: boolean
  readonly firstSeq: number
  readonly lastSeq: number
  readonly lastHash: string | null
  readonly sealed: number
  readonly unsealed: number
  /** Who signed the end of it; null where nothing is sealed. */
  readonly signedBy: string | null
  /** Whether that key was known from elsewhere. */
  readonly isKeyKnown: boolean
  /** How many checkpoints from outside were found in it. */
  readonly matched: number
  /** The newest of these: what was sealed after it could have been cut off, and would not show. Null where none was. */
  readonly seenUntil: { readonly seq: number; readonly time: string } | null
}

/** A request ends after 30 seconds; the rest is for clocks of the database that were set. */
const LONGEST_TRANSACTION_MS = 10 * 60_000

class Wrong extends Error {
  override name = 'Wrong'
}

export class Verifier {
  readonly #trust: Trust
  #line = 0
  #problem: Problem | null = null
  #header: HeaderFields['header'] | null = null
  #footer: FooterFields['footer'] | null = null
  #keys = new Map<string, KeyObject>()
  #outside = new Map<number, OutsideCheckpointFields[]>()
  #seenUntil: { seq: number; time: string } | null = null
  #seq = 0
  #firstSeq = 0
  #hash: string | null = null
  #lastEntryId: string | null = null
  #sealed = 0
  #checkpoints = 0
  #unsealed: string[] = []
  #signed: { seq: number; keyId: string } | null = null
  #matched = 0

  constructor(trust: Trust = NO_TRUST) {
    this.#trust = trust
  }

  /** Whether something is wrong already, so that no further line can change the verdict. */
  get isDecided(): boolean {
    return this.#problem !== null
  }

  /** @param line without its line feed */
  take(line: string): void {
    this.#line += 1
    this.#judge(null, () => this.#read(line))
  }

  /** The verdict, when the last line has been taken. */
  end(): Report {
    this.#line += 1
    this.#judge(this.#seq || null, () => this.#close())
    const signedBy = this.#signed?.keyId ?? null
    return {
      ok: this.#problem === null,
      problem: this.#problem,
      organizationId: this.#header?.organizationId ?? null,
      exportedAt: this.#header?.exportedAt ?? null,
      isWhole: this.#isWhole(),
      firstSeq: this.#firstSeq,
      lastSeq: this.#seq,
      lastHash: this.#hash,
      sealed: this.#sealed,
      unsealed: this.#unsealed.length,
      signedBy,
      isKeyKnown: signedBy !== null && this.#isKnown(signedBy),
      matched: this.#matched,
      seenUntil: this.#seenUntil,
    }
  }

  #judge(seq: number | null, work: () => void): void {
    if (this.#problem) return
    try {
      work()
    } catch (error) {
      if (!(error instanceof Wrong || error instanceof Untrustworthy)) throw error
      const at = error instanceof At ? error : { seq, entryId: null }
      this.#problem = { line: this.#line, seq: at.seq, entryId: at.entryId, what: error.message }
    }
  }

  #read(line: string): void {
    const value = parsed(line)
    if (this.#line === 1) this.#begin(value)
    else if (this.#footer) throw new Wrong('Something stands behind the footer, which ends the file.')
    else this.#takeLine(value)
  }

  #takeLine(value: unknown): void {
    const isEntry = typeof value === 'object' && value !== null && 'entry' in value
    const entry = isEntry ? EntryLine.safeParse(value) : null
    const checkpoint = isEntry ? null : CheckpointLine.safeParse(value)
    const footer = isEntry || checkpoint?.success ? null : Footer.safeParse(value)
    if (entry?.success) this.#takeEntry(entry.data)
    else if (checkpoint?.success) this.#takeCheckpoint(checkpoint.data.checkpoint)
    else if (footer?.success) this.#takeFooter(footer.data)
    else throw new Wrong('The line is no entry, no checkpoint and no footer: it was changed.')
  }

  #begin(value: unknown): void {
    const { success, data } = Header.safeParse(value)
    if (!success) throw new Wrong('The file does not begin with the header of an exported audit log.')
    const { header, signature } = data
    for (const { id, publicKey } of header.publicKeys) {
      if (idOf(publicKey) !== id) throw new Wrong(`The public key ${id} in the header is not of that id.`)
      this.#keys.set(id, readPublicKey(publicKey))
    }
    this.#refuseUnsigned('header', header, signature)
    this.#header = header
    for (const checkpoint of this.#trust.checkpoints)
      if (checkpoint.organizationId === header.organizationId)
        this.#outside.set(checkpoint.seq, [...(this.#outside.get(checkpoint.seq) ?? []), checkpoint])
  }

  #takeEntry({ entry, entryHash: told, seal }: EntryFields): void {
    const at = { seq: seal?.seq ?? null, entryId: seal?.entryId ?? entry?.id ?? null }
    const wrong = (what: string) => new At(what, at)
    const { organizationId } = this.#header!
    if (seal) this.#refuseGap(seal.seq, wrong)
    if (!entry || !told) throw wrong('The entry is missing: its seal is there, and what it sealed is not.')
    if (entry.organizationId !== organizationId) throw wrong('The entry is of another organization.')
    const made = hex(entryHash(ENTRY_FIELDS.map((name) => entry[name]!)))
    if (made !== told) throw wrong('The entry was changed: it does not have its hash.')
    if (!seal) {
      if (this.#isOlderThanExport(entry.time!))
        throw wrong(
          'The entry has no seal, and everything written by its time had one when the export began: it was put in later.',
        )
      this.#unsealed.push(told)
      return
    }
    if (this.#unsealed.length > 0) throw wrong('A sealed entry stands behind one that is not sealed.')
    if (entry.id !== seal.entryId) throw wrong('The seal is of another entry.')
    const before = seal.seq === 1 ? hex(genesisHash(organizationId)) : (this.#hash ?? seal.prevHash)
    if (seal.prevHash !== before)
      throw wrong('The chain is broken: the seal does not stand on the one before it.')
    const { seq, entryId, sealedAt } = seal
    const hash = sealHash({
      organizationId,
      seq,
      entryId,
      sealedAt,
      entryHash: Buffer.from(made, 'hex'),
      prevHash: Buffer.from(seal.prevHash, 'hex'),
    })
    if (hex(hash) !== seal.hash)
      throw wrong('The entry or its seal was changed: the seal does not have its hash.')
    const outside = this.#outside.get(seq) ?? []
    if (outside.some((other) => other.hash !== seal.hash))
      throw wrong(
        'A checkpoint from outside has another hash here: the chain was made anew, up to here at least.',
      )
    this.#matched += outside.length
    for (const { time } of outside)
      if (!this.#seenUntil || this.#seenUntil.seq < seq || this.#seenUntil.time < time)
        this.#seenUntil = { seq, time }
    this.#firstSeq ||= seq
    this.#seq = seq
    this.#hash = seal.hash
    this.#lastEntryId = entryId
    this.#sealed += 1
  }

  /** An export seals first. What has no seal in it was written since, in a transaction that may have begun before. */
  #isOlderThanExport(time: string): boolean {
    return !(Date.parse(time) > Date.parse(this.#header!.exportedAt) - LONGEST_TRANSACTION_MS)
  }

  #refuseGap(seq: number, wrong: (what: string) => Wrong): void {
    const next = this.#seq === 0 ? this.#header!.firstSeq : this.#seq + 1
    if (seq > next) throw wrong(`What was sealed as ${spanOf(next, seq - 1)} is missing.`)
    if (seq < next) throw wrong(`It is out of order: ${next} is due here.`)
  }

  #takeCheckpoint(checkpoint: CheckpointFields): void {
    const { seq, keyId } = checkpoint
    const wrong = (what: string) => new At(what, { seq, entryId: this.#lastEntryId })
    if (checkpoint.organizationId !== this.#header!.organizationId)
      throw wrong('The checkpoint is of another organization.')
    if (this.#unsealed.length > 0 || seq !== this.#seq)
      throw wrong('The checkpoint stands in the wrong place.')
    if (checkpoint.hash !== this.#hash)
      throw wrong('The checkpoint has another hash than the chain: the chain was made anew.')
    const key = this.#keyOf(keyId)
    if (!key) throw wrong(`The checkpoint is signed by ${keyId}, and the header has no such key.`)
    if (!isSigned(checkpoint, key)) throw wrong('The signature of the checkpoint is wrong.')
    this.#checkpoints += 1
    // Of several, one by a key that is known tells the most.
    if (this.#signed?.seq !== seq || !this.#isKnown(this.#signed.keyId)) this.#signed = { seq, keyId }
  }

  #takeFooter({ footer, signature }: FooterFields): void {
    this.#refuseUnsigned('footer', footer, signature)
    const { organizationId, lastSeq } = this.#header!
    if (footer.organizationId !== organizationId || footer.lastSeq !== lastSeq)
      throw new Wrong('The footer is of another export.')
    this.#footer = footer
  }

  #refuseUnsigned(part: 'header' | 'footer', told: { readonly keyId: string }, signature: string): void {
    const key = this.#keyOf(told.keyId)
    if (!key || !isSignature(signature, exportBytes(part, JSON.stringify(told)), key))
      throw new Wrong(`The ${part} was changed: its signature is wrong.`)
  }

  #close(): void {
    if (!this.#header) throw new Wrong('The file is empty.')
    if (!this.#footer)
      throw new Wrong('The file ends without its footer: it was cut, or the export was stopped.')
    const { firstSeq, lastSeq, from, to } = this.#header
    if (lastSeq > this.#seq)
      throw new Wrong(
        `What was sealed as ${spanOf(Math.max(this.#seq + 1, firstSeq), lastSeq)} is missing at the end.`,
      )
    const isFromTheStart = firstSeq === (lastSeq === 0 ? 0 : 1)
    if (lastSeq < this.#seq || (from === null && to === null && !isFromTheStart))
      throw new Wrong('The header tells of other seals than the file has.')
    const { sealed, unsealed, checkpoints } = this.#footer
    if (
      sealed !== this.#sealed ||
      checkpoints !== this.#checkpoints ||
      unsealed.join() !== this.#unsealed.join()
    )
      throw new Wrong('The footer counts something else than the file has.')
    this.#refuseStranger(this.#header.keyId, 'header')
    this.#refuseStranger(this.#footer.keyId, 'footer')
    this.#refuseCutEnd()
    if (this.#seq === 0) return
    if (this.#signed?.seq !== this.#seq)
      throw new Wrong('The last seal has no checkpoint, which every export has: the file was cut.')
    this.#refuseStranger(this.#signed.keyId, 'end')
  }

  #refuseStranger(keyId: string, what: string): void {
    if (this.#trust.keys.size > 0 && !this.#trust.keys.has(keyId))
      throw new Wrong(`Its ${what} is signed by ${keyId}, which is not a public key that you gave.`)
  }

  /**
   * An export holds every entry that a checkpoint before it knows. Checkpoints since then know newer ones. An excerpt may
   * end before a known checkpoint; its reader sees that it is an excerpt.
   */
  #refuseCutEnd(): void {
    if (!this.#isWhole()) return
    const exportedAt = Date.parse(this.#header!.exportedAt)
    const before = [...this.#outside.values()].flat().filter(({ time }) => Date.parse(time) < exportedAt)
    const furthest = Math.max(0, ...before.map(({ seq }) => seq))
    if (furthest > this.#seq)
      throw new Wrong(
        `It was cut at its end: a checkpoint from outside shows that ${furthest} were sealed, and ${spanOf(this.#seq + 1, furthest)} ${furthest === this.#seq + 1 ? 'is' : 'are'} missing.`,
      )
  }

  #isWhole(): boolean {
    return this.#header?.from === null && this.#header.to === null
  }

  #keyOf(keyId: string): KeyObject | undefined {
    return this.#trust.keys.get(keyId) ?? this.#keys.get(keyId)
  }

  #isKnown(keyId: string): boolean {
    return this.#trust.keys.has(keyId) || this.#trust.checkpoints.some((one) => one.keyId === keyId)
  }
}

class At extends Wrong {
  readonly seq: number | null
  readonly entryId: string | null

  constructor(what: string, at: { seq: number | null; entryId: string | null }) {
    super(what)
    this.seq = at.seq
    this.entryId = at.entryId
  }
}

const spanOf = (from: number, to: number): string => (from === to ? String(from) : `${from} to ${to}`)

/** @throws {Wrong} where the line is not letter by letter what an export writes, such as a name given twice */
function parsed(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line)
    if (JSON.stringify(value) === line) return value
  } catch {
    // Said below.
  }
  throw new Wrong('The line is not JSON as an export writes it: it was changed or torn.')
}
