import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAuthority } from '../client/receiver/authority.ts'

/** What the receiver shows, and the file that makes the service trust it. */
export interface Identity {
  readonly key: string
  readonly certificate: string
  readonly authority: string
  readonly authorityFile: string
}

export async function makeIdentity(directory: string): Promise<Identity> {
  const authority = await createAuthority('Plumbline bench authority', 2)
  const { key, cert } = await authority.issue(['localhost', '127.0.0.1', '::1'], 1)
  const authorityFile = join(directory, 'authority.pem')
  writeFileSync(authorityFile, authority.certificate)
  return { key, certificate: cert, authority: authority.certificate, authorityFile }
}
