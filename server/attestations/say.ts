import { z } from 'zod'
import { ATTESTATION_STATES, consentTo } from '../../model/attestation.ts'
import type { Streamed } from '../bytes.ts'
import { actorOf, type Caller } from '../caller/caller.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { contentOf, readFileOfVersion, readPictureOfVersions } from '../files/file-record.ts'
import { audit } from '../journal/audit.ts'
import { answerAbout } from '../journal/tell.ts'
import type { TransactionContext } from '../operation.ts'
import { timestamp } from '../output.ts'
import { hashOf, refuseUnlessWhole } from '../records/whole-text.ts'
import { notFound, Refusal } from '../refusal.ts'
import { IS_ASKED, STANDING } from './round.ts'
import { actorText, hashOfSaid } from './said.ts'
import { changedFor } from './what-is-told.ts'

/*
 * What somebody reads and says of a policy, whether they sign in or came by a link: they are given the whole text with its
 * hash, and what they agree to is kept with that hash, so that it can be told later which text it was.
 */

export const textToRead = z
  .object({
    id: z.string(),
    policyId: z.string(),
    title: z.string(),
    version: z.string(),
    text: z.string().nullable().describe('In Markdown, as it is in force; none where it is a file'),
    file: z
      .object({ name: z.string(), type: z.string(), bytes: z.int() })
      .nullable()
      .describe('What is downloaded and read in place of a text'),
    contentSha256: z.string().describe('Of the text in UTF-8, or of the file'),
    changelog: z
      .string()
      .nullable()
      .describe(
        'What changed since the version that they acknowledged before, of several versions each under its number; or else since the version before; none of the first that was published',
      ),
    consentText: z.string().describe('What is agreed to'),
    status: z.enum(ATTESTATION_STATES),
    dueDate: z.string(),
    acknowledgedAt: timestamp.nullable(),
    laterVersion: z
      .string()
      .nullable()
      .describe('The version in force, where what is shown is an earlier one that was acknowledged'),
    isCorrected: z
      .boolean()
      .describe('Whether laterVersion is a correction, which asks nothing anew, and is there to be read'),
    acknowledgedVersion: z
      .string()
      .nullable()
      .describe('What was acknowledged; an earlier one than what is shown, where that is its correction'),
    before: z
      .object({ version: z.string(), text: z.string() })
      .nullable()
      .describe(
        'The earlier version that they acknowledged last, to be compared; none where either is a file',
      ),
  })
  .meta({ id: 'TextToRead', title: 'Policy to read' })

type Shown = z.output<typeof textToRead>

export const CONSENT = {
  contentSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ title: 'SHA-256' })
    .describe('The contentSha256 of the text that was read; of another text, nothing is taken'),
  isAgreed: z
    .literal(true)
    .meta({ title: 'Agreed' })
    .describe('That they agree to the sentence in consentText'),
  reachedEnd: z
    .boolean()
    .meta({ title: 'Reached the end' })
    .describe('Whether the end of the text was in sight'),
}

/** Which picture of a text. */
export const PICTURE = {
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ title: 'SHA-256' })
    .describe('The SHA-256 that the text says of the picture'),
}

/** Which text of the two that there can be. */
export const CORRECTION = {
  correction: z
    .boolean()
    .default(false)
    .meta({ title: 'Correction' })
    .describe(
      'true: the correction in force, in place of the text that was acknowledged, where there is one',
    ),
}

interface Consent {
  readonly contentSha256: string
  readonly reachedEnd: boolean
}

/**
 * Which one it is: that of a pass, with the id of what was shown of it, or one of a user's by its id; and whether the
 * correction of what was acknowledged is meant.
 */
export type Which = { readonly correction?: boolean } & (
  | { readonly passId: string; readonly id?: string }
  | { readonly id: string; readonly userId: string }
)

/**
 * The text, as it is read for the first time noted.
 * @throws {Refusal} `not_found`; `text_changed`, where another text took its place; `conflict`, where nothing is asked any
 *   more
 */
export async function readText(tx: Transaction, which: Which): Promise<Shown> {
  const { found, next } = await lockOne(tx, which)
  if (found.status === 'cancelled') throw over(next)
  refuseUnlessWhole(found)
  if (found.status === 'requested') tx.write(noteView(tx.organizationId, found.id))
  return { ...found, status: found.status === 'requested' ? 'viewed' : found.status }
}

/**
 * The file that is read in place of a text.
 * @throws {Refusal} `not_found`, also where it is a text; `conflict`, where nothing is asked any more; `file_not_ready`,
 *   `file_refused`
 */
export async function readFileToRead(context: TransactionContext, which: Which): Promise<Streamed> {
  const { versionId } = await versionToRead(context, which)
  return contentOf(context, await readFileOfVersion(context, versionId))
}

/**
 * A picture of the text, or of the one before that it is compared with, by the hash that the text says of it.
 * @throws {Refusal} as {@link readFileToRead}, `not_found` where neither shows such a picture
 */
export async function readPictureToRead(
  context: TransactionContext,
  which: Which,
  sha256: string,
): Promise<Streamed> {
  const { versionId, beforeId } = await versionToRead(context, which)
  const file = await readPictureOfVersions(context, [versionId, ...(beforeId ? [beforeId] : [])], sha256)
  return contentOf(context, file)
}

async function versionToRead(
  { tx }: TransactionContext,
  which: Which,
): Promise<{ versionId: string; beforeId: string | null }> {
  const [row] = await tx.read<{ versionId: string; beforeId: string | null; status: string }>(
    findVersion(tx.organizationId, ...parametersOf(which)),
  )
  if (!row) throw notFound()
  if (row.status === 'cancelled') throw over(null)
  return row
}

/**
 * Keeps what somebody says. Once more changes nothing.
 * @throws {Refusal} `not_found`; `text_changed`, where it is not the text that they read; `conflict`, where nothing is
 *   asked of them any more
 */
export async function acknowledge(
  { tx, caller }: { readonly tx: Transaction; readonly caller: Caller },
  which: Which,
  { contentSha256, reachedEnd }: Consent,
): Promise<Shown> {
  const { found, reader } = await lockAsRead(tx, which, contentSha256)
  if (found.status === 'acknowledged') return found
  refuseUnlessWhole(found)
  const time = await tx.now
  const { id, policyId, title, version, consentText } = found
  const { ip = null, userAgent = null } = caller
  const acknowledgedBy = { ...actorOf(caller), ...proofOf(caller) }
  const sha256 = hashOfSaid({
    ...{ version, contentSha256, personId: reader.id, person: reader.name, email: reader.email },
    ...{ acknowledgedBy: actorText(acknowledgedBy), acknowledgedAt: time },
    ...{ consentText, reachedEnd, ip, userAgent },
  })
  tx.write(
    keep(
      tx.organizationId,
      id,
      time,
      reachedEnd,
      ip,
      userAgent,
      consentText,
      contentSha256,
      reader.name,
      reader.email,
      JSON.stringify(acknowledgedBy),
      sha256,
    ),
  )
  answerAbout(tx, 'asked_to_acknowledge', [{ userId: reader.userId, about: title }])
  audit(tx, caller, {
    time,
    action: 'attestation.acknowledge',
    subject: { type: 'policy', id: policyId, title },
    changes: {
      version: { from: null, to: version },
      contentSha256: { from: null, to: contentSha256 },
      personId: { from: null, to: reader.id },
      email: { from: null, to: reader.email },
      sha256: { from: null, to: sha256 },
    },
  })
  return { ...found, status: 'acknowledged', acknowledgedAt: time, acknowledgedVersion: version }
}

/**
 * Asserts that what somebody read is still what is asked about.
 * @throws {Refusal} as {@link acknowledge}
 */
export async function assertAsRead(tx: Transaction, which: Which, contentSha256: string): Promise<void> {
  await lockAsRead(tx, which, contentSha256)
}

async function lockAsRead(
  tx: Transaction,
  which: Which,
  contentSha256: string,
): Promise<{ found: Shown; reader: Reader }> {
  const { found, reader, next } = await lockOne(tx, which)
  await refuseOtherLink(tx, which, found)
  if (found.id !== (which.id ?? found.id) || found.contentSha256 !== contentSha256) throw replaced(found)
  if (found.status === 'exempt' || found.status === 'cancelled') throw over(next)
  return { found, reader }
}

/** What is asked about in place of a text that somebody has before them. */
type Next = Pick<Shown, 'id' | 'version' | 'contentSha256'>

const replaced = ({ id, version, contentSha256 }: Next): Refusal =>
  new Refusal(
    'text_changed',
    `This is not the text that is asked about, which is version ${version}: read that one, and then say so.`,
    { id, version, contentSha256 },
  )

const over = (next: Next | null): Refusal =>
  next
    ? replaced(next)
    : new Refusal(
        'conflict',
        'Nothing is asked of you about this text any more: look at what you have to read.',
      )

/**
 * A browser that comes by a link is a guest by that link in all its pages, also those that another link opened before: what
 * is ticked there is not what the new one is about, though the text be the same to the letter.
 * @throws {Refusal} `conflict`
 */
async function refuseOtherLink(tx: Transaction, which: Which, found: Pick<Shown, 'id'>): Promise<void> {
  if (!('passId' in which) || which.id === undefined || which.id === found.id) return
  const [same] = await tx.read(isOfPass(tx.organizationId, which.id, which.passId))
  if (!same)
    throw new Refusal(
      'conflict',
      'Another link was opened in this browser since: open the link to this text again, and say so then.',
    )
}

/** What a guest has shown beside the link: where the service sends no mail, links are handed over, and it is nothing. */
const proofOf = ({ credential }: Caller): { proof?: 'mailbox' | 'link' } =>
  credential.type === 'guest' ? { proof: credential.hasProvedMailbox ? 'mailbox' : 'link' } : {}

interface Reader {
  readonly id: string
  readonly name: string
  readonly email: string
  /** As whom they sign in; null for who does not. */
  readonly userId: string | null
}

const parametersOf = (
  which: Which,
): [passId: string | null, id: string | null, userId: string | null, correction: boolean] => {
  const { correction = false } = which
  return 'passId' in which
    ? [which.passId, null, null, correction]
    : [null, which.id, which.userId, correction]
}

async function lockOne(
  tx: Transaction,
  which: Which,
): Promise<{ found: Shown; reader: Reader; next: Next | null }> {
  const [row] = await tx.read<Row>(find(tx.organizationId, ...parametersOf(which)))
  if (!row) throw notFound()
  const { reader, next, before, ...found } = row
  const consentText = consentTo(found.title, found.version)
  return {
    found: { ...found, consentText, before: found.text === null ? null : whole(before) },
    reader,
    next,
  }
}

interface Row extends Omit<Shown, 'consentText' | 'before'> {
  readonly reader: Reader
  readonly next: Next | null
  readonly before: { version: string; text: string | null; contentSha256: string } | null
}

/** An earlier text is only compared with: one that is not what its hash says is left out, and the new one is read alone. */
const whole = (before: Row['before']): Shown['before'] =>
  typeof before?.text === 'string' && hashOf(before.text) === before.contentSha256
    ? { version: before.version, text: before.text }
    : null

/** SQL of whether the version in force `f` corrects what the request `a` acknowledged: it has the same whole number. */
const IS_CORRECTION = `coalesce(a.status = 'acknowledged' and f.major = a.round and f.id <> a.version_id, false)`

/** SQL of the version that the person of the request `a` acknowledged last of those before what it shows, `v`. */
const beforeIt = (what: string): string => `(
    select ${what} from attestations s
      join policy_versions b on b.organization_id = s.organization_id and b.id = s.version_id
     where s.organization_id = a.organization_id and s.policy_id = a.policy_id and s.personnel_id = a.personnel_id
       and s.status = 'acknowledged' and b.published_at < v.published_at
     order by b.published_at desc limit 1)`

/**
 * SQL from the request `a` of the person `d` to what it shows, the version `v`. Parameters: organization, either a pass, or
 * an attestation and its user, and whether the correction is shown.
 */
const FROM_REQUEST = `attestations a
    join personnel d on d.organization_id = a.organization_id and d.id = a.personnel_id
    join policies p on p.organization_id = a.organization_id and p.id = a.policy_id
    left join policy_versions f on f.organization_id = p.organization_id and f.id = p.current_version_id
    join policy_versions v on v.organization_id = a.organization_id
     and v.id = case when $5::boolean and ${IS_CORRECTION} then f.id else a.version_id end
   where a.organization_id = $1 and (a.pass_id = $2 or (a.id = $3 and d.user_id = $4))
   order by a.status = 'cancelled', a.requested_at desc limit 1`

/** A pass leads to what is asked by now, though it was asked about an earlier text before. */
const find = statement(`
  select a.id, a.policy_id as "policyId", v.title, v.label as version, v.text,
         case when v.content_format = 'file' then json_build_object('name', v.file ->> 'name', 'type', v.file ->> 'type',
           'bytes', (v.file ->> 'bytes')::bigint) end as file, v.content_sha256 as "contentSha256",
         ${changedFor(`'**' || e.label || '**' || E'\n\n' || e.changelog`, `E'\n\n'`)} as changelog,
         ${STANDING} as status, a.due_date::text as "dueDate", a.acknowledged_at as "acknowledgedAt",
         json_build_object('id', d.id, 'name', d.full_name, 'email', d.work_email,
           'userId', d.user_id) as reader,
         case when a.status = 'acknowledged' and f.id <> v.id then f.label end as "laterVersion",
         ${IS_CORRECTION} as "isCorrected",
         case when a.status = 'acknowledged' then (
           select w.label from policy_versions w
            where w.organization_id = a.organization_id and w.id = a.version_id) end as "acknowledgedVersion",
         ${beforeIt(`json_build_object('version', b.label, 'text', b.text, 'contentSha256', b.content_sha256)`)} as before,
         (select json_build_object('id', n.id, 'version', t.label, 'contentSha256', t.content_sha256)
            from attestations n
            join policy_versions t on t.organization_id = n.organization_id and t.id = n.version_id
           where n.organization_id = a.organization_id and n.policy_id = a.policy_id and n.personnel_id = a.personnel_id
             and n.status in ('requested', 'viewed') and ${IS_ASKED} limit 1) as next
    from ${FROM_REQUEST}
     for no key update of a`)

const isOfPass = statement('select from attestations where organization_id = $1 and id = $2 and pass_id = $3')

const findVersion = statement(`
  select v.id as "versionId", ${beforeIt('b.id')} as "beforeId", ${STANDING} as status
    from ${FROM_REQUEST}`)

const noteView = statement(`
  update attestations set status = 'viewed', viewed_at = clock_now(), updated_at = clock_now()
   where organization_id = $1 and id = $2 and status = 'requested'`)

const keep = statement(`
  update attestations
     set status = 'acknowledged', viewed_at = coalesce(viewed_at, $3), acknowledged_at = $3, reached_end = $4, ip = $5,
         user_agent = $6, consent_text = $7, content_sha256 = $8, reader_name = $9, reader_email = $10,
         acknowledged_by = $11::jsonb, sha256 = $12, told_at = null, updated_at = $3
   where organization_id = $1 and id = $2`)
