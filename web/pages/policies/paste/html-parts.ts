/*
 * HTML in its parts, in one pass, whatever stands in it. Nothing of it is ever given to the browser as markup, which would
 * load its pictures: it is text that is read here, and what comes out is words and the names of elements.
 */

export type Part =
  | { readonly type: 'words'; readonly text: string }
  | { readonly type: 'open'; readonly name: string; readonly attributes: string }
  | { readonly type: 'close'; readonly name: string }
  /** Between these word processors put the mark of an item, for who knows no lists. */
  | { readonly type: 'mark_begins' | 'mark_ends' }

/** What stands within them is for no reader. */
const UNREAD = new Set(
  'script style title head xml template noscript noembed noframes iframe object svg math audio video canvas select textarea xmp'.split(
    ' ',
  ),
)

export function* partsOf(html: string): Generator<Part> {
  for (let at = 0; at < html.length; ) {
    const from = html.indexOf('<', at)
    const end = from < 0 ? html.length : from
    if (end > at) yield words(html.slice(at, end))
    if (from < 0) return
    if (html.startsWith('<!--', from)) {
      const to = html.indexOf('-->', from + 4)
      if (to < 0) return
      yield* markAt(html.slice(from, to).slice(0, 60))
      at = to + 3
      continue
    }
    if (!/[a-z/!?]/i.test(html[from + 1] ?? '')) {
      yield words('<')
      at = from + 1
      continue
    }
    const to = tagEnd(html, from)
    if (to < 0) {
      yield words(html.slice(from))
      return
    }
    const [, isEnd, name = '', attributes = ''] = /^<(\/?)([a-z][^\s/>]*)?(.*)$/is.exec(html.slice(from, to))!
    at = to + 1
    const lower = name.toLowerCase()
    if (lower === '') yield* markAt(html.slice(from, Math.min(to, from + 60)))
    else if (isEnd) yield { type: 'close', name: lower }
    else if (UNREAD.has(lower)) {
      if (attributes.endsWith('/')) continue
      const closing = new RegExp(`</${lower}\\b[^>]*>`, 'gi')
      closing.lastIndex = at
      if (!closing.test(html)) return
      at = closing.lastIndex
    } else yield { type: 'open', name: lower, attributes }
  }
}

const words = (text: string): Part => ({ type: 'words', text: decoded(text) })

function* markAt(told: string): Generator<Part> {
  if (told.includes('if !supportLists')) yield { type: 'mark_begins' }
  else if (told.includes('[endif]')) yield { type: 'mark_ends' }
}

/** Where a tag ends that begins there; its values may have any sign. */
function tagEnd(html: string, from: number): number {
  let at = from + 1
  while (at < html.length) {
    const sign = html[at]!
    if (sign === '>') return at
    const isQuote = (sign === '"' || sign === "'") && html[at - 1] === '='
    const closing = isQuote ? html.indexOf(sign, at + 1) : at
    at = (closing < 0 ? at : closing) + 1
  }
  return -1
}

/** The value of an attribute, where it has that. */
export function attributeOf(attributes: string, name: string): string | null {
  const found = new RegExp(`(?:^|[\\s"'])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(
    attributes,
  )
  return found ? decoded(found[1] ?? found[2] ?? found[3] ?? '') : null
}

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', shy: '', copy: '©', reg: '®' },
  ...{ trade: '™', hellip: '…', mdash: '—', ndash: '–', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”' },
  ...{ bdquo: '„', laquo: '«', raquo: '»', bull: '•', middot: '·', euro: '€', pound: '£', sect: '§' },
  ...{ deg: '°', times: '×', auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß' },
  ...{ agrave: 'à', egrave: 'è', eacute: 'é', ccedil: 'ç', ntilde: 'ñ' },
}

/** Browsers write letters as they are, and few of them by name. */
const decoded = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, (whole, hex, number, name) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = Number.parseInt(hex ?? number, hex === undefined ? 10 : 16)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code).toWellFormed() : ''
  })
