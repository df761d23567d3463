import {
  AlignmentType,
  Document,
  type FileChild,
  Footer,
  Header,
  HeadingLevel,
  ImageRun,
  type IRunOptions,
  PageBreak,
  PageNumber,
  PageOrientation,
  Paragraph,
  TabStopType,
  TextRun,
} from 'docx'
import { charactersOf } from '../characters.ts'
import type { Block, Figure, Heading, PaperDocument, PaperPicture } from '../document.ts'
import { isDrawable } from '../drawable.ts'
import { fitted } from '../fitted.ts'
import { regionOf, scriptOf } from '../scripts.ts'
import { plainWords, seenLine, seenLines } from '../words.ts'
import { Lists } from './lists.ts'
import { paragraphOf, runsOf } from './runs.ts'
import { factTable, tableOf } from './tables.ts'

/* Sizes are half points, and lengths twentieths of a point, as the format has them. */

const PALE = '6a6d75'
const INK = '1c1d21'
/** A4. */
const SIDES = { short: 11_906, long: 16_838 }
const MARGIN = 1_134
const LEVELS: Readonly<Record<Heading['level'], (typeof HeadingLevel)[keyof typeof HeadingLevel]>> = {
  1: HeadingLevel.HEADING_1,
  2: HeadingLevel.HEADING_2,
  3: HeadingLevel.HEADING_3,
}
const headingStyle = (size: number, before: number) => ({
  run: { size, bold: true, color: INK },
  paragraph: { spacing: { before, after: 80 }, keepNext: true },
})

/** A document of Word. */
export function documentOf(document: PaperDocument): Document {
  const { title, subtitle, author, orientation, blocks, pictures = [] } = document
  const width = (orientation === 'landscape' ? SIDES.long : SIDES.short) - 2 * MARGIN
  const lists = new Lists()
  const children = [
    ...topOf(document, width),
    ...blocks.flatMap((block) => childrenOf(block, { width, lists, pictures })),
  ]
  return new Document({
    // Whoever reads it as a policy again takes its title from here.
    title: seenLine(plainWords(title)),
    subject: seenLine(plainWords(subtitle)),
    creator: seenLine(author),
    lastModifiedBy: seenLine(author),
    numbering: { config: lists.numbering },
    styles: {
      default: {
        document: {
          run: { size: 21, color: INK, ...lettersOf(document) },
          paragraph: { spacing: { after: 120, line: 276 } },
        },
        title: { run: { size: 44, bold: true, color: INK }, paragraph: { spacing: { after: 120 } } },
        heading1: headingStyle(32, 320),
        heading2: headingStyle(26, 260),
        heading3: headingStyle(22, 220),
      },
    },
    sections: [
      {
        properties: {
          titlePage: true,
          page: {
            margin: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN },
            size: {
              width: SIDES.short,
              height: SIDES.long,
              orientation: orientation === 'landscape' ? PageOrientation.LANDSCAPE : PageOrientation.PORTRAIT,
            },
          },
        },
        // The first page has the title itself.
        headers: {
          default: new Header({ children: [edge(`${title}: ${subtitle}`)] }),
          first: new Header({ children: [] }),
        },
        footers: { default: footerOf(document, width), first: footerOf(document, width) },
        children,
      },
    ],
  })
}

const EAST_ASIAN = {
  JP: { font: 'Yu Gothic', language: 'ja-JP' },
  KR: { font: 'Malgun Gothic', language: 'ko-KR' },
  SC: { font: 'Microsoft YaHei', language: 'zh-CN' },
  TC: { font: 'Microsoft JhengHei', language: 'zh-TW' },
  HK: { font: 'Microsoft JhengHei', language: 'zh-HK' },
} as const

/** Word has one font and language for what it calls complex scripts: those of the first that is written. */
const COMPLEX = [
  { script: 'Arabic', font: 'Arial', language: 'ar-SA' },
  { script: 'Hebrew', font: 'Arial', language: 'he-IL' },
  { script: 'Thai', font: 'Leelawadee UI', language: 'th-TH' },
  { script: 'Devanagari', font: 'Nirmala UI', language: 'hi-IN' },
] as const

/** Fonts and languages by script: Word chooses among them for each character. */
function lettersOf(document: PaperDocument): Pick<IRunOptions, 'font' | 'language'> {
  const scripts = new Set([...charactersOf(document).keys()].map(scriptOf))
  const eastAsian = EAST_ASIAN[regionOf(document.language, scripts)]
  const complex = COMPLEX.find(({ script }) => scripts.has(script)) ?? COMPLEX[0]
  const isEastAsian = (['Han', 'Hiragana', 'Katakana', 'Hangul'] as const).some((one) => scripts.has(one))
  const isComplex = COMPLEX.some(({ script }) => scripts.has(script))
  return {
    font: { ascii: 'Calibri', hAnsi: 'Calibri', eastAsia: eastAsian.font, cs: complex.font },
    language: {
      value: document.language,
      ...(isEastAsian ? { eastAsia: eastAsian.language } : {}),
      ...(isComplex ? { bidirectional: complex.language } : {}),
    },
  }
}

function topOf({ title, subtitle, facts, hasCover }: PaperDocument, width: number): FileChild[] {
  return [
    paragraphOf(title, {
      heading: HeadingLevel.TITLE,
      ...(hasCover ? { spacing: { before: 3_200, after: 120 } } : {}),
    }),
    paragraphOf(subtitle, { spacing: { after: 360 } }, { size: 26, color: PALE }),
    factTable(facts, width),
    new Paragraph({ children: hasCover ? [new PageBreak()] : [] }),
  ]
}

interface Place {
  readonly width: number
  readonly lists: Lists
  readonly pictures: readonly PaperPicture[]
}

function childrenOf(block: Block, { width, lists, pictures }: Place): FileChild[] {
  if (block.form === 'heading') {
    lists.end()
    return [paragraphOf(block.text, { heading: LEVELS[block.level] })]
  }
  // What follows a table at once would be drawn as a part of it.
  if (block.form === 'table') return [tableOf(block, width), new Paragraph({ children: [] })]
  if (block.form === 'figure') {
    const { text, depth } = block
    const place = lists.placeOf({ form: 'paragraph', text, ...(depth === undefined ? {} : { depth }) })
    const picture = pictures[block.picture]!
    if (!isDrawable(picture)) return [paragraphOf(`[${text}]`, place)]
    return [new Paragraph({ ...place, children: [imageOf(block, picture, width)] })]
  }
  return [paragraphOf(block.text, lists.placeOf(block))]
}

/** Signs of a screen, in twentieths of a point. */
const LENGTH_OF_SIGN = 15
const HIGHEST = 900

function imageOf({ text }: Figure, picture: PaperPicture, width: number): ImageRun {
  const [shown = ''] = seenLines(text)
  return new ImageRun({
    type: picture.bytes[0] === 0x89 ? 'png' : 'jpg',
    data: Buffer.from(picture.bytes),
    transformation: fitted(picture, { width: width / LENGTH_OF_SIGN, height: HIGHEST }),
    altText: { name: shown, title: shown, description: shown },
  })
}

const edge = (text: string): Paragraph => paragraphOf(text, {}, { size: 16, color: PALE })

const footerOf = ({ footer }: PaperDocument, width: number): Footer =>
  new Footer({
    children: [
      new Paragraph({
        alignment: AlignmentType.LEFT,
        tabStops: [{ type: TabStopType.RIGHT, position: width }],
        children: [
          ...runsOf(footer, { size: 16, color: PALE }),
          new TextRun({
            size: 16,
            color: PALE,
            children: ['\tPage ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES],
          }),
        ],
      }),
    ],
  })
