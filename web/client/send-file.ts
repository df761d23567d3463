import { call, type Output } from './calls.ts'
import { sendBytes } from './send.ts'

export type BulkChange = Output<'getBulkChange'>

/**
 * Begins an import with a file, or reads a file of one that is begun anew.
 * @param read which sheet of a workbook, and which row as its head
 * @throws {Problem}
 */
export async function sendImportFile(
  given: { readonly type: string } | { readonly id: string },
  file: File,
  read: { readonly sheet?: string; readonly headRow?: number } = {},
): Promise<BulkChange> {
  const id =
    'id' in given ? given.id : (await call('startImport', { type: given.type, name: file.name || 'file' })).id
  const query = new URLSearchParams(
    Object.entries({ id, ...read }).map(([name, value]) => [name, String(value)]),
  )
  return (await sendBytes(`/web/sendImportFile?${query}`, file)) as BulkChange
}

/** Lets the browser save what a link leads to. */
export function follow({ url, name }: { url: string; name: string }): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
