/** A piece of HTML: whatever is put into it is text, unless it is HTML itself. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | false | undefined | readonly Part[]

export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(texts.reduce((all, text, index) => all + shown(parts[index - 1]) + text))
}

function shown(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'object') return part.map(shown).join('')
  return escaped(String(part))
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Parts with something between each two. */
export const between = (separator: string, parts: readonly (Html | string)[]): Html =>
  html`${parts.map((part, index) => html`${index > 0 && separator}${part}`)}`

/** Text with its `code` shown as such. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
