/**
 * What stands on paper: plain data, which `writePdf` and `writeDocx` set. All of it is text to the letter, whoever wrote
 * it: nothing in it is markup or a formula, and an address is at most one of the web.
 */
export interface PaperDocument {
  readonly title: string
  readonly subtitle: string
  /** Whose it is, as the properties of the file name it. */
  readonly author: string
  /** Of its text, as `en`. */
  readonly language: string
  /** When it is from: the same document is the same PDF whenever it is written. */
  readonly madeAt: Date
  readonly orientation: 'portrait' | 'landscape'
  /** Under the title: what it is of, by whom and since when. */
  readonly facts: readonly Fact[]
  /** Title and facts have a page of their own. */
  readonly hasCover: boolean
  /** At the foot of each page, beside its number. */
  readonly footer: string
  readonly blocks: readonly Block[]
  /** Which its blocks show, by their place here. */
  readonly pictures?: readonly PaperPicture[]
}

/** A PNG or a JPEG, and how large it is in its own signs. */
export interface PaperPicture {
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array
}

export interface Fact {
  readonly name: string
  readonly value: string
  /** Has a line of its own. */
  readonly isWide?: true
}

export type Block = Heading | Paragraph | Table | Figure

export interface Heading {
  readonly form: 'heading'
  readonly level: 1 | 2 | 3
  readonly text: string
}

export interface Paragraph {
  readonly form: 'paragraph'
  readonly text: Words
  /** Stands beneath this mark, such as a number of a list (`3.`) or a bullet. */
  readonly mark?: string
  /** How many lists it is within, where it is in one of a list. */
  readonly depth?: number
}

/** A picture on lines of its own. */
export interface Figure {
  readonly form: 'figure'
  /** Which of the document's pictures. */
  readonly picture: number
  /** What it shows, for who does not see it. */
  readonly text: string
  readonly depth?: number
}

/** Lines of words, of which some may stand out. */
export type Words = string | readonly Run[]

/** Words that look alike. A PDF sets all of them plain, and the address of a link beside it. */
export interface Run {
  readonly text: string
  readonly isBold?: true
  readonly isItalic?: true
  readonly isCode?: true
  /** Where they lead: of `http` or `https`. */
  readonly url?: string
}

/** Its head is repeated on each page that it comes to. */
export interface Table {
  readonly form: 'table'
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
}

export interface Column {
  readonly title: string
  /** How wide it is beside the others. */
  readonly share: number
  readonly isBold?: true
}

export type Row = { readonly cells: readonly Words[] } | Section

/** A heading over the rows that follow, as wide as the table. */
export interface Section {
  readonly section: string
  readonly level: number
}
