import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { columnOfField, NAME_PARTS, type SheetColumn } from './columns.ts'

/*
 * Values that a register gives in another form than a record has them: a full name in its parts, a title as the first
 * sentence of a description, and a stage that follows from a status. The plan says which fields are filled in so
 * (import-notes.ts).
 */

/** @param mapped the keys of the columns that are imported */
export function fillIn(
  kind: Kind,
  before: Values | null,
  given: Values,
  mapped: ReadonlySet<string>,
): Values {
  const named = withComposed(kind, before, given)
  return before ? named : withOther(kind, withImplied(kind, withTitle(kind, named, mapped), mapped), mapped)
}

export const OTHER = 'other'

/** Whether a record needs a choice that may be "other". */
export const isNeeded = (kind: Kind, { key, open }: Pick<SheetColumn, 'key' | 'open'>): boolean =>
  kind.required.includes(key) && open.has(OTHER)

/** The choices that a record needs, and that a file without a column for them leaves as "other". */
export const leftAsOther = once((kind: Kind): readonly string[] =>
  kind.required.filter((name) => columnOfField(kind, name)?.open.has(OTHER)),
)

function withOther(kind: Kind, given: Values, mapped: ReadonlySet<string>): Values {
  const missing = leftAsOther(kind).filter((name) => !mapped.has(name))
  return { ...Object.fromEntries(missing.map((name) => [name, OTHER])), ...given }
}

function withComposed({ composed }: Kind, before: Values | null, given: Values): Values {
  if (!composed) return given
  const { [NAME_PARTS]: others, ...rest } = given
  const isGiven = rest[composed.field] !== undefined && rest[composed.field] !== null
  const wasComposed = before === null || before[composed.field] === nameOf(composed.parts, before)
  if (isGiven || !wasComposed) return rest
  const name = nameOf(composed.parts, { ...before, ...rest, ...(others as Values | undefined) })
  return name === '' || name === before?.[composed.field] ? rest : { ...rest, [composed.field]: name }
}

const nameOf = (parts: readonly string[], values: Values): string =>
  parts
    .flatMap((part) => {
      const value = values[part.replace(`${NAME_PARTS}.`, '')]
      return typeof value === 'string' && value.trim() !== '' ? [value.trim()] : []
    })
    .join(' ')

/** A register without a column of titles has its records described. */
function withTitle({ named, titledFrom = [] }: Kind, given: Values, mapped: ReadonlySet<string>): Values {
  if (mapped.has(named) || given[named]) return given
  const text = titledFrom
    .map((field) => given[field])
    .find((value) => typeof value === 'string' && value !== '')
  return text === undefined ? given : { ...given, [named]: firstSentence(text as string) }
}

const TITLE_AT_MOST = 120
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

export function firstSentence(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  const [sentence] = sentences.segment(line)
  const title = (sentence?.segment ?? line).trim().replace(/[.;:,]$/, '')
  if (title.length <= TITLE_AT_MOST) return title
  const cut = title.slice(0, TITLE_AT_MOST - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), TITLE_AT_MOST / 2)).toWellFormed()}…`
}

function withImplied({ implied }: Kind, given: Values, mapped: ReadonlySet<string>): Values {
  if (!implied || mapped.has(implied.field)) return given
  const value = implied.by[String(given[implied.from])]
  return value === undefined ? given : { ...given, [implied.field]: value }
}
