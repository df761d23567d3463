import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import * as fontkit from 'fontkit'
import * as harfbuzz from 'harfbuzzjs'
import { type Region, regionOf, type Script, scriptOf } from '../scripts.ts'

/*
 * The fonts that documents are set in. Those in `fonts/` come with the service (their licences are next to them). Others,
 * above all for Chinese, Japanese and Korean, which take 20 MB a weight, are files in the folder of the setting `FONTS`.
 * A font is opened when the first character needs it.
 */

export type Weight = 'regular' | 'bold'

/** How high a line is, and where its baseline is below its top, by the size of the text. */
export const HEIGHT = 1.362
export const BASELINE = 1.069

/** One face of a font file. */
export interface Face {
  readonly name: string
  /** Of the file, as the writer of the PDF embeds it. */
  readonly bytes: Uint8Array
  /** Which face of a collection: null where the file has one. */
  readonly postscriptName: string | null
  readonly shaped: harfbuzz.Font
  /** From the units of the font to those of PDF glyph widths, of which 1,000 are as long as the text is large. */
  readonly scale: number
  has(codePoint: number): boolean
}

interface Family {
  readonly regular: () => Face
  readonly bold: (() => Face) | null
}

interface Shipped {
  readonly scripts: readonly Script[]
  readonly regular: string
  readonly bold: string | null
}

const SHIPPED: readonly Shipped[] = [
  { scripts: ['other'], regular: 'NotoSans-Regular.ttf', bold: 'NotoSans-Bold.ttf' },
  { scripts: ['Arabic'], regular: 'NotoSansArabic-Regular.ttf', bold: 'NotoSansArabic-Bold.ttf' },
  { scripts: ['Hebrew'], regular: 'NotoSansHebrew-Regular.ttf', bold: 'NotoSansHebrew-Bold.ttf' },
  { scripts: ['Thai'], regular: 'NotoSansThai-Regular.ttf', bold: 'NotoSansThai-Bold.ttf' },
  {
    scripts: ['Devanagari'],
    regular: 'NotoSansDevanagari-Regular.ttf',
    bold: 'NotoSansDevanagari-Bold.ttf',
  },
  // Arrows, mathematical signs, boxes, check marks and box drawing; Armenian, Georgian and Lao as well.
  { scripts: ['other', 'Armenian', 'Georgian', 'Lao'], regular: 'DejaVuSans.ttf', bold: null },
]

export class Fonts {
  readonly #shipped: readonly (Shipped & Family)[]
  readonly #further: readonly FurtherFamily[]
  readonly #chosen: Readonly<Record<Weight, Map<number, Face | null>>> = {
    regular: new Map(),
    bold: new Map(),
  }

  /**
   * @param folder of further fonts, opened only where `characters` need them
   * @param characters all that the document has
   */
  constructor(folder: string | null, characters: Iterable<number>, language: string) {
    this.#shipped = SHIPPED.map((one) => ({
      ...one,
      regular: once(() => openShipped(one.regular)),
      bold: one.bold === null ? null : once(() => openShipped(one.bold!)),
    })) as never
    this.#further = []
    const missing = [...characters].filter((codePoint) => this.faceFor(codePoint, 'regular') === null)
    if (folder === null || missing.length === 0) return
    this.#further = furtherFamilies(folder, missing, regionOf(language, new Set(missing.map(scriptOf))))
    for (const faces of Object.values(this.#chosen)) faces.clear()
  }

  /** The face of most text. */
  base(weight: Weight): Face {
    const [family] = this.#shipped
    return weight === 'bold' ? family!.bold!() : family!.regular()
  }

  /** @returns null where no font has the character */
  faceFor(codePoint: number, weight: Weight): Face | null {
    const chosen = this.#chosen[weight]
    let face = chosen.get(codePoint)
    if (face === undefined) {
      face = this.#choose(codePoint, weight)
      chosen.set(codePoint, face)
    }
    return face
  }

  #choose(codePoint: number, weight: Weight): Face | null {
    if (this.base(weight).has(codePoint)) return this.base(weight)
    const script = scriptOf(codePoint)
    const isMeant = ({ scripts }: Shipped) => scripts.includes(script)
    // Signs that several scripts share are in the fonts of those.
    const others = script === 'other' ? this.#shipped.filter((one) => !isMeant(one)) : []
    for (const { regular, bold } of [...this.#shipped.filter(isMeant), ...others, ...this.#further]) {
      if (!regular().has(codePoint)) continue
      const asWished = weight === 'bold' && bold ? bold() : regular()
      return asWished.has(codePoint) ? asWished : regular()
    }
    return null
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const openShipped = (file: string): Face => {
  const bytes = readFileSync(join(import.meta.dirname, 'fonts', file))
  return openFace({ name: file, bytes, at: 0, postscriptName: null })
}

function openFace({
  name,
  bytes,
  at,
  postscriptName,
}: {
  name: string
  bytes: Uint8Array
  at: number
  postscriptName: string | null
}): Face {
  const face = new harfbuzz.Face(new harfbuzz.Blob(bytes), at)
  const shaped = new harfbuzz.Font(face)
  const has = (codePoint: number) => shaped.nominalGlyph(codePoint) !== undefined
  return { name, bytes, postscriptName, shaped, scale: 1000 / face.upem, has }
}

/* Fonts of the folder. */

interface FurtherFamily extends Family {
  readonly name: string
}

interface Found {
  readonly path: string
  readonly at: number
  readonly family: string
  readonly postscriptName: string
  readonly isCollection: boolean
  readonly weight: number
  /** How many of the characters that are looked for it has. */
  readonly count: number
}

const FILES_AT_MOST = 100
const BYTES_AT_MOST = 64_000_000
const EXTENSIONS = ['.ttf', '.otf', '.ttc', '.otc']

/** The families that have some of these characters, the best one first: the same for the same folder. */
function furtherFamilies(folder: string, missing: readonly number[], region: Region): FurtherFamily[] {
  const found = fontFiles(folder).flatMap((path) => facesOf(path, missing))
  const families = [...Map.groupBy(found, ({ family }) => family)]
  const rank = ([name, faces]: (typeof families)[number]) => [
    ...[name.includes(` ${region}`) ? 0 : 1, /Serif|Mono/i.test(name) ? 1 : 0],
    -Math.max(...faces.map(({ count }) => count)),
  ]
  return families
    .toSorted((one, other) => {
      const [ranks, others] = [rank(one), rank(other)]
      const at = ranks.findIndex((value, index) => value !== others[index])
      return at === -1 ? (one[0] < other[0] ? -1 : 1) : ranks[at]! - others[at]!
    })
    .map(([name, faces]) => {
      const closest = (weight: number) =>
        faces.toSorted((one, other) => Math.abs(one.weight - weight) - Math.abs(other.weight - weight))[0]!
      const [regular, bold] = [closest(400), closest(700)]
      return {
        name,
        regular: once(() => openFound(regular)),
        bold: bold.weight >= 600 && bold !== regular ? once(() => openFound(bold)) : null,
      }
    })
}

const openFound = ({ path, at, postscriptName, isCollection }: Found): Face =>
  openFace({
    ...{ name: `${path}:${at}`, bytes: readFileSync(path), at },
    postscriptName: isCollection ? postscriptName : null,
  })

function fontFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => EXTENSIONS.includes(extname(name).toLowerCase()))
      .toSorted()
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).size <= BYTES_AT_MOST)
      .slice(0, FILES_AT_MOST)
  } catch {
    return []
  }
}

/** The upright faces of a file that have some of these characters; none where it cannot be read. */
function facesOf(path: string, missing: readonly number[]): Found[] {
  try {
    const opened = fontkit.create(readFileSync(path))
    const isCollection = 'fonts' in opened
    const fonts = isCollection ? opened.fonts : [opened as fontkit.Font]
    return fonts.flatMap((font, at) => {
      const { fvar, head, 'OS/2': os2 } = font as unknown as FontTables
      // The default instance of a variable font may be its thinnest.
      if (head?.macStyle?.italic || fvar) return []
      const count = missing.filter((codePoint) => font.hasGlyphForCodePoint(codePoint)).length
      if (count === 0) return []
      const family = font.familyName ?? font.postscriptName
      const weight = os2?.usWeightClass ?? 400
      return [{ path, at, family, postscriptName: font.postscriptName, isCollection, weight, count }]
    })
  } catch {
    return []
  }
}

interface FontTables {
  readonly fvar?: object
  readonly head?: { readonly macStyle?: { readonly italic?: boolean } }
  readonly 'OS/2'?: { readonly usWeightClass?: number }
}
