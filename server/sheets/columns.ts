import { needsOf } from '../../model/access.ts'
import { capital } from '../../model/capital.ts'
import type { Values } from '../../model/complaint.ts'
import { asField, CUSTOM_FIELDS, type CustomField } from '../../model/custom-field.ts'
import { dataOf, entryOf } from '../../model/describe-kind.ts'
import { type Field, hasInput } from '../../model/described-field.ts'
import { describedKind } from '../../model/described-kind.ts'
import { fieldsIn } from '../../model/form-fields.ts'
import { COMMON_FIELDS, type Kind, SERVICE_FIELDS } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { type Side, sidesOf } from '../../model/relations.ts'
import { DEFAULT_MATRIX, type RiskMatrix, type Step } from '../../model/risk-matrix.ts'
import { machineOf } from '../../model/roles.ts'
import { isByAction } from '../../model/states.ts'
import { valueWord } from '../../model/value-word.ts'
import type { Caller } from '../caller/caller.ts'
import type { TransactionContext } from '../operation.ts'
import { readCurrentMatrix } from '../records/current-risk-matrix.ts'
import { readCustomFields } from '../records/custom-fields.ts'
import { mayRead } from '../records/readable.ts'
import { alike } from './reading/alike.ts'

export { alike } from './reading/alike.ts'

/*
 * A kind as a sheet: a column for each of its fields, of the custom fields that the organization has defined, and of
 * what its records are linked with. Exports write these columns, and imports look for them in the head of a file, so
 * that what was taken out can be brought in again.
 */

export interface SheetColumn {
  /** `status`, `quantification.currency`, `customFields.costCentre`, `links.control`. */
  readonly key: string
  readonly title: string
  /** What its values are. */
  readonly field: Field
  /** Where its value stands in a record. */
  readonly path: readonly string[]
  /** Whether an import takes it; the rest is set by the service. */
  readonly isTaken: boolean
  /** Of a choice: what each key is shown as. */
  readonly words: ReadonlyMap<string, string>
  /** Of a choice: the keys that can be chosen; not those that are retired, or that an operation alone leads to. */
  readonly open: ReadonlySet<string>
  /**
   * Of a choice or a person in a file: what was said that other words there stand for, by their letters alone
   * (`memorable`): the key of a choice, or the id of somebody.
   */
  readonly meanings?: ReadonlyMap<string, string>
  /** Of dates in a file such as 03/04/2027: what comes first in them. It is an error of theirs where nobody has said it. */
  readonly dates?: DateOrder
  /** Of amounts in a file, in which currency those are that say none. */
  readonly currency?: string
  /** Of a list of objects, what is said of each: this alone. */
  readonly part?: string
  /** Of links, from which side they are seen. */
  readonly side?: Side
  /** Of a custom field that nobody has defined: it takes any value. */
  readonly isFree?: boolean
  /** The name of its kind. */
  readonly kind: string
  /** Of a choice in a file that is a number there: the scale that it is a step of. */
  readonly scale?: Scale
  /** In a file: whether a value that matches nothing is left empty instead of being an error. */
  readonly emptiesUnmatched?: boolean
}

export const DATE_ORDERS = ['day_first', 'month_first'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]
/** Why one is offered: other dates of the file say it, or whoever brings it in did of an earlier one. */
export const DATES_FROM = ['file', 'earlier'] as const

/** A column of a file, by its place there, and what it is taken for. */
export interface MappedColumn {
  readonly index: number
  readonly column: SheetColumn
}

/** The scale of the numbers in a column of a file. */
export interface Scale {
  readonly min: number
  readonly max: number
}

/** The place of a column in a selection, which has no file. */
export const NOWHERE = -1

/** What the columns of a kind depend on beside the kind. */
export interface SheetWords {
  readonly matrix: RiskMatrix
  readonly custom: readonly CustomField[]
  readonly caller: Caller
}

export async function readSheetWords({ tx, caller }: TransactionContext, kind: Kind): Promise<SheetWords> {
  const [matrix, custom] = await Promise.all([readCurrentMatrix(tx), readCustomFields(tx, kind)])
  return { matrix: matrix ?? DEFAULT_MATRIX, custom, caller }
}

/** The columns of a sheet of a kind, in their order. */
export function columnsOf(kind: Kind, { matrix, custom, caller }: SheetWords): readonly SheetColumn[] {
  const { fields, derived } = fieldsOf(kind)
  const { externalId, labels } = COMMON
  const { id, reference, source, archivedAt, createdAt, createdBy, updatedAt, updatedBy } = SERVICE
  const { [kind.named]: name, ...others } = fields
  const given = [name!, ...Object.values(others), labels!, externalId!].flatMap((field) => flat(field, true))
  const live = custom.filter(({ retired }) => !retired)
  const all = [
    ...flat(reference!, false),
    ...given,
    ...live.map(asField).map((field) => plain(field, field.name.split('.'), field.title, true)),
    plain(COMMON.customFields!, [CUSTOM_FIELDS], OTHER_CUSTOM_FIELDS, true),
    ...sidesOf(kind).flatMap((side) => (mayRead(caller, side.other) ? [linksOf(side)] : [])),
    ...Object.values(derived).flatMap((field) => flat(field, false)),
    ...[source!, archivedAt!, createdAt!, createdBy!, updatedAt!, updatedBy!, id!].flatMap((field) =>
      flat(field, false),
    ),
  ]
  return withTitlesOfTheirOwn(
    all.map((column) => ({
      ...column,
      ...{ words: wordsOf(column.field, matrix), open: openOf(kind, column), kind: kind.name },
    })),
  )
}

/** Parts of a name that only make up the whole: a record has no field for them. */
export const NAME_PARTS = 'nameParts'

/** The columns that a file of a kind can have: those of its sheet, and parts of names that only make up the whole. */
export function columnsInFiles(kind: Kind, words: SheetWords): readonly SheetColumn[] {
  const parts = Object.entries(kind.composed?.titles ?? {}).map(([key, title]) => ({
    ...plain(
      { ...COMMON.externalId!, name: key, title, description: undefined },
      key.split('.'),
      title,
      true,
    ),
    ...{ words: new Map(), open: new Set<string>(), kind: kind.name },
  }))
  return [...columnsOf(kind, words), ...parts]
}

/** The column of a field that a file need not have one for. */
export function columnOfField(kind: Kind, name: string): SheetColumn | undefined {
  const field = fieldsOf(kind).fields[name]
  const [column] = field ? flat(field, true) : []
  return (
    column && {
      ...column,
      ...{ words: wordsOf(column.field, DEFAULT_MATRIX), open: openOf(kind, column), kind: kind.name },
    }
  )
}

/** What a record has under names that nobody has defined. */
export const isOtherCustomFields = ({ path }: SheetColumn): boolean =>
  path.length === 1 && path[0] === CUSTOM_FIELDS

const OTHER_CUSTOM_FIELDS = 'Other custom fields'

type Bare = Omit<SheetColumn, 'words' | 'open' | 'kind'>

const fieldsOf = once((kind: Kind) => {
  const { fields, derived } = describedKind(entryOf(kind), dataOf(kind))
  return { fields, derived }
})
const COMMON = Object.fromEntries(fieldsIn(COMMON_FIELDS))
const SERVICE = Object.fromEntries(fieldsIn(SERVICE_FIELDS))

const plain = (field: Field, path: readonly string[], title: string, isTaken: boolean): Bare => ({
  key: path.join('.'),
  title,
  field,
  path,
  isTaken,
})

/** An object has a column for each of its parts; whoever did something is one name. */
function flat(
  field: Field,
  isTaken: boolean,
  path: readonly string[] = [field.name],
  title = field.title,
): Bare[] {
  if (field.form === 'itemId') return []
  const whole = plain(field, path, title, isTaken && hasInput(field))
  if (field.form === 'objects' && !isTaken && field.parts.some(({ name }) => name === HASH))
    return [whole, hashesOf(field, whole)]
  if (field.form !== 'object') return [whole]
  const named = field.parts.find((part) => part.name === 'displayName')
  if (named) return [{ ...plain(named, [...path, named.name], title, false), key: path.join('.') }]
  return field.parts.flatMap((part) =>
    flat(part, isTaken, [...path, part.name], `${title}: ${part.title.toLowerCase()}`),
  )
}

/** By which a file is known, whatever it is called. */
const HASH = 'sha256'

/** Of files a sheet has the names; beside them stands by what each is known, in their order. */
const hashesOf = ({ parts }: Field, whole: Bare): Bare => ({
  ...whole,
  key: `${whole.key}.${HASH}`,
  title: `${whole.title}: SHA-256`,
  field: parts.find(({ name }) => name === HASH)!,
  part: HASH,
})

const linksOf = (side: Side): Bare => ({
  ...plain(
    { ...COMMON.labels!, name: side.word, description: undefined },
    ['links', side.word],
    capital(side.noun.many),
    side.writes && needsOf(side.kind, 'link') !== undefined,
  ),
  side,
})

/** What each choice is shown as; two that are called alike are told by their keys. */
function wordsOf({ options, labels, ofMatrix }: Field, matrix: RiskMatrix): ReadonlyMap<string, string> {
  const steps = ofMatrix && (matrix[ofMatrix] as Readonly<Record<string, Step>>)
  const words = options.map((key) => [key, labels?.[key] ?? steps?.[key]?.label ?? valueWord(key)] as const)
  const isAlone = (word: string) => words.filter((one) => alike(one[1]) === alike(word)).length === 1
  return new Map(words.map(([key, word]) => [key, isAlone(word) ? word : key]))
}

function openOf(kind: Kind, { field, path }: Bare): ReadonlySet<string> {
  const machine = path.length === 1 ? machineOf(kind, path[0]!) : undefined
  const isClosed = (key: string) => field.retired?.includes(key) || (machine && isByAction(machine, key))
  return new Set(field.options.filter((key) => !isClosed(key)))
}

/** Words by which they are found again: an index takes no more. */
export const memorable = (word: string): string => alike(word).slice(0, 200).toWellFormed()

/** Whether its values are chosen. */
export const isChosen = ({ field: { form }, side }: Pick<SheetColumn, 'field' | 'side'>): boolean =>
  !side && (form === 'choice' || form === 'choices')

/** What can tell records apart: a text of their own. */
export const isKey = ({ path, field, isTaken }: SheetColumn): boolean =>
  isTaken && path.length === 1 && (field.form === 'line' || field.form === 'url')

const UNRATED: readonly string[] = ['none', 'unrated', 'informational']

/** The choices of a column that are the steps of a scale, from the least; none of any other column. */
export const optionsOfScale = ({
  field: { isLevel, ofMatrix, options },
  side,
}: SheetColumn): readonly string[] =>
  !side && (isLevel || ofMatrix) ? options.filter((option) => !UNRATED.includes(option)) : []

/** Whether a choice of a column can be made. */
export const isOpen = (column: SheetColumn, choice: string): boolean =>
  isChosen(column) && column.open.has(choice)

export const isDate = ({ field: { form } }: Pick<SheetColumn, 'field'>): boolean =>
  form === 'day' || form === 'instant'

/** Whether its values are amounts that have a currency beside them. */
export const isAmount = ({ field: { isMoney }, path }: Pick<SheetColumn, 'field' | 'path'>): boolean =>
  isMoney && path.length > 1

/** Whether its values are people, each named by a word. */
export const isPerson = ({ field: { form }, side }: Pick<SheetColumn, 'field' | 'side'>): boolean =>
  !side && form === 'principal'

/** No two columns of a sheet are called alike: such are told by their keys. */
function withTitlesOfTheirOwn(columns: readonly SheetColumn[]): readonly SheetColumn[] {
  const counts = Map.groupBy(columns, ({ title }) => alike(title))
  return columns.map((column) =>
    counts.get(alike(column.title))!.length > 1
      ? { ...column, title: `${column.title} (${column.key})` }
      : column,
  )
}

/** The value of a column in a record. */
export const valueIn = (record: Values, { path }: SheetColumn): unknown =>
  path.reduce<unknown>((value, part) => (value as Values | null | undefined)?.[part], record) ?? null
