import { createHash } from 'node:crypto'
import { ROUTES } from './routes.ts'

/**
 * The page of ours for an authorization request that failed and goes back to nobody: what happened in words of ours,
 * what its reader can do, and what to tell whoever maintains the app. Nothing on it is what the request said.
 */
export function errorPage(path: string, error: string, requestId: string): string {
  const { what, cure, maker } = wordsOf(path, error)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE} · Plumbline</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${TITLE}</h1>
<p>${what}</p>
<p>${cure}</p>
${maker ? `<h2>For whoever maintains the app</h2>\n<p>${maker} The answer is <code>${error}</code>.</p>\n` : ''}<p class="quiet">Request <code>${requestId}</code></p>
<p><a href="/">Go to Plumbline</a></p>
</main>
</body>
</html>
`
}

const TITLE = 'The app could not be connected'

interface Words {
  what: string
  cure: string
  maker?: string
}

function wordsOf(path: string, error: string): Words {
  if (path.startsWith(`${ROUTES.authorization}/`)) return OVER
  return WORDS[error] ?? OTHERWISE
}

/** Whoever comes back to a request that was answered, waited too long, or belongs to another browser. */
const OVER: Words = {
  what: 'The question whether to let the app in is no longer open: it was answered, was open for more than an hour, or was begun in another browser.',
  cure: 'Go back to the app and connect it again.',
}

const AGAIN = 'Remove the connection in the app, and add it again.'
const SETTINGS = 'Look through the settings of the app for this connection, and connect it again.'

const WORDS: Readonly<Record<string, Words>> = {
  invalid_client: {
    what: 'The app is not known here, or no longer.',
    cure: `${AGAIN} Most apps register anew with that.`,
    maker: '<code>client_id</code> names no client here: register again.',
  },
  invalid_redirect_uri: {
    what: 'The app wants to be answered at an address that it has not registered.',
    cure: `${AGAIN} Do not go on if the link came from somebody you do not know.`,
    maker: '<code>redirect_uri</code> has to be one of those that the client registered, letter by letter.',
  },
  invalid_scope: {
    what: 'The app asks for access that does not exist here.',
    cure: SETTINGS,
    maker: 'The scopes are those of <a href="/docs/api-keys#scopes">the documentation</a>.',
  },
  invalid_target: {
    what: 'The app asks for access to another service than this one.',
    cure: SETTINGS,
    maker:
      '<code>resource</code> has to be one that <code>/.well-known/oauth-protected-resource</code> names.',
  },
  server_error: {
    what: 'This is a fault of the service, and nothing was changed.',
    cure: 'Connect the app again. If it fails again, give whoever runs the service the request below.',
  },
}

const OTHERWISE: Words = {
  what: 'The app asks in a way that is not understood here.',
  cure: 'Update the app and connect it again. If it fails again, tell whoever maintains it what follows.',
  maker:
    'A request has <code>response_type=code</code>, a <code>code_challenge</code> with the method <code>S256</code>, and neither <code>prompt=none</code> nor a request object. <a href="/docs/agents">The documentation</a> has an example.',
}

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 12vh 1rem 1rem; background: light-dark(#f7f8fa, #16181b); color: light-dark(#1f2328, #e4e5e7); font: 0.9375rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { box-sizing: border-box; max-width: 34rem; margin: 0 auto; padding: 1.75rem; border: 1px solid light-dark(#dfe3e8, #30343a); border-radius: 8px; background: light-dark(#fff, #1d2024); overflow-wrap: anywhere; }
h1 { margin: 0 0 0.75rem; font-size: 1.25rem; line-height: 1.3; }
h2 { margin: 1.5rem 0 0.25rem; font-size: 0.9375rem; }
p { margin: 0 0 0.75rem; }
.quiet { color: light-dark(#59606a, #9ca2ab); font-size: 0.8125rem; }
code { font-size: 0.875em; }
a { color: light-dark(#3b4bc8, #9aa6ff); }
`

/** What a browser may do there: show it. */
export const ERROR_PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(STYLE)
  .digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
