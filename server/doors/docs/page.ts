import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenApi } from '../openapi.ts'
import { Html, html } from './html.ts'
import { STYLE } from './style.ts'

/** What stands around the content of every page of the documentation, and what a browser may do there. */
export interface Page {
  /** `/docs/agents` */
  readonly path: string
  readonly title: string
  /** Its headings: the id of each, and how it reads. */
  readonly sections: readonly Section[]
  readonly content: () => Html
}

export type Section = readonly [id: string, title: string]

const SCRIPT = readFileSync(join(import.meta.dirname, 'browser.js'), 'utf8')
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * One style and one script, known by their hashes; the script asks nobody but the search, and makes no markup out
 * of text. Everything is there to read without it.
 */
export const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The navigation: groups of pages, and of the first page its sections. */
export interface Navigation {
  readonly guide: Page
  readonly topics: readonly Page[]
  readonly calls: readonly Page[]
}

export function pageAround(
  { guide, topics, calls }: Navigation,
  { path, title }: Pick<Page, 'path' | 'title'>,
  content: Html,
  query = '',
): string {
  const link = (href: string, text: string) =>
    html`<li><a href="${href}"${href === path && new Html(' aria-current="page"')}>${text}</a></li>`
  const links = (pages: readonly Page[]) => pages.map((one) => link(one.path, one.title))
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${path === guide.path ? title : `${title} · ${guide.title}`}</title>
<style>${new Html(STYLE)}</style>
<script>${new Html(SCRIPT)}</script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<nav aria-label="Documentation">
<div class="head"><a class="name" href="${guide.path}">${guide.title}</a> <a class="back" href="/">Back to the app</a></div>
<form role="search" action="/docs/find">
<input type="search" name="q" value="${query}" maxlength="100" aria-label="Search calls, fields and error codes" placeholder="Search" autocomplete="off">
<button>Search</button>
</form>
<details class="links" open>
<summary>Contents</summary>
<p>Guide</p>
<ul>${guide.sections.map(([id, name]) => link(`${guide.path}#${id}`, name))}</ul>
<p>Topics</p>
<ul>${links(topics)}</ul>
<p>Calls</p>
<ul>${links(calls)}</ul>
</details>
</nav>
<main id="content" tabindex="-1">${content}</main>
</body>
</html>
`
  return text
}

/** A heading that can be pointed at. */
export const heading = ([id, title]: Section): Html => html`<h2 id="${id}">${title}</h2>`

/** The sections of a page, as links at its top. */
export const contents = (sections: readonly Section[]): Html =>
  html`<ul class="contents">${sections.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`

/** `Webhook endpoints` of `webhook-endpoints`. */
export const titleOf = (tag: string): string => {
  const words = tag === 'me' ? 'this credential' : tag.replaceAll('-', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

/** The calls of one subject, in the order of the document. */
export const callsOf = ({ paths }: OpenApi, tag: string) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
