import { inflateSync } from 'node:zlib'

/*
 * What somebody reads in a PDF of ours, read back without what wrote it: the lines of each page, by the letters that its
 * fonts say their codes stand for.
 */

/** The lines of each page, in the order in which they were set, and each from left to right. */
export function pdfText(bytes: Buffer): readonly (readonly string[])[] {
  const objects = objectsOf(bytes)
  const pages = [...objects.values()].filter((one) => /\/Type \/Page\b/.test(one.text))
  const inOrder = [...objects.values()]
    .find((one) => /\/Type \/Pages\b/.test(one.text))!
    .text.match(/\/Kids \[(.*?)\]/s)![1]!
    .match(/\d+(?= 0 R)/g)!
  const read = inOrder.map((id) => objects.get(id)!)
  if (read.length !== pages.length) throw new Error('a page is in no list of pages')
  return read.map((page) => linesOf(page, objects))
}

interface PdfObject {
  readonly text: string
  readonly stream: Buffer | null
}

function objectsOf(bytes: Buffer): ReadonlyMap<string, PdfObject> {
  const text = bytes.toString('latin1')
  const objects = new Map<string, PdfObject>()
  for (const found of text.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)) {
    const from = found.index + found[0].length
    const length = /^<<.*?\/Length (\d+).*?\n>>\nstream\n/s.exec(text.slice(from, from + 2_000))
    const end = text.indexOf('endobj', from)
    if (!length || from + length[0].length > end) {
      objects.set(found[1]!, { text: text.slice(from, end), stream: null })
      continue
    }
    const at = from + length[0].length
    const raw = bytes.subarray(at, at + Number(length[1]))
    const stream = length[0].includes('/FlateDecode') ? inflateSync(raw) : raw
    objects.set(found[1]!, { text: length[0], stream })
  }
  return objects
}

function linesOf(page: PdfObject, objects: ReadonlyMap<string, PdfObject>): string[] {
  const refer = (text: string, name: string) =>
    objects.get(new RegExp(`/${name} (\\d+) 0 R`).exec(text)![1]!)!
  const resources = refer(page.text, 'Resources').text
  const letters = new Map(
    [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [
      name!,
      lettersOf(refer(objects.get(id!)!.text, 'ToUnicode').stream!.toString('latin1')),
    ]),
  )
  return [
    ...refer(page.text, 'Contents')
      .stream!.toString('latin1')
      .matchAll(/BT\n(.*?)\nET/gs),
  ].map(([, line]) => {
    let [font, text] = ['', '']
    for (const [, named, shown] of line!.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g)) {
      if (named) font = named
      else {
        const codes = [...shown!.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex]) => hex!.match(/.{4}/g)!)
        text += codes.map((code) => letters.get(font)!.get(code) ?? '?').join('')
      }
    }
    return text.replaceAll(NOTHING, '')
  })
}

/** What a glyph says that represents no text of its own. */
const NOTHING = '\u034f'

/** How many glyphs stand for this text, in all fonts together: forms of one letter are several. */
export function formsOf(bytes: Buffer, text: string): number {
  const maps = [...objectsOf(bytes).values()].filter(({ stream }) => stream?.includes('beginbfrange'))
  const letters = maps.flatMap(({ stream }) => [...lettersOf(stream!.toString('latin1')).values()])
  return letters.filter((one) => one === text).length
}

function lettersOf(map: string): ReadonlyMap<string, string> {
  const letters = new Map<string, string>()
  for (const [, from, list] of map.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[(.*?)\]/g))
    for (const [index, [, hex]] of [...list!.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      const units = hex!.replaceAll(' ', '').match(/.{4}/g) ?? []
      const code = (Number.parseInt(from!, 16) + index).toString(16).padStart(4, '0')
      letters.set(code, String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))))
    }
  return letters
}
