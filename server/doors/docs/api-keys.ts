import { everyKind } from '../../../model/kinds/index.ts'
import { PAGE_GROUPS, PAGE_NAMES } from '../../../model/page-names.ts'
import { scopeText } from '../../../model/scope-texts.ts'
import { ROLE_SCOPES, type Role, SCOPES, type Scope } from '../../../model/scopes.ts'
import { KEY_WORD, keyOf, PREFIX } from '../../caller/api-key-secret.ts'
import type { Config } from '../../config.ts'
import { codeBlock } from './code-block.ts'
import { durationWords } from './duration.ts'
import { type Html, html } from './html.ts'
import { contents, heading, type Page, type Section } from './page.ts'
import { KEY_CHECKS, sourceOf } from './receivers.ts'
import { code, table } from './table.ts'

const SECTIONS: readonly Section[] = [
  ['keys', 'Keys and what they may do'],
  ['scopes', 'Scopes'],
  ['form', 'The form of a key'],
  ['leaked', 'A key that has leaked'],
]
const [KEYS, ALL_SCOPES, FORM, LEAKED] = SECTIONS as [Section, Section, Section, Section]

/** What keys are and may do, and how a scanner tells one from noise. */
export const apiKeysPage = (config: Config): Page => ({
  path: '/docs/api-keys',
  title: 'API keys',
  sections: SECTIONS,
  content: () => content(config),
})

const content = ({ rateLimit }: Config): Html => html`
<h1>API keys</h1>
${contents(SECTIONS)}

${heading(KEYS)}
<p>Admins create keys in the app, under ${PAGE_GROUPS.developer}, ${PAGE_NAMES.apiKeys}. A key belongs to one organization and has the scopes that were chosen for it, and an end if one was set. It acts as the admin who created it: what it may do is its scopes <em>and</em> that person's role now. While the person is disabled, or no longer a member, it is refused with <a href="/docs#key_creator_inactive"><code>key_creator_inactive</code></a>; a revoked key is refused on the next call.</p>
<p>Send it as <code>Authorization: Bearer ${KEY_WORD}…</code>. <a href="/docs/me#getMe"><code>GET /v1/me</code></a> tells what a key is and may do. Each key has ${rateLimit.calls} calls in ${durationWords(rateLimit.windowMs)}. Keys are not rotated by themselves: create a new one, move your programs to it, revoke the old one.</p>

${heading(ALL_SCOPES)}
<p><code>write:</code> does not bring <code>read:</code> with it; the answer to a write shows the record that was written. The two of webhooks are not in the form for keys: an admin makes a key with just these under ${PAGE_GROUPS.developer}, ${PAGE_NAMES.webhooks}. Only the command line of the service makes keys that mix them with others.</p>
${table(
  ['Scope', 'Allows', 'Roles that may hold it'],
  (Object.keys(SCOPES) as Scope[]).map((scope) => ({
    id: scope,
    cells: [code(scope), scopeText(scope, everyKind), rolesOf(scope)],
  })),
)}

${heading(FORM)}
<p><code>${KEY_WORD}</code> and 32 characters of <code>0-9A-Za-z</code>. The first 26 of these are random. The last 6 are a checksum of the 26, so that a scanner can tell a real key from noise without asking anybody. For scanners that take a regular expression:</p>
${codeBlock('Regular expression of a key', `\\b${KEY_WORD}[0-9A-Za-z]{32}\\b`)}
<p>The checksum is the CRC-32 of the 26 characters (the one of zlib, gzip and PNG), written in base 62 with the digits <code>0-9A-Za-z</code> in this order, the highest first, filled up to 6 digits with <code>0</code>. For example, this is well formed, and nobody's:</p>
${codeBlock('A well-formed key', EXAMPLE)}
<p>Programs that print where well-formed keys stand in files:</p>
${KEY_CHECKS.map((one) => html`<h3>${one.name}</h3><p class="note">${one.run}</p>${codeBlock(`Key check in ${one.name}`, sourceOf(one))}`)}
<p>The secret of a webhook endpoint is <code>whsec_</code> and the base64 of 32 bytes, without a checksum:</p>
${codeBlock('Regular expression of a webhook secret', '\\bwhsec_[0-9A-Za-z+/]{43}=')}

${heading(LEAKED)}
<p>Its first ${PREFIX} characters are its prefix, which the app shows beside each key and which is safe to name in a ticket. An admin finds the key by it under ${PAGE_GROUPS.developer}, ${PAGE_NAMES.apiKeys}, and revokes it there: it ends at once, everywhere. The audit log has what it did.</p>`

/** Made from letters, so that nobody takes it for one that was ever given out. */
const EXAMPLE = keyOf('ExampleExampleExampleExamp')

const rolesOf = (scope: Scope): string =>
  (Object.keys(ROLE_SCOPES) as Role[])
    .filter((role) => ROLE_SCOPES[role].has(scope))
    .reverse()
    .join(', ')
