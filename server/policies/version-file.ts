import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import { idOf } from '../../model/fields.ts'
import { andAuditors } from '../../model/needs.ts'
import { streamed } from '../bytes.ts'
import { type Row, statement } from '../database/connect.ts'
import { contentOf, FILE_COLUMNS, type FileRow, fileOf } from '../files/file-record.ts'
import { operation, person, scope, type TransactionContext } from '../operation.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from '../records/schemas.ts'
import { getRecord } from '../records/stored-record.ts'
import { invalid, notFound, Refusal } from '../refusal.ts'
import { writeVersion } from './draft-policy-version.ts'
import { policyVersion } from './policy-acts.ts'

/*
 * A version of a policy that is a file, as it was written elsewhere and is handed out as it is. Its record says what the
 * file is, with the hash that its approvers decide on and its readers agree to; a row of its own holds the file as long
 * as the version is there.
 */

/** A file as a version has it. */
export interface PolicyFile {
  readonly id: string
  readonly name: string
  readonly bytes: number
  readonly type: string
  readonly sha256: string
  readonly uploadedAt: string
}

/** What people read as it is, and print. */
const TYPES: ReadonlySet<string> = new Set([
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
])

export const putPolicyVersionFile = operation({
  name: 'putPolicyVersionFile',
  method: 'PUT',
  path: '/v1/policy-versions/{id}/file',
  needs: person('write:policies'),
  writes: true,
  isAside: true,
  title: 'Put a file in place of the text of a policy version',
  description:
    'A PDF or a Word document that you have finished, or that this policy has already. The text goes; writing one puts it in place of the file. Leads a version that was submitted back to a draft, as a change of the text does.',
  input: z.strictObject({
    id: ID.meta({ refersTo: 'polv' }),
    ifMatch: IF_MATCH,
    fileId: idOf('fil').meta({ title: 'File' }),
  }),
  headers: IF_MATCH_HEADER,
  output: recordSchema(policyVersion),
  refusals: ['version_mismatch', 'conflict'],
  annotations: { idempotent: true },
  run: async (context, { id, ifMatch, fileId }) => {
    const { policyId } = await getRecord(context, policyVersion, id)
    const file = await usableFile(context, fileId, policyId as string)
    return (await writeVersion(context, id, ifMatch, { file })) as never
  },
})

export const downloadPolicyVersionFile = operation({
  name: 'downloadPolicyVersionFile',
  method: 'GET',
  path: '/v1/policy-versions/{id}/original',
  needs: andAuditors(scope('read:policies')),
  writes: false,
  isAside: true,
  answers: 'link',
  title: 'Download the file of a policy version',
  description: 'Of one that is a file. Answers a link that gives the bytes once, within five minutes.',
  input: z.strictObject({ id: ID.meta({ refersTo: 'polv' }) }),
  output: streamed,
  refusals: ['file_not_ready', 'file_refused'],
  run: async (context, { id }) => contentOf(context, await readVersionFile(context, id)),
})

/**
 * A file for a version of a policy, held until the transaction ends, so that no sweep takes it meanwhile.
 * @param policyId where it is not new: its files are there for its other versions
 * @throws {Refusal} `validation_failed` for one that is not there, not finished, infected, or of another type
 */
export async function usableFile(
  { tx, caller }: TransactionContext,
  id: string,
  policyId: string | null,
): Promise<PolicyFile> {
  const [row] = await tx.read<Row>(findUsable(tx.organizationId, id, caller.userId, policyId))
  const path = 'fileId'
  if (!row) throw invalid({ path, message: `${id} is no file that you have finished: send it first` })
  if (row.scan === 'infected')
    throw invalid({ path, message: `${row.name} is infected: send one that is not` })
  if (!TYPES.has(row.type as string))
    throw invalid({
      path,
      message: `${row.name} is neither a PDF nor a Word document (.docx): send one of these`,
    })
  const { scan: _, ...file } = row
  return { ...file, bytes: Number(row.bytes) } as PolicyFile
}

export const fileIn = ({ file }: Values): PolicyFile | null => (file ?? null) as PolicyFile | null

/** Has a version hold a file, or none. */
export function holdFile({ tx }: TransactionContext, versionId: string, file: PolicyFile | null): void {
  tx.write(file ? hold(tx.organizationId, versionId, file.id) : letGo(tx.organizationId, versionId))
}

/** @throws {Refusal} `not_found` where the version is a text */
export async function readVersionFile({ tx }: TransactionContext, versionId: string): Promise<FileRow> {
  const [row] = await tx.read<Row>(readOf(tx.organizationId, versionId))
  if (!row) throw notFound()
  return fileOf(row)
}

/**
 * The hash of the file of a version that is to be read by others.
 * @throws {Refusal} `file_not_ready` while it is being scanned, `file_refused` where the scanner found something
 */
export async function hashOfReady(context: TransactionContext, versionId: string): Promise<string> {
  const { sha256, status } = await readVersionFile(context, versionId)
  if (status === 'ready') return sha256
  throw status === 'infected'
    ? new Refusal('file_refused', 'The virus scanner found something in this file: put another in its place.')
    : new Refusal('file_not_ready', 'The file is being scanned: submit it in a moment.')
}

const findUsable = statement(`
  select f.id, f.name, f.bytes, f.type, f.sha256, f.finished_at as "uploadedAt", c.scan
    from files f join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id
   where f.organization_id = $1 and f.id = $2
     and (f.created_by_user_id = $3 or exists (
       select from policy_version_files p
         join policy_versions v on v.organization_id = p.organization_id and v.id = p.version_id
        where p.organization_id = f.organization_id and p.file_id = f.id and v.policy_id = $4))
     for key share of f`)

const hold = statement(`
  insert into policy_version_files (organization_id, version_id, file_id) values ($1, $2, $3)
  on conflict (organization_id, version_id) do update set file_id = excluded.file_id`)

const letGo = statement('delete from policy_version_files where organization_id = $1 and version_id = $2')

const readOf = statement(`
  select ${FILE_COLUMNS}
    from policy_version_files p
    join files f on f.organization_id = p.organization_id and f.id = p.file_id
    left join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id
   where p.organization_id = $1 and p.version_id = $2`)
