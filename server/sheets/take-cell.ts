import { isOther } from '../../model/exact-number.ts'
import { kindOfPrefix } from '../../model/family.ts'
import type { Kind } from '../../model/kind.ts'
import type { Side } from '../../model/relations.ts'
import { exampleReference } from '../records/reference.ts'
import { isCut, itemsIn } from './cells.ts'
import { alike, memorable, optionsOfScale, type Scale, type SheetColumn } from './columns.ts'
import { composed, type Lookups, type Meant, type PrincipalRef, type Wanted } from './lookups.ts'
import { amountIn } from './money-signs.ts'
import { codeOfPlace } from './places-called.ts'
import { CHOICES_TOLD, choicesTold } from './problem-words.ts'
import type { FoundCell } from './read-file.ts'
import { folded } from './reading/alike.ts'
import { MERGED, NOT_RECKONED } from './reading/sheet-marks.ts'
import { choiceAt, isOftenFromTheTop, stepIn, stepsOf } from './scale.ts'
import { dayOf, instantOf } from './take-date.ts'
import { choicesByWord, flagCalled } from './vocabulary/words.ts'

/*
 * From what stands in a cell to the value of a field. People write a thing in many ways; what can be meant in only one
 * is taken, and of all else it is told what would be right. Whether the value is one that the field takes is judged
 * where records are written, and not here.
 */

/**
 * What a spreadsheet writes where it could not work a formula out. In CSV that is a text, in the language of whoever
 * saved it: English, German, French, Spanish, Italian, Portuguese, Dutch.
 */
const BROKEN = new RegExp(
  `^#[¡¿]?(${[
    'N/A|REF!|VALUE!|DIV/0!|NAME\\?|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|GETTING_DATA|ERROR!',
    'NV|BEZUG!|WERT!|ZAHL!|ÜBERLAUF!|KALK!|VALEUR!|NOM\\?|NOMBRE!|NUL!|N/D|VALOR!|NOMBRE\\?|NULO!',
    'RIF!|VALORE!|NOME\\?|NULLO!|NÚM!|N/B|VERW!|WAARDE!|NAAM\\?|GETAL!|LEEG!|DEEL/0!',
  ].join('|')})$`,
)
const NOT_WORKED_OUT = 'the spreadsheet could not work this out: correct its formula, or write the value'

/** Why a cell is none that somebody wrote, whatever its column is taken for; null where it is one. */
export function faultOfCell(cell: FoundCell, column: SheetColumn): string | null {
  const text = textOf(cell, column)
  if (text === NOT_RECKONED)
    return 'is a formula whose value the file does not have: open it in a spreadsheet and save it there, or write the value'
  if (text === MERGED) return 'is merged with the cell above: write its value in each row'
  const { form } = column.field
  const items = isJson(cell)
    ? [cell.json].flat()
    : column.side || form === 'choices' || form === 'words'
      ? itemsIn(text)
      : [text]
  return items.some((one) => typeof one === 'string' && BROKEN.test(composed(one.trim())))
    ? NOT_WORKED_OUT
    : null
}

/** Of a date as a spreadsheet keeps it. */
const DAY_START = 'T00:00:00.000Z'

/**
 * A cell as the text that people see in it. A spreadsheet knows no day from its first moment: where something is due, it
 * is the day.
 */
export function textOf(cell: FoundCell, { field: { form, isDeadline } }: Pick<SheetColumn, 'field'>): string {
  if (cell === null) return ''
  if (typeof cell !== 'object') return String(cell).trim()
  if ('json' in cell) return JSON.stringify(cell.json)
  const isMoment = form === 'instant' && !isDeadline
  return isMoment || !cell.date.endsWith(DAY_START) ? cell.date : cell.date.slice(0, 10)
}

/** Notes the words of a cell that stand for somebody or something. */
export function noteWanted(column: SheetColumn, cell: FoundCell, wanted: Wanted): void {
  const { field, side } = column
  if (side) {
    const words = linkedIn(column, cell) ?? []
    if (words.length <= side.relation.atMost) for (const word of words) wanted.record(side.other, word)
  }
  if (side || isJson(cell)) return
  const text = textOf(cell, column)
  if (field.form === 'principal') {
    wanted.person(text)
    const said = column.meanings?.get(memorable(text))
    if (said !== undefined) wanted.person(said)
  } else if (field.form === 'record') {
    const kind = kindOfPrefix(field.target!)
    if (kind) wanted.record(kind, text)
    else wanted.person(text)
  }
}

/** @param cell that is not empty */
export function takeCell(column: SheetColumn, cell: FoundCell, lookups: Lookups): Meant<unknown> {
  const { field, side } = column
  const fault = faultOfCell(cell, column)
  if (fault !== null) return { fault }
  if (isJson(cell))
    return side ? takeLinks(side, column, cell, lookups) : takeJson(column, cell.json, lookups)
  const text = textOf(cell, column)
  if (isCut(text))
    return {
      fault:
        'this was cut when the file was taken out: write all of it, leave its column out, or take CSV or JSON',
    }
  if (side) return takeLinks(side, column, cell, lookups)
  switch (field.form) {
    case 'number':
      if (typeof cell === 'number') return { is: cell }
      return field.isMoney ? amountOf(amountIn(text)?.amount ?? text) : numberOf(text)
    case 'flag':
      return typeof cell === 'boolean' ? { is: cell } : flagOf(text)
    case 'day':
      return dayOf(text, cell, column.dates)
    case 'instant':
      return instantOf(text, cell, column.dates)
    case 'choice':
      return choiceOf(column, text)
    case 'choices':
      return each(itemsIn(text), (word) => choiceOf(column, word), true)
    case 'words':
      return { is: itemsIn(text).map((word) => codeOfPlace(field.place, word)) }
    case 'url':
      return addressOf(text)
    case 'place':
      return { is: codeOfPlace(field.place, text) }
    case 'principal':
      return personOf(column, text, lookups)
    case 'record':
      return recordOf(kindOfPrefix(field.target!), text, lookups)
    case 'objects':
    case 'pairs':
    case 'object':
      return parsedJson(text)
    default:
      return { is: text }
  }
}

/** Lists of the app say "Nobody" where there is no owner; whoever is called so comes first. */
function personOf(column: SheetColumn, text: string, lookups: Lookups): Meant<unknown> {
  const found = lookups.person(text)
  if ('is' in found) return found
  return alike(text) === 'nobody' ? { is: null } : (personSaid(column, text, lookups) ?? found)
}

/**
 * Whom a name was said to stand for, where it does not say so by itself: nobody is called so, or several are and it is
 * one of them. Null also where that person is here no more.
 */
export function personSaid(
  { meanings }: Pick<SheetColumn, 'meanings'>,
  text: string,
  lookups: Lookups,
): { readonly is: PrincipalRef } | null {
  const found = lookups.person(text)
  const id = meanings?.get(memorable(text))
  if ('is' in found || id === undefined) return null
  const said = lookups.person(id)
  const isOpen = !found.among?.length || found.among.includes(id)
  return 'is' in said && said.is.refId === id && isOpen ? said : null
}

/** What registers write where there is nothing to say. */
const NOTHING = new Set([
  'n/a',
  'na',
  'n.a.',
  'k.a.',
  'k. a.',
  's.o.',
  'tbd',
  '--',
  '---',
  '-',
  '–',
  '—',
  '?',
])
const NEVER_NOTHING: readonly string[] = [
  'line',
  'text',
  'flag',
  'url',
  'place',
  'words',
  'objects',
  'pairs',
  'object',
]

/** Whether a cell says in a word that it is empty, as "N/A" does where a date or a person is to stand. */
export function saysNothing(column: SheetColumn, cell: FoundCell): boolean {
  if (typeof cell !== 'string' || !NOTHING.has(cell.trim().toLowerCase())) return false
  const { field, side, meanings } = column
  if (side) return true
  if (NEVER_NOTHING.includes(field.form) || meanings?.has(memorable(cell))) return false
  return field.form !== 'choice' || !('is' in choiceOf(column, cell.trim()))
}

const isJson = (cell: FoundCell): cell is { readonly json: unknown } =>
  typeof cell === 'object' && cell !== null && 'json' in cell

/** What a record is to be linked with, as a cell names it: a list, also one of JSON; null where that is of anything else. */
function linkedIn(column: SheetColumn, cell: FoundCell): readonly string[] | null {
  if (!isJson(cell)) return itemsIn(textOf(cell, column))
  const { json } = cell
  if (!Array.isArray(json) || !json.every((one) => typeof one === 'string')) return null
  return json.map((one) => one.trim()).filter((one) => one !== '')
}

function takeLinks(side: Side, column: SheetColumn, cell: FoundCell, lookups: Lookups): Meant<string[]> {
  const words = linkedIn(column, cell)
  if (words && words.length > side.relation.atMost)
    return { fault: `names ${words.length}, and one may be linked with ${side.relation.atMost}: name fewer` }
  if (words) return each(words, (word) => lookups.record(side.other, word))
  const { noun } = side.other
  const fault = `is no list of ${noun.many}: write references, external ids or names, such as ["${exampleReference(side.other)}"]`
  return { fault }
}

/**
 * JSON has the values as the API has them, and of whoever is answerable more than a change takes. A number or a flag in
 * place of a text is written out, but where nobody has said what the values of a custom field are.
 */
function takeJson(column: SheetColumn, value: unknown, lookups: Lookups): Meant<unknown> {
  const { field, isFree } = column
  if (!isFree && (typeof value === 'number' || typeof value === 'boolean'))
    return takeCell(column, value, lookups)
  if (field.form !== 'principal') return { is: value }
  const { type, refId } = value as { type?: unknown; refId?: unknown }
  return { is: { type, refId } }
}

/** @param isNamed whether a fault says of which of several words it is */
function each<T>(words: readonly string[], take: (word: string) => Meant<T>, isNamed = false): Meant<T[]> {
  const all = words.map(take)
  const faults = Map.groupBy(words.keys(), (at) => {
    const one = all[at]!
    return 'fault' in one ? one.fault : ''
  })
  faults.delete('')
  if (faults.size === 0) return { is: all.flatMap((one) => ('is' in one ? [one.is] : [])) }
  const told = [...faults].slice(0, CHOICES_TOLD).map(([fault, at]) => {
    const named = at.slice(0, CHOICES_TOLD).map((place) => words[place]!)
    if (!isNamed || words.length === 1) return fault
    return `${named.join(' and ')} ${named.length > 1 ? fault.replace(/^is /, 'are ') : fault}`
  })
  const unknown = all.flatMap((one) => ('unknown' in one ? (one.unknown ?? []) : []))
  return { fault: told.join('; '), ...(unknown.length > 0 ? { unknown } : {}) }
}

/** A user is pointed at by their id alone. */
function recordOf(kind: Kind | undefined, text: string, lookups: Lookups): Meant<string> {
  if (kind) return lookups.record(kind, text)
  const person = lookups.person(text)
  return 'is' in person ? { is: person.is.refId } : { fault: person.fault }
}

/**
 * What is wrong with a cell of a choice that the service sets itself. One that it has is left out, as all that the
 * service sets; of any other, whoever wrote it expects what will not be.
 */
export function faultOfSet(column: SheetColumn, cell: FoundCell): string | null {
  const { words } = column
  if (optionCalled(words, textOf(cell, column))) return null
  return `is none of the choices, which the service sets itself, such as ${choicesTold([...words.values()])}: leave the cell empty, or its column out`
}

/** The choice that a word is the key or the title of, however it is written. */
export const optionCalled = (words: ReadonlyMap<string, string>, text: string) =>
  [...words].find(([key, word]) => key === text || word === text) ??
  [...words].find(([, word]) => alike(word) === alike(text)) ??
  [...words].find(([key]) => alike(key) === alike(text))

/** The choice that a word means in one of the languages of registers, or that a number is the step of. */
function optionUsual(column: SheetColumn, text: string): string | undefined {
  const { words, kind, field, path } = column
  const { values } = choicesByWord(kind, path.join('.'), field.options)
  const step = stepIn(text)
  const called = (word: string) =>
    word === '' ? undefined : (optionCalled(words, word)?.[0] ?? values.get(folded(word)))
  return called(text) ?? (step ? (called(step.word) ?? optionOfStep(column, text)) : undefined)
}

/** The choice for a step of a scale that has as many steps. */
function optionOfStep(column: SheetColumn, text: string): string | undefined {
  const { scale } = column
  const options = optionsOfScale(column)
  const step = stepIn(text)
  const of = scaleOf(step?.of ?? null, scale) ?? { min: 1, max: options.length }
  return step && stepsOf(of) === options.length && !isOftenFromTheTop(column)
    ? choiceAt(options, of, step.number)
    : undefined
}

const scaleOf = (of: number | null, scale: Scale | undefined): Scale | undefined =>
  of === null ? scale : { min: scale?.min ?? 1, max: of }

/** The choice that a word probably means, which the user has to agree to. */
export function choiceProposed(column: SheetColumn, text: string): string | null {
  const { field, path, kind, open, scale } = column
  const { proposals } = choicesByWord(kind, path.join('.'), field.options)
  const step = stepIn(text)
  const upwards = optionsOfScale(column)
  const options = isOftenFromTheTop(column) ? upwards.toReversed() : upwards
  const of = scaleOf(step?.of ?? null, scale)
  const found =
    proposals.get(folded(text)) ??
    (step && of && options.length > 0 ? choiceAt(options, of, step.number) : undefined) ??
    (step ? proposals.get(folded(step.word)) : undefined)
  return found !== undefined && open.has(found) ? found : null
}

function choiceOf(column: SheetColumn, text: string): Meant<string> {
  const { words, open, meanings } = column
  const found = optionCalled(words, text)
  if (found && open.has(found[0])) return { is: found[0] }
  const said = meanings?.get(memorable(text))
  if (said !== undefined) return { is: said }
  if (found && !column.emptiesUnmatched) return { is: found[0] }
  const usual = optionUsual(column, text)
  if (usual !== undefined && open.has(usual)) return { is: usual }
  const fault = `is none of the choices: write ${choicesTold([...open].map((key) => words.get(key)!))}`
  return { fault, unknown: [text] }
}

/** A host without a scheme is what people write of what is found by https; the plan shows the whole address. */
const addressOf = (text: string): Meant<string> => ({
  is: /^[^\s/:@?#]+\.[a-z]{2,}(:\d+)?([/?#]\S*)?$/i.test(text) ? `https://${text}` : text,
})

function flagOf(text: string): Meant<boolean> {
  const is = flagCalled(text)
  return is === null ? { fault: 'is neither yes nor no: write yes or no' } : { is }
}

/** With a point or a comma before the fractions, and thousands parted by the other, or by spaces. */
function numberOf(text: string): Meant<number> {
  const plain = text.replaceAll(/[\s\u00a0\u202f']/g, '')
  const read = NUMBERS.find(([form]) => form.test(plain))
  if (!read) return { fault: 'is no number: write one such as 1234.5' }
  const written = read[1](plain)
  const is = Number(written)
  return isOther(written, is) ? { fault: 'has more digits than a number keeps: write a shorter one' } : { is }
}

/**
 * Of money nobody writes three decimals behind a comma, so those are thousands. Behind a point some do: programs.
 */
function amountOf(text: string): Meant<number> {
  const plain = text.replaceAll(/[\s\u00a0\u202f'’]/g, '')
  if (/^\d{1,3}\.\d{3}$/.test(plain)) {
    const [whole, parts] = plain.split('.') as [string, string]
    return {
      fault: `could be two amounts: write ${whole}${parts}, or ${whole}.${parts.replace(/0+$/, '').padEnd(2, '0')}`,
    }
  }
  return numberOf(/^\d{1,3}(?:(,\d{3})+|(\.\d{3}){2,})$/.test(plain) ? plain.replaceAll(/[.,]/g, '') : plain)
}

const NUMBERS: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i, (text) => text],
  [/^[+-]?\d{1,3}(,\d{3})+\.\d+$/, (text) => text.replaceAll(',', '')],
  [/^[+-]?\d{1,3}(\.\d{3})+,\d+$/, (text) => text.replaceAll('.', '').replace(',', '.')],
  [/^[+-]?\d+,(\d{1,2}|\d{4,})$/, (text) => text.replace(',', '.')],
]

function parsedJson(text: string): Meant<unknown> {
  try {
    return { is: JSON.parse(text) }
  } catch {
    return { fault: 'is not JSON: write it as an export does' }
  }
}
