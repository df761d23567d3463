import {
  AlignmentType,
  type ILevelsOptions,
  type INumberingOptions,
  type IParagraphOptions,
  LevelFormat,
} from 'docx'
import type { Paragraph } from '../document.ts'

/*
 * Paragraphs that stand beneath a mark, as items of lists that count by themselves, so that an item which is added in Word
 * moves those behind it. A document says the number of an item and not its list: one that does not follow the number
 * before it at its depth begins a list.
 */

const INDENT = 360
/** As many as the format has. */
const DEEPEST = 8
const BULLETS = 'bullets'

type Place = Pick<IParagraphOptions, 'numbering' | 'indent' | 'spacing' | 'border'>

interface List {
  readonly start: number
  readonly instance: number
  /** The number of its last item so far. */
  last: number
}

export class Lists {
  readonly #starts = new Set<number>()
  /** By depth: the list that was gone on with last. */
  #open: (List | undefined)[] = []
  #instances = 0

  /** Numbers that come are of other lists. */
  end(): void {
    this.#open = []
  }

  placeOf({ mark, depth = 0 }: Paragraph): Place {
    const level = Math.min(depth, DEEPEST)
    // What is deeper ended with this, and between items is only what stands further in.
    this.#open.length = Math.min(this.#open.length, level + (mark === undefined ? 0 : 1))
    const number = mark === undefined ? Number.NaN : Number.parseInt(mark, 10)
    if (mark === '•') return { numbering: { reference: BULLETS, level }, spacing: { after: 60 } }
    if (!Number.isNaN(number)) return { numbering: this.#numbered(number, level), spacing: { after: 60 } }
    const left = (level + (mark === undefined ? 0 : 1)) * INDENT
    if (mark === undefined) return left === 0 ? {} : { indent: { left } }
    return { indent: { left }, border: { left: { style: 'single', size: 12, space: 8, color: 'b9bcc4' } } }
  }

  #numbered(number: number, level: number) {
    const before = this.#open[level]
    const list =
      before?.last === number - 1 ? before : { start: number, last: number, instance: ++this.#instances }
    list.last = number
    this.#open[level] = list
    this.#starts.add(list.start)
    return { reference: orderedFrom(list.start), level, instance: list.instance }
  }

  /** What a document has to say of its lists, once all of them are known. */
  get numbering(): INumberingOptions['config'] {
    return [
      { reference: BULLETS, levels: levels({ format: LevelFormat.BULLET, text: () => '•' }) },
      ...[...this.#starts].map((start) => ({
        reference: orderedFrom(start),
        levels: levels({ format: LevelFormat.DECIMAL, text: (level) => `%${level + 1}.`, start }),
      })),
    ]
  }
}

const orderedFrom = (start: number): string => `ordered-${start}`

const levels = ({
  format,
  text,
  start = 1,
}: {
  format: (typeof LevelFormat)[keyof typeof LevelFormat]
  text: (level: number) => string
  start?: number
}): ILevelsOptions[] =>
  Array.from({ length: DEEPEST + 1 }, (_, level) => ({
    ...{ level, format, start, text: text(level), alignment: AlignmentType.LEFT },
    style: { paragraph: { indent: { left: (level + 1) * INDENT, hanging: INDENT } } },
  }))
