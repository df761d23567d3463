import { SIGNAL_TYPES } from '../../../model/signal-types.ts'
import { CODES } from '../../refusal.ts'
import type { Schema } from '../json-schemas.ts'
import type { OpenApi } from '../openapi.ts'
import { type Html, html } from './html.ts'
import { callsOf, type Page } from './page.ts'
import { bodyOf, opened, parametersOf, recordsOf } from './subject.ts'

/** What can be found: a page or a part of one. */
export interface Entry {
  readonly title: string
  /** What it is, and where it stands. */
  readonly hint: string
  readonly href: string
  /** What else it may be found by. */
  readonly text: string
}

/** An entry with what a query is compared with, made once: anybody may ask, as often as they like. */
export interface Indexed extends Entry {
  /** Its title, its other text and all of it, folded; each text with a space around it. */
  readonly folded: { readonly name: string; readonly other: string; readonly all: string }
}

const RESULTS_AT_MOST = 50
export const QUERY_AT_MOST = 100

/** Everything that has a place of its own in the documentation, what is looked for most often first. */
export function entriesOf(document: OpenApi, pages: readonly Page[]): Indexed[] {
  const calls = document.tags.flatMap(({ name: tag }) =>
    callsOf(document, tag).map(({ path, method, operation }) => ({ tag, path, method, operation })),
  )
  const found: Entry[] = [
    ...pages.map(({ path, title }) => ({ title, hint: 'Page', href: path, text: '' })),
    ...calls.map(({ tag, path, method, operation: { operationId, summary, description = '' } }) => ({
      title: summary,
      hint: `${method} ${path}`,
      href: `/docs/${tag}#${operationId}`,
      text: `${operationId} ${description}`,
    })),
    ...Object.entries(CODES).map(([code, { status, title }]) => ({
      title: code,
      hint: `Error ${status}: ${title}`,
      href: `/docs#${code}`,
      text: '',
    })),
    ...Object.entries(SIGNAL_TYPES).map(([type, { description }]) => ({
      title: type,
      hint: `Signal type: ${description}`,
      href: `/docs/receiving-webhooks#${type}`,
      text: '',
    })),
    ...pages.flatMap(({ path, title, sections }) =>
      sections.map(([id, name]) => ({ title: name, hint: title, href: `${path}#${id}`, text: '' })),
    ),
    ...document.tags.flatMap(({ name: tag }) =>
      recordsOf(document, tag).flatMap((record) =>
        fields(
          `/docs/${tag}#${record}`,
          `Field of ${record}`,
          opened(document, document.components.schemas[record]!).properties ?? {},
        ),
      ),
    ),
    ...calls.flatMap(({ tag, operation }) => {
      const href = `/docs/${tag}#${operation.operationId}`
      const parameters = parametersOf(document, operation).map((one) => [one.name, { ...one.schema, ...one }])
      return [
        ...fields(
          href,
          `Parameter of ${operation.operationId}`,
          Object.fromEntries(parameters) as Record<string, Schema>,
        ),
        ...fields(href, `Sent by ${operation.operationId}`, bodyOf(document, operation).fields),
      ]
    }),
  ]
  // A record that several subjects answer stands on the page of each; the first will do.
  const known = new Set<string>()
  const each = found.filter(({ title, hint }) => {
    const name = `${title} ${hint}`
    return known.has(name) ? false : known.add(name)
  })
  return each.map(indexed)
}

function indexed(entry: Entry): Indexed {
  const name = fold(entry.title)
  const other = ` ${fold(entry.text)} `
  return { ...entry, folded: { name, other, all: ` ${name} ${other} ${fold(entry.hint)}` } }
}

const fields = (of: string, hint: string, properties: Record<string, Schema>): Entry[] =>
  Object.entries(properties).map(([name, { description = '' }]) => ({
    title: name,
    hint: description ? `${hint}: ${description}` : hint,
    href: `${of}.${name}`,
    text: '',
  }))

/**
 * What has every word of a query: first what is called so, then what begins so, then what begins with each word, then
 * the rest.
 */
export function search(entries: readonly Indexed[], query: string): Entry[] {
  const asked = fold(query)
  const words = [...new Set(asked.split(' ').filter(Boolean))]
  if (words.length === 0) return []
  const ranked = entries.flatMap((entry) => {
    const rank = rankOf(entry, asked, words)
    return rank === null ? [] : [{ entry, rank }]
  })
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, RESULTS_AT_MOST)
    .map(({ entry }) => entry)
}

function rankOf({ folded }: Indexed, asked: string, words: readonly string[]): number | null {
  const { name, other, all } = folded
  if (!words.every((word) => all.includes(word))) return null
  if (name === asked || other.includes(` ${asked} `)) return 0
  if (name.startsWith(asked)) return 1
  return words.every((word) => ` ${name}`.includes(` ${word}`)) ? 2 : 3
}

/** `webhook_id`, `webhook-id` and `webhookId` are one thing to who looks for them. */
const fold = (text: string): string =>
  text
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The results as a page, for browsers that run no script and for links to a search. */
export function resultsPage(query: string, found: readonly Entry[]): Html {
  const asked = query.trim()
  return html`
<h1>Search</h1>
${
  asked === ''
    ? html`<p>Write what a call, a field, an error code or a signal type is called.</p>`
    : html`<p role="status">${found.length === 0 ? 'Nothing' : found.length === RESULTS_AT_MOST ? `The first ${found.length} results` : found.length === 1 ? 'One result' : `${found.length} results`} for <strong>${asked}</strong>.</p>`
}
<ul class="results">${found.map(
    ({ title, hint, href }) =>
      html`<li><a href="${href}"><strong>${title}</strong><span>${hint}</span></a></li>`,
  )}</ul>`
}
