import { readArchive } from './archive.ts'

const PROPERTIES_AT_MOST = 256 * 1024

/** What programs write where nobody gave a title. */
const NOBODYS =
  /^(?:microsoft word\b.*|document\s*\d*|dokument\s*\d*|untitled|unbenannt|title|titel|template|vorlage|word document|\W*)$/i

/** Of the text and of the styles of a Word document, unpacked. */
const TEXT_AT_MOST = 20 * 1024 * 1024

/**
 * The title of a Word document: that of its properties, or else its first paragraph in the style “Title”; null where
 * neither is one that its author gave it.
 */
export async function documentTitle(file: Blob): Promise<string | null> {
  const entries = await readArchive(file).catch(() => [])
  const partOf = async (path: string, most: number): Promise<string> => {
    const bytes = await entries
      .find((one) => one.path === path)
      ?.read(most)
      .catch(() => null)
    return bytes ? new TextDecoder().decode(bytes) : ''
  }
  const properties = await partOf('docProps/core.xml', PROPERTIES_AT_MOST)
  const said = asTitle(/<dc:title>([^<]{1,1000})<\/dc:title>/.exec(properties)?.[1])
  if (said !== null) return said
  const styles = await partOf('word/styles.xml', TEXT_AT_MOST)
  return asTitle(titledIn(await partOf('word/document.xml', TEXT_AT_MOST), titleStyleIn(styles)))
}

/** Its id: Word translates ids, and not the name. */
const titleStyleIn = (styles: string): string =>
  [...styles.matchAll(/<w:style\b([^>]*)>((?:(?!<\/w:style>)[\s\S]){0,2000})/g)]
    .filter(([, , inside]) => /<w:name w:val="title"/i.test(inside!))
    .map(([, attributes]) => /w:styleId="([^"]+)"/.exec(attributes!)?.[1])[0] ?? 'Title'

/** The words of the first paragraph of this style. */
function titledIn(document: string, style: string): string | undefined {
  const at = document.indexOf(`<w:pStyle w:val="${style}"`)
  if (at === -1) return undefined
  const paragraph = document.slice(at, document.indexOf('</w:p>', at))
  return [...paragraph.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>|<w:(?:br|tab)\b/g)]
    .map(([, words = ' ']) => words)
    .join('')
    .slice(0, 1000)
}

function asTitle(words: string | undefined): string | null {
  const title = decoded(words ?? '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 200)
  return NOBODYS.test(title) || /\.(?:docx?|dotx?)$/i.test(title) ? null : title
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hexadecimal, name) => {
    if (name) return NAMED[name] ?? whole
    const sign = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return sign <= 0x10ffff ? String.fromCodePoint(sign) : ''
  })
