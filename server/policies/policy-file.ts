import type { Values } from '../../model/complaint.ts'
import { type Row, statement } from '../database/connect.ts'
import { contentOf, FILE_COLUMNS, fileOf, readFileOfVersion } from '../files/file-record.ts'
import { faultOfWordDocument } from '../files/word-document.ts'
import type { TransactionContext } from '../operation.ts'
import { invalid, Refusal } from '../refusal.ts'

/*
 * The file that a version of a policy is, as it was written elsewhere and is handed out as it is. The record of the version
 * says what the file is, with the hash that its approvers decide on and its readers agree to; a row of its own holds the
 * file as long as the version is there.
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
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const TYPES: ReadonlySet<string> = new Set(['application/pdf', WORD])

/**
 * A file for a version of a policy, held until the transaction ends, so that no sweep takes it meanwhile.
 * @param policyId where it is not new: its files are there for its other versions
 * @throws {Refusal} `validation_failed` for one that is not there, not finished, infected, or of another type by its name
 *   or, of a Word document, by what is in it
 */
export async function usableFile(
  { tx, caller, parts }: TransactionContext,
  id: string,
  policyId: string | null,
): Promise<PolicyFile> {
  const [row] = await tx.read<Row>(findUsable(tx.organizationId, id, caller.userId, policyId))
  const path = 'fileId'
  if (!row) throw invalid({ path, message: `${id} is no file that you have finished: send it first` })
  const sent = fileOf(row)
  const { name, bytes, type, sha256 } = sent
  if (sent.status === 'infected')
    throw invalid({ path, message: `${name} is infected: send one that is not` })
  if (!TYPES.has(type))
    throw invalid({
      path,
      message: `${name} is neither a PDF nor a Word document (.docx): send one of these`,
    })
  // Its bytes are there while they are scanned, and are given to nobody.
  const { open } = contentOf({ tx, parts }, { ...sent, status: 'ready' })
  const fault = type === WORD ? await faultOfWordDocument(bytes, open) : null
  if (fault) throw invalid({ path, message: `${name} ${fault}` })
  return { id, name, bytes, type, sha256, uploadedAt: row.uploadedAt as string }
}

export const fileIn = ({ file }: Values): PolicyFile | null => (file ?? null) as PolicyFile | null

/** Has a version hold these files and no others: what it is in place of a text, or the pictures of its text. */
export function holdFiles({ tx }: TransactionContext, versionId: string, fileIds: readonly string[]): void {
  tx.write(letGo(tx.organizationId, versionId, fileIds))
  if (fileIds.length > 0) tx.write(hold(tx.organizationId, versionId, fileIds))
}

/**
 * The hash of the file of a version that is to be read by others.
 * @throws {Refusal} `file_not_ready` while it is being scanned, `file_refused` where the scanner found something
 */
export async function hashOfReady(context: TransactionContext, versionId: string): Promise<string> {
  const { sha256, status } = await readFileOfVersion(context, versionId)
  if (status === 'ready') return sha256
  throw status === 'infected'
    ? new Refusal('file_refused', 'The virus scanner found something in this file: put another in its place.')
    : new Refusal('file_not_ready', 'The file is being scanned: submit it in a moment.')
}

const findUsable = statement(`
  select ${FILE_COLUMNS}, f.finished_at as "uploadedAt"
    from files f join file_contents c on c.organization_id = f.organization_id and c.id = f.content_id
   where f.organization_id = $1 and f.id = $2
     and (f.created_by_user_id = $3 or exists (
       select from policy_version_files p
         join policy_versions v on v.organization_id = p.organization_id and v.id = p.version_id
        where p.organization_id = f.organization_id and p.file_id = f.id and v.policy_id = $4))
     for key share of f`)

const hold = statement(`
  insert into policy_version_files (organization_id, version_id, file_id) select $1, $2, unnest($3::text[])
  on conflict do nothing`)

const letGo = statement(
  'delete from policy_version_files where organization_id = $1 and version_id = $2 and file_id <> all($3)',
)
