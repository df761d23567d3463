import { createHash } from 'node:crypto'
import type { OpenApi } from '../openapi.ts'
import { Html, html } from './html.ts'
import { STYLE } from './style.ts'

/** Nothing but the page and its own style: no script, no picture, no frame, no form. */
export const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** @param current the subject shown, or null for the guide */
export function page(document: OpenApi, current: string | null, title: string, content: Html): string {
  const link = (href: string, text: string, isCurrent: boolean) =>
    html`<li><a href="${href}"${isCurrent && new Html(' aria-current="page"')}>${text}</a></li>`
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<nav aria-label="Pages">
<a class="name" href="/docs">Plumbline API</a>
<p>Guide</p>
<ul>${GUIDE.map(([id, name]) => link(`/docs#${id}`, name, false))}</ul>
<p>Calls</p>
<ul>${document.tags.map(({ name }) => link(`/docs/${name}`, titleOf(name), name === current))}</ul>
</nav>
<main>${content}</main>
</body>
</html>
`
  return text
}

export const GUIDE = [
  ['start', 'First call'],
  ['lists', 'Lists'],
  ['changes', 'Changes'],
  ['once', 'Sending once'],
  ['limits', 'Limits'],
  ['errors', 'Errors'],
] as const

/** `Webhook endpoints` of `webhook-endpoints`. */
export const titleOf = (tag: string): string => {
  const words = tag === 'me' ? 'this credential' : tag.replaceAll('-', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}
