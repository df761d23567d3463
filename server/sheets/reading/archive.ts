import yauzl from 'yauzl'
import { readEntities } from '../../../model/xml-entities.ts'
import { LIMITS, Unreadable } from './found.ts'
import { attribute, SheetMarks } from './sheet-marks.ts'

/*
 * A workbook is an archive of XML. Before anything is made of it, all of it is taken apart once and thrown away: what
 * comes out is counted, whatever the archive says of itself, and no part may declare entities.
 */

/** The attributes of a tag. Their values may have any character but the quotation mark that encloses them, and “<”. */
const ATTRIBUTES = `((?:"[^"<]{0,4096}"|'[^'<]{0,4096}'|[^<>"']){0,4096})`
const SHEET = new RegExp(`<(?:\\w+:)?sheet\\b${ATTRIBUTES}>`, 'g')
const NAMED_BY = /(?:^|\/)workbook\.xml$/
const LED_BY = /(?:^|\/)workbook\.xml\.rels$/
const RELATION = new RegExp(`<(?:\\w+:)?Relationship\\b${ATTRIBUTES}>`, 'g')
const OF_SHEETS = /(?:^|\/)worksheets\/[^/]+\.xml$/

export interface SheetFound {
  readonly name: string
  readonly isHidden: boolean
  readonly marks: SheetMarks
}

/**
 * @returns the sheets, in their order
 * @throws {Unreadable} for what is too large, damaged, or of another form
 */
export async function inspect(bytes: Buffer): Promise<SheetFound[]> {
  const archive = await yauzl.fromBufferPromise(bytes).catch(() => {
    throw damaged()
  })
  let [inflated, parts] = [0, 0]
  const texts = new Map<RegExp, string>()
  const marks = new Map<string, SheetMarks>()
  try {
    for await (const entry of archive.eachEntry()) {
      parts += 1
      if (parts > LIMITS.parts) throw tooLarge()
      if (entry.isEncrypted()) throw new Unreadable(ENCRYPTED)
      const isKept = [NAMED_BY, LED_BY].find((form) => form.test(entry.fileName))
      const marking = OF_SHEETS.test(entry.fileName) ? new SheetMarks() : null
      if (marking) marks.set(entry.fileName.split('/').at(-1)!, marking)
      const kept: Buffer[] = []
      let end = ''
      const stream = await archive.openReadStreamPromise(entry)
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        inflated += chunk.length
        if (inflated > LIMITS.inflated) throw tooLarge()
        const letters = chunk.toString('latin1')
        const text = end + letters
        if (DECLARATION.test(text)) throw new Unreadable(DECLARED)
        end = text.slice(-DECLARATION_LENGTH)
        if (isKept && kept.length < 100) kept.push(chunk)
        marking?.take(letters)
      }
      if (isKept) texts.set(isKept, Buffer.concat(kept).toString('utf8'))
    }
  } catch (error) {
    throw error instanceof Unreadable ? error : damaged()
  }
  const sheets = sheetsIn(texts.get(NAMED_BY) ?? '', texts.get(LED_BY) ?? '', marks)
  if (sheets.length > LIMITS.sheets)
    throw new Unreadable(`It has more than ${LIMITS.sheets} sheets: leave out those that are not imported.`)
  if (sheets.length === 0) throw new Unreadable('It has no sheets: save it as an Excel workbook (.xlsx).')
  return sheets
}

/** Also where each letter has two bytes. */
const DECLARATION = /<\0?!\0?(D\0?O\0?C\0?T\0?Y\0?P\0?E|E\0?N\0?T\0?I\0?T\0?Y)/i
const DECLARATION_LENGTH = 24

function sheetsIn(workbook: string, relations: string, marks: ReadonlyMap<string, SheetMarks>): SheetFound[] {
  const leads = new Map(
    [...relations.matchAll(RELATION)].map(([, of]) => [attribute(of!, 'Id'), attribute(of!, 'Target')]),
  )
  return [...workbook.matchAll(SHEET)].flatMap(([, of]) => {
    const name = attribute(of!, 'name')
    if (name === '') return []
    const file = (leads.get(attribute(of!, '(?:\\w+:)?id')) ?? '').split('/').at(-1)!
    const isHidden = /hidden/i.test(attribute(of!, 'state'))
    return { name: readEntities(name), isHidden, marks: marks.get(file) ?? new SheetMarks() }
  })
}

const tooLarge = () =>
  new Unreadable(
    `Taken apart it has more than ${LIMITS.inflated / 1024 / 1024} MB: leave out sheets, pictures and empty rows, or import it in parts.`,
  )
const damaged = () =>
  new Unreadable('It is damaged, or no workbook: open it in a spreadsheet and save it as .xlsx.')
const ENCRYPTED = 'It is protected by a password: save it without one.'
const DECLARED = 'It declares entities, which no spreadsheet does: open it in one and save it as .xlsx.'
