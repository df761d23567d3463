import { createHash } from 'node:crypto'
import type { IncomingBytes } from '../bytes.ts'
import { actorOf, isCapable } from '../caller/caller.ts'
import { type Row, statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { audit } from '../journal/audit.ts'
import type { OwnContext, TransactionContext } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'
import { FILE_COLUMNS, type FileRow, fileOf, PARTS_AT_MOST, readFile, readOwnFile } from './file-record.ts'
import { fileRefused, refuseDisguised, typeOf } from './file-type.ts'
import { keyOfContent, keyOfUpload } from './keys.ts'
import { storageFull, takeTurnOfRoom, USED } from './room.ts'
import { scanContent } from './scan-file.ts'
import type { Joined, Part } from './store.ts'

/**
 * How a file comes in: begun with its name, size and hash, sent in parts, and finished. What was begun is kept for a day,
 * so a line that breaks costs the part that was on it.
 *
 * Each part goes to the store as it comes, and its row says where it lies there. To finish is to have the store put all
 * of them under one key, where their hash is right, and then to write the row that knows it: so a kill leaves bytes
 * without a row, which the sweep finds, and never a row without bytes. A key is used once: what comes again is kept under another one, and nobody who removes the old one
 * takes the new one along. Of the same bytes twice in an organization the second are let go.
 */
const CLAIM_SECONDS = 60

/** So many that are not finished may one person have: what is begun takes room, and others need some as well. */
export const BEGUN_AT_MOST = 20

export interface Begun {
  readonly name: string
  readonly type?: string | undefined
  readonly bytes: number
  readonly sha256: string
  readonly partBytes: number
}

/**
 * Begins a file; of one that the caller began before and did not finish it answers that, with the parts that came, and
 * keeps it for a day from now.
 * @throws {Refusal} `file_refused` for its type or size, `storage_full`; `conflict` for whoever has begun many
 */
export async function beginFile({ tx, caller, parts }: TransactionContext, begun: Begun): Promise<FileRow> {
  const { config } = parts
  const { name, bytes, sha256, partBytes } = begun
  const type = typeOf(config, begun)
  if (bytes > config.fileMaxBytes)
    throw fileRefused(
      `A file may have ${config.fileMaxBytes} bytes, and this one has ${bytes}: make it smaller.`,
    )
  if (Math.ceil(bytes / partBytes) > PARTS_AT_MOST)
    throw invalid({ path: 'partBytes', message: `makes more than ${PARTS_AT_MOST} parts: send larger ones` })
  const id = newId('fil')
  void tx.read(takeTurnOfRoom(tx.organizationId))
  const reading = tx.read<{ id: string }>(begunBy(tx.organizationId, caller.userId))
  const [row] = await tx.read<Row>(
    begin(
      tx.organizationId,
      id,
      name,
      type,
      bytes,
      sha256,
      partBytes,
      JSON.stringify(actorOf(caller)),
      caller.userId,
      config.filesPerOrganization,
    ),
  )
  const open = await reading
  const isKnown = open.some((one) => one.id === row?.id)
  if (open.length >= BEGUN_AT_MOST && !isKnown)
    throw new Refusal(
      'conflict',
      `You have begun ${open.length} files that are not finished: finish them, or end some by cancelFile, as the oldest, ${open[0]!.id}.`,
    )
  if (!row) throw storageFull(config)
  return fileOf(row)
}

/**
 * Ends a file that was begun and not finished: its room is there for others. Who manages settings ends anybody's.
 * @throws {Refusal} `not_found`, `conflict` for one that is finished, or that another call is finishing
 */
export async function cancelFile(context: OwnContext, id: string): Promise<void> {
  const { parts, caller } = context
  const placed = await context.transaction(async (inside) => {
    const file = await (isCapable(caller, 'settings.manage') ? readFile : readOwnFile)(inside, id)
    refuseFinished(file)
    const { organizationId } = inside.tx
    const [gone] = await inside.tx.read<{ places: { number: number; place: string }[] }>(
      removeBegun(organizationId, id),
    )
    if (!gone) throw beingFinished()
    return gone.places.map(({ number, place }) => ({ ...partOf(file, number), place }))
  })
  // What stays is found by the sweep.
  await parts.files
    .removeParts(keyOfUpload(caller.organizationId, id), placed)
    .catch((err) => parts.log.warn({ err }, 'parts of a file that was ended could not be removed'))
}

/**
 * Takes one part; one that came before is replaced.
 * @throws {Refusal} `not_found`, `conflict` for a finished file, `validation_failed` for one of another length or hash
 */
export async function takePart(
  context: OwnContext,
  id: string,
  number: number,
  content: IncomingBytes,
  sha256: string | undefined,
): Promise<FileRow> {
  const { parts, caller } = context
  const part = await context.transaction(async (inside) => {
    const file = await readOwnFile(inside, id)
    refuseFinished(file)
    const part = partOf(file, number)
    if (content.length !== null && content.length !== part.bytes) throw wrongLength(part)
    // It is not there while it is written over.
    if (file.parts.includes(number)) inside.tx.write(removePart(inside.tx.organizationId, id, number))
    return part
  })
  const { bytes } = part
  const hash = sha256 === undefined ? null : createHash('sha256')
  const place = await parts.files.putPart(keyOfUpload(caller.organizationId, id), part, checked())
  return context.transaction(async (inside) => {
    const [row] = await inside.tx.read<Row>(addPart(inside.tx.organizationId, id, number, place))
    if (!row) {
      // While the part was on its way the upload was ended, or finished, or another call is at that.
      refuseFinished(await readOwnFile(inside, id))
      throw beingFinished()
    }
    const file = fileOf(row)
    const others = file.parts.filter((one) => one !== number)
    return { ...file, parts: [...others, number].sort((one, other) => one - other) }
  })

  async function* checked() {
    let length = 0
    for await (const chunk of content.read(bytes)) {
      length += chunk.length
      hash?.update(chunk)
      yield chunk
    }
    if (length !== bytes) throw wrongLength(part)
    if (hash && hash.digest('hex') !== sha256)
      throw invalid({ path: 'sha256', message: 'is not that of the bytes that came: send the part again' })
  }
}

function partOf({ bytes, partBytes }: FileRow, number: number): Part {
  const count = Math.ceil(bytes / partBytes)
  if (number > count) throw invalid({ path: 'number', message: `the file has ${count} parts` })
  const from = (number - 1) * partBytes
  return { number, from, bytes: Math.min(partBytes, bytes - from) }
}

const wrongLength = ({ number, bytes }: Part) =>
  invalid({ path: 'content', message: `part ${number} has ${bytes} bytes: send these, no more and no fewer` })

/**
 * Finishes a file all of whose parts came. One that is finished already is answered as it is.
 * @throws {Refusal} `not_found`, `conflict` while another call finishes it, `validation_failed` where a part is missing or
 *   the bytes have another hash, `file_refused` where they are not what the name says
 */
export async function finishFile(context: OwnContext, id: string): Promise<FileRow> {
  const { parts, caller } = context
  const { organizationId } = caller
  const claimId = newId('clm')
  const { file, placed } = await context.transaction(async (inside) => {
    const known = await readOwnFile(inside, id)
    if (known.contentId !== null) return { file: known, placed: [] }
    refuseMissing(known)
    const [claimed] = await inside.tx.read(claim(organizationId, id, claimId))
    if (!claimed) throw beingFinished()
    // From here on no part is replaced.
    const rows = await inside.tx.read<{ number: number; place: string }>(readParts(organizationId, id))
    refuseMissing({ ...known, parts: rows.map(({ number }) => number) })
    return { file: known, placed: rows.map(({ number, place }) => ({ ...partOf(known, number), place })) }
  })
  if (file.contentId !== null) return file
  const upload = keyOfUpload(organizationId, id)
  const key = keyOfContent(organizationId, id)
  // Of a large one it takes long to read what was not hashed as it came.
  const renewing = setInterval(
    () =>
      context
        .transaction(async ({ tx }) => tx.write(renew(organizationId, id, claimId)))
        .catch((err) => parts.log.warn({ err }, 'the claim on a file could not be renewed')),
    (CLAIM_SECONDS * 1_000) / 3,
  ).unref()
  try {
    await parts.files.join(upload, placed, key, (joined) => judge(file, joined))
  } catch (error) {
    await context.transaction(async ({ tx }) => {
      if (error instanceof Refusal) tx.write(removeAllParts(organizationId, id, claimId))
      tx.write(release(organizationId, id, claimId))
    })
    throw error
  } finally {
    clearInterval(renewing)
  }
  const made = await context.transaction((inside) => keep(inside, file, claimId))
  if (made.contentId !== id) await parts.files.remove(key)
  // What stays is found by the sweep.
  await parts.files
    .removeParts(upload, placed)
    .catch((err) => parts.log.warn({ err }, 'parts of a finished file could not be removed'))
  return made
}

/** The row that knows the bytes; of bytes that the organization has already, that of those. */
async function keep(context: TransactionContext, file: FileRow, claimId: string): Promise<FileRow> {
  const { tx, caller, parts } = context
  const { id, name, sha256, bytes, type } = file
  const scan = parts.config.filesScan ? 'waiting' : 'unscanned'
  const [[row], time] = await Promise.all([
    tx.read<Row>(finish(tx.organizationId, id, sha256, bytes, type, scan, claimId)),
    tx.now,
  ])
  if (!row) throw beingFinished()
  const made = fileOf(row)
  if (made.status === 'scanning') await scanContent(parts, tx, made.contentId!)
  audit(tx, caller, {
    time,
    action: 'file.upload',
    subject: { type: 'file', id, title: name },
    changes: { sha256: { from: null, to: sha256 }, bytes: { from: null, to: bytes } },
  })
  return made
}

/** @throws {Refusal} where what came is not what was begun */
function judge(file: FileRow, { bytes, sha256, head }: Joined): void {
  if (bytes !== file.bytes || sha256 !== file.sha256)
    throw invalid({ path: 'sha256', message: 'is not that of the bytes that came: send all parts again' })
  refuseDisguised(file.name, head)
}

function refuseMissing({ bytes, partBytes, parts }: Pick<FileRow, 'bytes' | 'partBytes' | 'parts'>): void {
  const count = Math.ceil(bytes / partBytes)
  if (parts.length === count) return
  const there = new Set(parts)
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((one) => !there.has(one))
  const told = missing.slice(0, 20).join(', ')
  throw new Refusal(
    'conflict',
    `${missing.length} of ${count} parts have not come: send ${told}${missing.length > 20 ? ' …' : ''}, and finish it then.`,
  )
}

const refuseFinished = ({ contentId }: FileRow) => {
  if (contentId !== null) throw finished()
}
const finished = () => new Refusal('conflict', 'The file is finished: send another one to change it.')
const beingFinished = () =>
  new Refusal('conflict', 'Another call is finishing this file: ask for it in a moment.')

/** Of one that is being finished no part is wanted any more. */
const begin = statement(`
  with known as (
    update files set created_at = clock_now()
     where organization_id = $1 and id = (
       select id from files
        where organization_id = $1 and created_by_user_id = $9 and content_id is null
          and name = $3 and type = $4 and bytes = $5::bigint and sha256 = $6 and part_bytes = $7::int
          and (claimed_until is null or claimed_until <= clock_now())
        order by created_at desc, id limit 1)
    returning *),
  used as (${USED}),
  begun as (
    insert into files (organization_id, id, name, type, bytes, sha256, part_bytes, created_at, created_by,
      created_by_user_id)
    select $1, $2, $3, $4, $5, $6, $7, clock_now(), $8, $9 from used
     where used.bytes + $5::bigint <= $10::bigint and not exists (select from known)
    returning *)
  select ${FILE_COLUMNS.replace('c.scan', 'null as scan')}
    from (select * from known union all select * from begun) f`)

const begunBy = statement(`
  select id from files where organization_id = $1 and created_by_user_id = $2 and content_id is null
   order by created_at, id`)

const removeBegun = statement(`
  with sent as (
    select coalesce(json_agg(json_build_object('number', number, 'place', place)), '[]') as places
      from file_parts where organization_id = $1 and file_id = $2)
  delete from files f using sent
   where f.organization_id = $1 and f.id = $2 and f.content_id is null
     and (f.claimed_until is null or f.claimed_until <= clock_now())
  returning sent.places`)

const removePart = statement(`
  delete from file_parts p using files f
   where p.organization_id = $1 and p.file_id = $2 and p.number = $3
     and f.organization_id = $1 and f.id = $2 and f.content_id is null
     and (f.claimed_until is null or f.claimed_until <= clock_now())`)

/** Whoever finishes the file waits for it, or it for them. It answers the parts that came before. */
const addPart = statement(`
  with open as (
    select f.* from files f
     where f.organization_id = $1 and f.id = $2 and f.content_id is null
       and (f.claimed_until is null or f.claimed_until <= clock_now())
       for no key update),
  added as (
    insert into file_parts (organization_id, file_id, number, place) select $1, id, $3, $4 from open
    on conflict (organization_id, file_id, number) do update set place = excluded.place)
  select ${FILE_COLUMNS.replace('c.scan', 'null as scan')} from open f`)

const readParts = statement(`
  select number, place from file_parts where organization_id = $1 and file_id = $2 order by number`)

/** Of bytes that were refused no part is worth anything. */
const removeAllParts = statement(`
  delete from file_parts p using files f
   where p.organization_id = $1 and p.file_id = $2
     and f.organization_id = $1 and f.id = $2 and f.claim_id = $3 and f.content_id is null`)

const UNTIL = `clock_now() + interval '${CLAIM_SECONDS} seconds'`

const claim = statement(`
  update files set claim_id = $3, claimed_until = ${UNTIL}
   where organization_id = $1 and id = $2 and content_id is null
     and (claimed_until is null or claimed_until <= clock_now())
  returning id`)

const renew = statement(`
  update files set claimed_until = ${UNTIL} where organization_id = $1 and id = $2 and claim_id = $3`)

const release = statement(`
  update files set claim_id = null, claimed_until = null
   where organization_id = $1 and id = $2 and claim_id = $3 and content_id is null`)

const finish = statement(`
  with content as (
    insert into file_contents as c (organization_id, id, sha256, bytes, type, scan, scan_started_at, created_at)
    select $1, f.id, $3, $4, $5, $6, clock_now(), clock_now()
      from files f where f.organization_id = $1 and f.id = $2 and f.claim_id = $7 and f.content_id is null
    on conflict (organization_id, sha256) do update set
      scan = case when c.scan = 'unscanned' then excluded.scan else c.scan end
    returning c.id, c.scan),
  gone as (
    delete from file_parts p using content where p.organization_id = $1 and p.file_id = $2)
  update files f set content_id = c.id, finished_at = clock_now(), claim_id = null, claimed_until = null
    from content c where f.organization_id = $1 and f.id = $2
  returning ${FILE_COLUMNS}`)
