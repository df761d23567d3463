import { isUtf8 } from 'node:buffer'
import yauzl, { type Entry } from 'yauzl'

/*
 * What a file in an archive is called. Whatever stands there is a name and never a place: folders are told and made
 * nowhere, and what leads out of them is left away.
 */

const LONGEST = 255
/** Signs that cannot be seen, or turn the direction of writing, so that a name ends in what it does not end in. */
const UNSEEN = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu
const SAYS_UTF8 = 0x800
const UNICODE_PATH = 0x7075

export interface EntryName {
  /** Of the file alone; empty where it has none that a file can have, as `..`. */
  readonly name: string
  /** With its folders. */
  readonly path: string
  readonly isFolder: boolean
  /** The first of its folders, or itself, that systems do not show, as `.git` and `.env`; null where all are shown. */
  readonly hidden: { readonly name: string; readonly path: string } | null
}

export function entryName(entry: Entry, raw: Buffer): EntryName {
  const text = textOf(entry, raw)
  const parts = text
    .split(/[/\\]/)
    .map((part) => part.replace(UNSEEN, '').trim().normalize('NFC').toWellFormed())
    .map((part) => (isPlace(part) ? '' : shortened(part)))
  const kept = parts.filter((part) => part !== '')
  const first = kept.findIndex((part) => part.startsWith('.'))
  return {
    name: parts.at(-1)!,
    path: pathOf(kept),
    isFolder: /[/\\]$/.test(text),
    hidden: first < 0 ? null : { name: kept[first]!, path: pathOf(kept.slice(0, first + 1)) },
  }
}

/** What leads somewhere: up, to where one is, or to a drive. */
const isPlace = (part: string): boolean => /^\.*$/.test(part) || /^[a-z]:$/i.test(part)

const pathOf = (parts: readonly string[]): string => parts.join('/').slice(-1_000).toWellFormed()

/** Archives say in which of two encodings a name is; many say nothing, and have it in the other all the same. */
function textOf({ generalPurposeBitFlag, extraFields }: Entry, raw: Buffer): string {
  const isTold =
    (generalPurposeBitFlag & SAYS_UTF8) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH)
  return !isTold && isUtf8(raw)
    ? raw.toString('utf8')
    : yauzl.getFileNameLowLevel(generalPurposeBitFlag, raw, extraFields, false)
}

/** Its ending says what it is, and stays. */
function shortened(name: string): string {
  if (name.length <= LONGEST) return name
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  return `${name.slice(0, LONGEST - ending.length)}${ending}`.toWellFormed()
}

/** What systems put beside files for themselves: nobody misses it. */
export const isOfSystem = ({ name, path }: EntryName): boolean =>
  /(^|\/)__MACOSX\//.test(path) || /^(\._.*|\.ds_store|thumbs\.db|desktop\.ini)$/i.test(name)
