import { readArchive } from './archive.ts'

const PROPERTIES_AT_MOST = 256 * 1024

/** What programs write where nobody gave a title. */
const NOBODYS =
  /^(?:microsoft word\b.*|document\s*\d*|dokument\s*\d*|untitled|unbenannt|title|titel|template|vorlage|word document|\W*)$/i

/** The title in the properties of a Word document; null where it has none that somebody gave it. */
export async function documentTitle(file: Blob): Promise<string | null> {
  const entries = await readArchive(file).catch(() => [])
  const bytes = await entries
    .find(({ path }) => path === 'docProps/core.xml')
    ?.read(PROPERTIES_AT_MOST)
    .catch(() => null)
  const told = bytes
    ? /<dc:title>([^<]{1,1000})<\/dc:title>/.exec(new TextDecoder().decode(bytes))?.[1]
    : undefined
  const title = decoded(told ?? '')
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
