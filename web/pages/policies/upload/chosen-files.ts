import { endingOf } from '../../../../model/file-types.ts'
import { readArchive } from './archive.ts'

/** Of a file in an archive, and of all of them: what is larger is sent by itself. */
const BYTES_AT_MOST = 50 * 1024 * 1024
const ALL_AT_MOST = 200 * 1024 * 1024

/**
 * The files that were chosen, with those that are in an archive in its place.
 * @param most how many of them are needed; of the others their names are known
 */
export async function chosenFiles(files: readonly File[], most: number): Promise<File[]> {
  const found: File[] = []
  for (const file of files)
    if (endingOf(file.name) === 'zip') found.push(...(await filesIn(file, most - found.length)))
    else found.push(file)
  return found.map(asSeen)
}

const NAME_AT_MOST = 255

/** Signs that cannot be seen, or turn the direction of writing, make a name end in what it does not end in. */
function asSeen(file: File): File {
  const name = file.name
    .replace(/[/\\]/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .slice(-NAME_AT_MOST)
  const { type, lastModified } = file
  return name === file.name ? file : new File([file], name, { type, lastModified })
}

/** An archive that cannot be read stands there itself, and says so. */
async function filesIn(archive: File, most: number): Promise<File[]> {
  const { lastModified } = archive
  const entries = await readArchive(archive).catch(() => null)
  if (!entries || entries.length === 0) return [archive]
  const files: File[] = []
  let left = ALL_AT_MOST
  for (const { name, read } of entries) {
    // What is broken or too large in it comes as an empty file, which says so in its row.
    const bytes =
      files.length < most
        ? await read(Math.min(left, BYTES_AT_MOST)).catch(() => new Uint8Array())
        : new Uint8Array()
    left -= bytes.length
    files.push(new File([bytes], name, { lastModified }))
  }
  return files
}
