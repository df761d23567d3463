import { isOfForm, typeByName } from '../../model/file-types.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../refusal.ts'

/* Which files are taken: by their names, and by what they begin with (model/file-types.ts). */

export const fileRefused = (detail: string) => new Refusal('file_refused', detail)

/**
 * The type of a file by its name, or as its caller says where an operator lets that in.
 * @throws {Refusal} `file_refused`
 */
export function typeOf(
  { fileTypes }: Pick<Config, 'fileTypes'>,
  { name, type }: { readonly name: string; readonly type?: string | undefined },
): string {
  const known = typeByName(name)
  if (known) return known.type
  if (type !== undefined && fileTypes.includes(type)) return type
  throw fileRefused(
    'Files of this type are not taken: send a document, a picture, a sheet or a text, whose name ends in what it is, such as .pdf.',
  )
}

/** @throws {Refusal} `file_refused` for bytes that do not begin as files of that name do */
export function refuseDisguised(name: string, head: Uint8Array): void {
  const known = typeByName(name)
  if (!known || isOfForm(head, known.form)) return
  throw fileRefused(
    `The file is not what its name says: the bytes of ${name} are not those of ${known.type}.`,
  )
}
