import { z } from 'zod'
import { flag, line, text } from '../../model/fields.ts'
import { sendingFiles } from '../../model/needs.ts'
import { incomingBytes, streamed } from '../bytes.ts'
import { type Row, statement } from '../database/connect.ts'
import { audit } from '../journal/audit.ts'
import { capability, nothing, operation, scope } from '../operation.ts'
import { notFound, Refusal } from '../refusal.ts'
import {
  contentOf,
  FILE_COLUMNS,
  fileOf,
  fileRecord,
  PART_BYTES_AT_MOST,
  readFile,
  readFilesOf,
} from './file-record.ts'
import { takeApart } from './take-apart.ts'
import { BEGUN_AT_MOST, beginFile, cancelFile, finishFile, takePart } from './uploads.ts'

/*
 * Files: sent in parts by people, read by whoever may read what they belong to. What a file is evidence of is said by
 * the records of evidence, which point at it.
 */

const PATH = '/v1/files'
const SEND = sendingFiles('write:evidence')
const READ = scope('read:evidence')

const ID = z
  .string()
  .meta({ title: 'Id', refersTo: 'fil' })
  .describe('The id that evidence has for it, or its creation answered')
const SHA256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'is no SHA-256: give 64 digits from 0 to 9 and a to f')
  .meta({ title: 'SHA-256' })

const NAME = line('Name', 255)
  // Signs that turn the direction of writing make a name end in what it does not end in.
  .refine(
    (name) => !/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(name),
    'has a slash or a sign that cannot be seen: leave it out',
  )
  .describe('With its ending, which says what it is')

export const createFile = operation({
  name: 'createFile',
  method: 'POST',
  path: PATH,
  needs: SEND,
  writes: true,
  title: 'Begin a file',
  description: `Answers where it stands: one that you began before with the same name, size, hash and parts goes on from those that came. Send its parts then, in any order and each as often as it takes, and finish it within a day. Of what nobody finishes, one person may have ${BEGUN_AT_MOST}.`,
  input: z.strictObject({
    name: NAME,
    type: text('Type', 200)
      .optional()
      .describe('Its media type; the name decides where it says what the file is'),
    bytes: z.int().min(1, 'is an empty file: send one with something in it').meta({ title: 'Bytes' }),
    sha256: SHA256.describe('Of all its bytes'),
    partBytes: z
      .int()
      .min(64 * 1024)
      .max(PART_BYTES_AT_MOST)
      .default(PART_BYTES_AT_MOST)
      .meta({ title: 'Bytes of a part' })
      .describe('Of each but the last'),
  }),
  output: fileRecord,
  refusals: ['conflict', 'file_refused', 'storage_full'],
  location: ({ id }) => `${PATH}/${id}`,
  run: (context, input) => beginFile(context, input),
})

export const putFilePart = operation({
  name: 'putFilePart',
  method: 'PUT',
  path: `${PATH}/{id}/parts/{number}`,
  needs: SEND,
  writes: 'own',
  takes: { types: ['application/octet-stream'], bytes: PART_BYTES_AT_MOST },
  bodyIs: 'content',
  title: 'Send a part of a file',
  input: z.strictObject({
    id: ID,
    number: z
      .string()
      .regex(/^[1-9]\d{0,5}$/, 'is no number of a part: give one from 1')
      .meta({ title: 'Number' })
      .describe('Counted from 1'),
    sha256: SHA256.optional().describe('Of the bytes of this part: others are refused'),
    content: incomingBytes,
  }),
  output: fileRecord,
  refusals: ['conflict'],
  annotations: { idempotent: true },
  run: (context, { id, number, content, sha256 }) => takePart(context, id, Number(number), content, sha256),
})

export const finishUpload = operation({
  name: 'finishFile',
  method: 'POST',
  path: `${PATH}/{id}/finish`,
  needs: SEND,
  writes: 'own',
  title: 'Finish a file',
  description: 'Once all its parts came: their bytes are held against the hash, and kept.',
  input: z.strictObject({ id: ID }),
  output: fileRecord,
  refusals: ['conflict', 'file_refused'],
  annotations: { idempotent: true },
  run: (context, { id }) => finishFile(context, id),
})

export const cancelUpload = operation({
  name: 'cancelFile',
  method: 'DELETE',
  path: `${PATH}/{id}`,
  needs: SEND,
  writes: 'own',
  title: 'End a file that was begun',
  description: 'One that is not finished: nothing of it stays. An admin ends those of others as well.',
  input: z.strictObject({ id: ID }),
  output: nothing,
  refusals: ['conflict'],
  annotations: { destructive: true, idempotent: true },
  run: async (context, { id }) => {
    await cancelFile(context, id)
    return null
  },
})

export const getFile = operation({
  name: 'getFile',
  method: 'GET',
  path: `${PATH}/{id}`,
  needs: READ,
  writes: false,
  title: 'Read where a file stands',
  input: z.strictObject({ id: ID }),
  output: fileRecord,
  run: (context, { id }) => readFile(context, id),
})

export const listEvidenceFiles = operation({
  name: 'listEvidenceFiles',
  method: 'GET',
  path: '/v1/evidence/{id}/files',
  needs: READ,
  writes: false,
  title: 'List the files of evidence',
  description:
    'Those of its revisions as well; each with what the scanner said of it, and whether it is on legal hold.',
  input: z.strictObject({
    id: z
      .string()
      .meta({ title: 'Id', refersTo: 'evd' })
      .describe('The id that the list of evidence and its creation answer'),
  }),
  output: z.object({ data: z.array(fileRecord) }).meta({ id: 'EvidenceFileList' }),
  run: async (context, { id }) => ({ data: await readFilesOf(context, id) }),
})

const HELD_AT_MOST = 200

export const listHeldFiles = operation({
  name: 'listHeldFiles',
  method: 'GET',
  path: PATH,
  needs: capability('settings.manage'),
  writes: false,
  title: 'List the files on legal hold',
  description: `The newest ${HELD_AT_MOST}, each with the evidence that has it; none where that was deleted.`,
  input: z.strictObject({}),
  output: z
    .object({
      data: z.array(
        fileRecord
          .extend({
            evidence: z
              .array(z.object({ id: z.string(), reference: z.string(), title: z.string() }))
              .describe('What has it'),
          })
          .meta({ id: 'HeldFile' }),
      ),
      total: z.int().describe('How many there are'),
    })
    .meta({ id: 'HeldFileList' }),
  run: async ({ tx }) => {
    const rows = await tx.read<Row>(held(tx.organizationId, HELD_AT_MOST))
    const data = rows.map((row) => ({ ...fileOf(row), evidence: row.evidence as never }))
    return { data, total: Number(rows[0]?.total ?? 0) }
  },
})

export const downloadFile = operation({
  name: 'downloadFile',
  method: 'GET',
  path: `${PATH}/{id}/content`,
  needs: READ,
  writes: false,
  answers: 'link',
  title: 'Download a file',
  description:
    'Answers a link that gives the bytes once, within five minutes, or a range of them. A download that broke off goes on by a further link, asked for the range that is missing.',
  input: z.strictObject({ id: ID }),
  output: streamed,
  refusals: ['file_not_ready', 'file_refused'],
  run: async (context, { id }) => contentOf(context, await readFile(context, id)),
})

export const updateFile = operation({
  name: 'updateFile',
  method: 'PATCH',
  path: `${PATH}/{id}`,
  needs: capability('settings.manage'),
  writes: true,
  title: 'Hold a file, or let it go',
  description: 'A file on legal hold stays, whatever becomes of the records that have it.',
  input: z.strictObject({ id: ID, legalHold: flag('Legal hold') }),
  output: fileRecord,
  refusals: ['file_not_ready'],
  run: async (context, { id, legalHold }) => {
    const { tx, caller } = context
    const file = await readFile(context, id)
    if (file.legalHold === legalHold) return file
    if (file.contentId === null)
      throw new Refusal('file_not_ready', 'The file has not been finished yet: it is held once it is.')
    const [[row], time] = await Promise.all([tx.read<Row>(hold(tx.organizationId, id, legalHold)), tx.now])
    if (!row) throw notFound()
    audit(tx, caller, {
      time,
      action: 'file.hold',
      subject: { type: 'file', id, title: file.name },
      changes: { legalHold: { from: file.legalHold, to: legalHold } },
    })
    return fileOf(row)
  },
})

const held = statement(`
  select ${FILE_COLUMNS}, count(*) over () as total,
         coalesce((
           select json_agg(json_build_object('id', k.id, 'reference', k.reference, 'title', k.called) order by k.id)
             from evidence_files e
             join known_records k on k.organization_id = e.organization_id and k.id = e.evidence_id
            where e.organization_id = f.organization_id and e.file_id = f.id), '[]') as evidence
    from files f
    left join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id
   where f.organization_id = $1 and f.legal_hold order by f.created_at desc, f.id limit $2::int`)

const hold = statement(`
  with held as (
    update files set legal_hold = $3 where organization_id = $1 and id = $2 returning *)
  select ${FILE_COLUMNS} from held f
    left join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id`)

export const fileOperations = {
  createFile,
  putFilePart,
  finishFile: finishUpload,
  cancelFile: cancelUpload,
  getFile,
  listEvidenceFiles,
  listHeldFiles,
  downloadFile,
  updateFile,
  takeArchiveApart: takeApart,
}
