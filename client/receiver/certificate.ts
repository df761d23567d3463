import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAuthority } from './authority.ts'

/** A certificate for localhost, and the authority that vouches for it. */
export interface Identity {
  readonly key: string
  readonly certificate: string
  /** What `WEBHOOK_CA_FILE` is to name. */
  readonly authorityFile: string
}

const DAYS = 365

/** The identity kept in a directory, made there on the first use. The authority's own key is thrown away. */
export async function identityIn(directory: string): Promise<Identity> {
  const file = (name: string) => join(directory, name)
  const authorityFile = file('authority.pem')
  if (!existsSync(authorityFile)) {
    mkdirSync(directory, { recursive: true })
    const authority = await createAuthority('Plumbline receiver authority', DAYS)
    const { key, cert } = await authority.issue(['localhost', '127.0.0.1', '::1'], DAYS)
    writeFileSync(file('key.pem'), key, { mode: 0o600 })
    writeFileSync(file('certificate.pem'), cert)
    writeFileSync(authorityFile, authority.certificate)
  }
  return {
    key: readFileSync(file('key.pem'), 'utf8'),
    certificate: readFileSync(file('certificate.pem'), 'utf8'),
    authorityFile,
  }
}
