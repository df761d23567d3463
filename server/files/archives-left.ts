import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * Where an archive lies while files are taken out of it: in the temporary folder of the machine, under a name of ours. A
 * process that is killed leaves it there, and the next one on that machine finds it.
 */

const PREFIX = 'plumbline-archive-'
/** None is read for so long. */
const LEFT_AFTER_MS = 60 * 60_000

export const placeForArchive = (): string => join(tmpdir(), `${PREFIX}${randomUUID()}`)

/** Removes what killed processes left. */
export async function removeArchivesLeft(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    const path = join(tmpdir(), name)
    const found = await stat(path).catch(() => null)
    if (found && Date.now() - found.mtimeMs > LEFT_AFTER_MS) await rm(path, { force: true })
  }
}
