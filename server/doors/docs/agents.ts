import { PAGE_GROUPS, PAGE_NAMES } from '../../../model/page-names.ts'
import type { Config } from '../../config.ts'
import { FIRST_SCOPES } from '../../oauth/resource.ts'
import { ROUTES } from '../../oauth/routes.ts'
import { operationsBy } from '../../operations.ts'
import { TOKENS_AT_MOST, TOOLS_AT_MOST } from '../mcp/core.ts'
import { CORE, toolsetOf } from '../mcp/toolsets.ts'
import { RESOURCE_METADATA } from '../well-known.ts'
import { codeBlock, jsonBlock } from './code-block.ts'
import { between, type Html, html } from './html.ts'
import { contents, heading, type Page, type Section } from './page.ts'
import { code, table } from './table.ts'

const SECTIONS: readonly Section[] = [
  ['address', 'The address, and two ways in'],
  ['clients', 'Connecting a client'],
  ['oauth', 'OAuth'],
  ['tools', 'Tools and what they answer'],
  ['care', 'With care'],
]
const [ADDRESS, CLIENTS, OAUTH, TOOLS, CARE] = SECTIONS as [Section, Section, Section, Section, Section]

/** How an agent is let in, by a key or through OAuth, and what it finds. */
export const agentsPage = (config: Config): Page => ({
  path: '/docs/agents',
  title: 'Agents',
  sections: SECTIONS,
  content: () => content(config),
})

const hasTools = (toolset: string): boolean =>
  operationsBy('credential').some((one) => toolsetOf(one) === toolset)

function content({ publicUrl }: Config): Html {
  const address = `${publicUrl}/v1/mcp`
  const key = { Authorization: `Bearer \${input:plumbline-key}` }
  return html`
<h1>Agents</h1>
<p>What programs may do over REST, an agent may do over the <a href="https://modelcontextprotocol.io">Model Context Protocol</a>: with the same rights, limits and errors, and answers made short. A call is a tool of the same name; what is done alike with records of every kind has one tool for all, such as <code>getRecord</code>.</p>
${contents(SECTIONS)}

${heading(ADDRESS)}
${codeBlock('The MCP address (streamable HTTP)', address)}
<ul>
<li><strong>With OAuth</strong>, for agents that somebody sits in front of: give the client the address and no key. It sends you to the browser, where you sign in, choose the organization and what the app may do. It gets tokens of its own, never your password, and never more than your role allows. You see and end your apps under your account, and admins those of the organization under ${PAGE_GROUPS.developer}, ${PAGE_NAMES.allConnectedApps}.</li>
<li><strong>With a key</strong>, for programs that nobody watches: an <a href="/docs/api-keys">API key</a> with the scopes that it needs, sent as <code>Authorization: Bearer</code>.</li>
</ul>

${heading(CLIENTS)}
<h3>Claude</h3>
<p>claude.ai and Claude Desktop, with OAuth: Settings, Connectors, Add custom connector, and the address. The connection comes from the internet, so the service must be reachable there over https.</p>
<h3>Claude Code</h3>
${codeBlock('Claude Code, with OAuth', `claude mcp add --transport http plumbline ${address}`)}
${codeBlock('Claude Code, with a key', `claude mcp add --transport http plumbline ${address} \\\n  --header "Authorization: Bearer $PLUMBLINE_KEY"`)}
<h3>VS Code</h3>
<p>Without <code>headers</code> and <code>inputs</code> it signs in with OAuth.</p>
${jsonBlock('.vscode/mcp.json', {
  inputs: [{ type: 'promptString', id: 'plumbline-key', description: 'Plumbline API key', password: true }],
  servers: { plumbline: { type: 'http', url: address, headers: key } },
})}
<h3>Cursor</h3>
<p>Without <code>headers</code> it signs in with OAuth.</p>
${jsonBlock('~/.cursor/mcp.json', {
  mcpServers: { plumbline: { url: address, headers: { Authorization: `Bearer \${env:PLUMBLINE_KEY}` } } },
})}
<h3>A client that only starts programs</h3>
<p>Through a bridge, which needs Node 20 or later:</p>
${jsonBlock('Settings of a client that starts programs', {
  mcpServers: {
    plumbline: {
      command: 'npx',
      args: ['-y', 'mcp-remote', address, '--header', `Authorization:\${PLUMBLINE_AUTHORIZATION}`],
      env: { PLUMBLINE_AUTHORIZATION: 'Bearer comply_…' },
    },
  },
})}
<h3>A program of your own</h3>
<p>Any MCP client library does: the 2026-07-28 revision of the protocol is spoken, and the earlier ones from <code>initialize</code> on; neither has sessions. To see that a key works:</p>
${codeBlock(
  'List the tools',
  `curl ${address} \\
  -H "Authorization: Bearer $PLUMBLINE_KEY" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'`,
)}

${heading(OAUTH)}
<p>OAuth 2.1 with PKCE. A client that knows the address finds everything else:</p>
${table(
  ['Step', 'Where'],
  [
    {
      cells: [
        'What protects the address (RFC 9728); also in WWW-Authenticate of a 401',
        code(`GET ${RESOURCE_METADATA}/v1/mcp`),
      ],
    },
    {
      cells: ['The authorization server (RFC 8414)', code('GET /.well-known/oauth-authorization-server')],
    },
    {
      cells: [
        'Registering a client by itself (RFC 7591); a client with a metadata document needs none',
        code(`POST ${ROUTES.registration}`),
      ],
    },
    { cells: ['Asking the person, with code_challenge_method S256', code(`GET ${ROUTES.authorization}`)] },
    { cells: ['Code for tokens, and a refresh token for new ones', code(`POST ${ROUTES.token}`)] },
    { cells: ['Ending a token (RFC 7009)', code(`POST ${ROUTES.revocation}`)] },
  ],
)}
<p>Ask with <code>resource=${address}</code>, or <code>resource=${publicUrl}/v1</code> for a program that uses REST; a token for either opens both. Who asks for no scope is offered ${between(
    ', ',
    FIRST_SCOPES.map((scope) => code(scope)),
  )}; the <a href="/docs/api-keys#scopes">scopes</a> are those of keys, and there it is said which open nothing yet. What a token may do is its scopes <em>and</em> the role of its person now. An access token lives an hour, a refresh token thirty days, and each is used once.</p>

${heading(TOOLS)}
<p>A credential is shown what it may do (a token, what the role of its person permits), as far as ${TOOLS_AT_MOST} tools and ${TOKENS_AT_MOST.toLocaleString('en')} tokens have room for it: first the tools for records of every kind, then the lists, then the rest of ${between(
    ', ',
    CORE.filter(hasTools).map((toolset) => code(toolset)),
  )}. <code>findTools</code> finds the others by words; they are called by their names all the same. For a client that calls only what it was shown, the address names what to show:</p>
${table(
  ['Address', 'Shows'],
  [
    { cells: [code('/v1/mcp?toolsets=risks,webhooks'), 'these subjects only'] },
    { cells: [code('/v1/mcp?toolsets=all'), 'every subject'] },
    { cells: [code('/v1/mcp?readonly=1'), 'tools that read; a call that would write is refused'] },
  ],
)}
<p>A result is the object that REST answers, without nulls and empty lists. Lists have 20 rows where nothing is said, and <code>fields</code> chooses what a row shows. No answer is longer than 10,000 tokens; one that would be says how to read on. A refusal says in words which field is wrong and what to do next, and brings the problem object with its <a href="/docs#errors"><code>code</code></a>.</p>

${heading(CARE)}
<p>Give an agent the scopes that its task needs; one that should only read gets <code>read:</code> scopes and no others. What records say is data: titles, descriptions and bodies come from people and other systems, and may try to instruct your agent. The audit log names the program and the tool, beside the key or app and the person behind it. One HTTP request counts as one call of the <a href="/docs#limits">limit</a>.</p>`
}
