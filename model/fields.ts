import { z } from 'zod'
import { isLei } from './lei.ts'
import { isCountry, isCurrency, isLanguage, isTimeZone } from './places.ts'
import type { LevelColour } from './risk-matrix.ts'
import type { Role } from './scopes.ts'
import { inUtc, isDayAlone, isInYears, OUT_OF_YEARS } from './times.ts'

/**
 * The shapes a field can have. Each is plain zod with a title; the storage, the form, the column and the
 * filter of a field are read from the schema (see `storageOf`), never said twice.
 */

/** Fields by name. */
export type Shape = Readonly<Record<string, z.core.$ZodType>>

const BLANK = 'is blank: write something that can be seen'

/** White space, and what Unicode has no picture for. */
const isSeen = (text: string): boolean =>
  /[^\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)

/** A check behind which nothing more is said of a value. */
const once = (error: string) => ({ error, abort: true })

/** What a person or a program says in words: trimmed, never blank, and else as it came. */
export const words = (max: number) => z.string().trim().min(1, once(BLANK)).max(max).refine(isSeen, BLANK)

/**
 * Words that are compared with others, letter by letter: in the composed form (NFC), so that those that look alike are
 * alike, however a keyboard or a file system writes an umlaut. Capitals are a difference.
 */
export const comparedWords = (max: number) =>
  z.string().normalize('NFC').trim().min(1, once(BLANK)).max(max).refine(isSeen, BLANK)

export const NOT_ONE_LINE = 'holds a line break or another control character: write it in one line'

/** Whether a text holds nothing that would end a line, a header or an entry of a log. */
export const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)

/** A name, or other text shown in one line of a list, a mail or a log. */
export const line = (title: string, max = 200) => words(max).refine(isOneLine, NOT_ONE_LINE).meta({ title })

/** One line or a text; PostgreSQL cannot hold U+0000, which call() refuses everywhere. */
export const text = (title: string, max = 200) => words(max).meta({ title })

export const choice = <const Values extends readonly [string, ...string[]]>(title: string, values: Values) =>
  z.enum(values).meta({ title })

/** A choice whose values are told with what each means. */
export const explained = <const Value extends string>(
  title: string,
  meanings: Readonly<Record<Value, string>>,
) =>
  z
    .enum(Object.keys(meanings) as [Value, ...Value[]])
    .meta({ title })
    .register(shown, { meanings })

/** What each choice of a field means; none where that is not told. */
export const meaningsOf = (schema: z.core.$ZodType): Readonly<Record<string, string>> | undefined =>
  shown.get(schema)?.meanings

/** A choice whose values have a weight: from the least to the most, or from the first step to the last. */
export const scale = <const Values extends readonly [string, ...string[]]>(title: string, values: Values) =>
  z.enum(values).meta({ title, scale: true })

export const isScale = (schema: z.core.$ZodType): boolean =>
  (z.globalRegistry.get(schema) as { scale?: boolean } | undefined)?.scale === true

/**
 * A scale of how grave something is, of two to six levels from the least: shown by colours, the gravest first. A value
 * before them may say that there is none, by one of the words of NO_LEVELS (scales.ts): it is shown without a colour.
 */
export const level = <const Values extends readonly [string, ...string[]]>(title: string, values: Values) =>
  scale(title, values).register(shown, { isLevel: true })

/**
 * The same field in colours: of a choice those of its options, of an object of counts those of its parts, which is drawn
 * as a bar. What has none stays plain.
 */
export const inColours = <Schema extends z.core.$ZodType>(
  schema: Schema,
  colours: Readonly<Record<string, LevelColour>>,
): Schema => {
  shown.add(schema, { ...shown.get(schema), colours })
  return schema
}

/** The same choice, or text that is a key, and what its values are called where their own words do not say it. */
export const called = <Schema extends z.core.$ZodType>(
  schema: Schema,
  labels: Readonly<Record<string, string>>,
): Schema => {
  shown.add(schema, { ...shown.get(schema), labels })
  return schema
}

export const labelsOf = (schema: z.core.$ZodType): Readonly<Record<string, string>> | undefined =>
  shown.get(schema)?.labels

/** While which choice a field says something; and what it begins with, where somebody chooses that. */
export interface OnlyWhile {
  readonly field: string
  readonly value: string
  readonly begins: number
}

/** The same field, which nobody is asked for but while another field of the record says so. */
export const onlyWhile = <Schema extends z.core.$ZodType>(schema: Schema, while_: OnlyWhile): Schema => {
  shown.add(schema, { ...shown.get(schema), onlyWhile: while_ })
  return schema
}

export const onlyWhileOf = (schema: z.core.$ZodType): OnlyWhile | undefined => shown.get(schema)?.onlyWhile

/** In which colours a field is shown; none of one that is shown in words alone. */
export const coloursOf = (schema: z.core.$ZodType): Readonly<Record<string, LevelColour>> | undefined =>
  shown.get(schema)?.colours

export const choices = <const Values extends readonly [string, ...string[]]>(title: string, values: Values) =>
  z.array(z.enum(values)).max(values.length).overwrite(unique).meta({ title })

/** A date without a time, YYYY-MM-DD. */
export const day = (title: string) => z.iso.date().refine(isInYears, OUT_OF_YEARS).meta({ title })

/**
 * A moment, ISO 8601; offsets are taken and given back as UTC with milliseconds. A day alone is its start, in UTC as
 * everything here that names no zone.
 */
export const moment = () => momentOr((day) => day)

/** A moment up to which something is asked for. A day alone is its end, so that the day is in. */
export const lastMoment = () =>
  momentOr((day) => `${day}T23:59:59.999Z`)
    .optional()
    .describe(`At or before. ${DAY_END}`)

/** The same where the moment itself is out: after a day alone the next begins. */
export const momentBefore = () =>
  momentOr((day) => `${day}T24:00:00.000Z`)
    .optional()
    .describe(`Before. ${DAY_END}`)

/**
 * A moment until which something holds, or by which it has to be done. A day alone stays one here: it is the end of that
 * day where the organization is, which only a transaction knows (server/records/ends-of-days.ts).
 */
export const until = (title: string) =>
  z.iso
    .datetime({ offset: true, ...DAY_OR_MOMENT })
    .refine(isInYears, OUT_OF_YEARS)
    .overwrite((text) => (isDayAlone(text) ? text : inUtc(text)))
    .meta({ title, until: true })

export const isUntil = (schema: z.core.$ZodType): boolean =>
  (z.globalRegistry.get(schema) as { until?: boolean } | undefined)?.until === true

const momentOr = (ofDay: (day: string) => string) =>
  z.iso
    .datetime({ offset: true, ...DAY_OR_MOMENT })
    .refine(isInYears, OUT_OF_YEARS)
    .overwrite((text) => inUtc(isDayAlone(text) ? ofDay(text) : text))

const DAY_START = 'A day alone, such as 2026-05-17, is its start in UTC.'
const DAY_END = 'A day alone, such as 2026-05-17, is its end in UTC.'

const DAY_END_HERE = 'A day alone, such as 2026-05-17, is its end in the time zone of the organization.'

/** What the documents say of a moment that is taken; of one of `until` besides. */
export const withDayAlone = (description: string | undefined, isUntil = false): string =>
  description?.endsWith(DAY_END)
    ? description
    : [description, isUntil ? DAY_END_HERE : DAY_START].filter(Boolean).join('. ')

// Each by its whole name: what takes the name in between apart brings all of the library to the browser.
const DAY_OR_MOMENT = {
  pattern: new RegExp(`${z.regexes.datetime({ offset: true }).source}|${z.regexes.date.source}`),
}

export const instant = (title: string) => moment().meta({ title })

export const whole = (title: string, min: number, max: number) => z.int().min(min).max(max).meta({ title })

/** So many in a hundred. */
export const percent = (title: string) => whole(title, 0, 100).register(shown, { isPercent: true })

export const isPercent = (schema: z.core.$ZodType): boolean => shown.get(schema)?.isPercent === true

export const flag = (title: string) => z.boolean().meta({ title })

/** Each once: the first of those that are alike to the letter, capitals included. */
export const texts = (title: string, max = 50, word = comparedWords(200)) =>
  z.array(word).max(max).overwrite(unique).meta({ title })

const unique = <Item>(items: Item[]): Item[] => [...new Set(items)]

/** Sentences, each in a line of its own where they are typed and shown. */
export const lines = (title: string, longest: number, max = 50) =>
  z.array(words(longest)).max(max).overwrite(unique).meta({ title }).register(shown, { isByLine: true })

export const isByLine = (schema: z.core.$ZodType): boolean => shown.get(schema)?.isByLine === true

/**
 * Objects that each have an id of their own, which the service draws and keeps: what comes without one is new, unless it
 * is in all else what stands there already (server/records/item-ids.ts).
 */
export const identified = <const Parts extends Record<string, z.ZodType>>(
  title: string,
  prefix: string,
  parts: Parts,
  max = 50,
) => {
  const id = z
    .string()
    .regex(
      new RegExp(`^${prefix}_[0-9a-z]{26}$`),
      'is no id that the service gave: leave it out of what is new',
    )
    .meta({ title: 'Id' })
    .describe('Set by the service; left out of what is new')
    .register(shown, { isItemId: true })
    .optional()
  return z
    .array(z.strictObject({ id, ...parts }))
    .max(max)
    .meta({ title, itemIds: prefix })
}

/** The id of one of these, as a call names it. */
export const itemId = (title: string) =>
  z.string().min(1).max(100).meta({ title }).register(shown, { isItemId: true })

/** Where the objects stand whose keys a field takes: in a list of the record that another field points at. */
export interface ItemOf {
  readonly by: string
  readonly list: string
  /** The parts that each object is taken by, and called by. */
  readonly key: string
  readonly title: string
}

/** The same text as a key of something that another record lists. */
export const keyOf = <Schema extends z.core.$ZodType>(schema: Schema, itemOf: ItemOf): Schema => {
  shown.add(schema, { ...shown.get(schema), itemOf })
  return schema
}

/** Of what a field takes the key; none of any other. */
export const itemOf = (schema: z.core.$ZodType): ItemOf | undefined => shown.get(schema)?.itemOf

/** The same list as steps, each of which is ticked where it stands: by which flag of theirs. */
export const ticked = <Schema extends z.core.$ZodType>(schema: Schema, flag: string): Schema => {
  shown.add(schema, { ...shown.get(schema), ticks: flag })
  return schema
}

/** The flag by which the objects of a list are ticked; none of one that has no steps. */
export const tickOf = (schema: z.core.$ZodType): string | undefined => shown.get(schema)?.ticks

/** The lists of steps of a shape, each with the flag by which they are ticked. */
export const tickedFields = (shape: Shape): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const tick = tickOf(schema)
      return tick === undefined ? [] : [[name, tick]]
    }),
  )

/** The prefix of the ids that the objects of a list have; none where they have none. */
export const itemPrefix = (schema: z.core.$ZodType): string | undefined =>
  (z.globalRegistry.get(schema) as { itemIds?: string } | undefined)?.itemIds

export const isItemId = (schema: z.core.$ZodType): boolean => shown.get(schema)?.isItemId === true

export const email = (title: string) => z.string().trim().max(254).check(z.email()).meta({ title })

export const isEmail = (schema: z.core.$ZodType): boolean => hasFormat(schema, 'email')

const hasFormat = ({ _zod: { def } }: z.core.$ZodType, format: string): boolean =>
  [def, ...(def.checks ?? []).map((check) => check._zod.def)].some(
    (one) => (one as { format?: string }).format === format,
  )

/** An address of the web, which pages show as a link: of no other scheme, so that none runs as a script. */
export const url = (title: string) =>
  z
    .string()
    .trim()
    .max(2_000)
    .check(z.url({ protocol: /^https?$/ }))
    .meta({ title })

export const isUrl = (schema: z.core.$ZodType): boolean => hasFormat(schema, 'url')

/** The id of a record of another kind. */
export const refTo = (title: string, prefix: string) =>
  z
    .string()
    .regex(
      new RegExp(`^${prefix}_[0-9a-z]{26}$`),
      `is no id of this kind: give one that begins with ${prefix}_, as the list gives it`,
    )
    .meta({ title, refersTo: prefix })

/** Users of the organization by their ids, each once, who decide as a `decider` does. */
export const deciders = (title: string, max: number, role: Role, beside: string) =>
  z
    .array(
      z
        .string()
        .regex(/^usr_[0-9a-z]{26}$/, 'is no id of a user: give one such as usr_01k9f8qxk2e9mbz6w0h5t4v3ra')
        .meta({ refersTo: 'usr' }),
    )
    .max(max)
    .overwrite(unique)
    .meta({ title })
    .register(shown, { decidedBy: role, beside })

/** Whether it is a list of what it points at. */
export const isOfIds = ({ _zod: { def } }: z.core.$ZodType): boolean =>
  def.type === 'array' && targetOf((def as z.core.$ZodArrayDef).element) !== undefined

/** The id of something that a call names; its prefix is one of these, or any where there are none. */
export const idOf = (...prefixes: string[]) => z.string().min(1).max(100).meta({ refersTo: prefixes })

/** The id prefix of the kind that a field of `refTo` points at. */
export const targetOf = (schema: z.core.$ZodType): string | undefined =>
  (z.globalRegistry.get(schema) as { refersTo?: string } | undefined)?.refersTo

export type CodeList = 'country' | 'currency' | 'language' | 'timeZone'

/** How forms and pages show a value; no document tells of it. */
const shown = z.registry<{
  place?: CodeList
  isMoney?: true
  isPercent?: true
  isLevel?: true
  isByLine?: true
  isItemId?: true
  decidedBy?: Role
  byAnother?: true
  beside?: string
  ticks?: string
  itemOf?: ItemOf
  meanings?: Readonly<Record<string, string>>
  labels?: Readonly<Record<string, string>>
  onlyWhile?: OnlyWhile
  colours?: Readonly<Record<string, LevelColour>>
}>()

/** Of which list of the runtime it is one, if of any. */
export const placeOf = (schema: z.core.$ZodType): CodeList | undefined => shown.get(schema)?.place

export const isLevel = (schema: z.core.$ZodType): boolean => shown.get(schema)?.isLevel === true

export const isMoney = (schema: z.core.$ZodType): boolean => shown.get(schema)?.isMoney === true

/** ISO 3166-1 alpha-2. */
export const country = (title: string) =>
  z
    .string()
    .regex(/^[A-Z]{2}$/, once(NO_COUNTRY))
    .refine(isCountry, NO_COUNTRY)
    .meta({ title })
    .register(shown, { place: 'country' })

/** A Legal Entity Identifier, ISO 17442. */
export const lei = (title: string) => z.string().trim().toUpperCase().refine(isLei, NO_LEI).meta({ title })

/** ISO 4217. */
export const currency = (title: string) =>
  z
    .string()
    .regex(/^[A-Z]{3}$/, once(NO_CURRENCY))
    .refine(isCurrency, NO_CURRENCY)
    .meta({ title })
    .register(shown, { place: 'currency' })

export const language = (title: string) =>
  z
    .string()
    .trim()
    .max(35)
    .refine(isLanguage, 'no such language: give a tag such as en or de-AT')
    .meta({ title })
    .register(shown, { place: 'language' })

export const timeZone = (title: string) =>
  z
    .string()
    .trim()
    .max(64)
    .refine(isTimeZone, 'no such time zone: give one such as Europe/Vienna')
    .meta({ title })
    .register(shown, { place: 'timeZone' })

/** An amount of the currency that stands beside it, of at most a quadrillion: beyond, a number holds no cents. */
export const money = () => z.number().min(0).max(1_000_000_000_000_000).register(shown, { isMoney: true })

/** The same where it follows from others: it is as large as they make it. */
export const derivedMoney = () => z.number().min(0).register(shown, { isMoney: true })

const NO_COUNTRY = 'no such country: give two capital letters of ISO 3166-1, such as AT'
const NO_LEI =
  'is no LEI: give its 20 letters and digits, whose last two are check digits, such as 5493001KJTIIGC8Y1R12'
const NO_CURRENCY = 'no such currency: give three capital letters of ISO 4217, such as EUR'

const reference = z
  .strictObject({
    type: z.enum(['user', 'personnel']).describe('What refId is the id of'),
    refId: idOf('usr', 'per').describe('As listOwnershipPrincipals has it'),
  })
  .meta({ id: 'PrincipalReference' })

/** A field that points at who is answerable: a user or a personnel record. */
export const principal = (title: string) => reference.meta({ title, principal: true })

/**
 * The same of whoever decides: a user, of this role at least (deciders.ts).
 * @param by where whoever asks never decides it themselves
 */
export const decider = (title: string, role: Role, by?: 'another') =>
  principal(title).register(shown, { decidedBy: role, ...(by && { byAnother: true }) })

/** The least role of whoever a field asks to decide; none of a field that asks for no decision. */
export const decidedBy = (schema: z.core.$ZodType): Role | undefined => shown.get(schema)?.decidedBy

/** Beside whom those are asked whom a field names: the field that names them; none of any other. */
export const besideOf = (schema: z.core.$ZodType): string | undefined => shown.get(schema)?.beside

/** Whether whoever fills the field in cannot name themselves. */
export const isByAnother = (schema: z.core.$ZodType): boolean => shown.get(schema)?.byAnother === true

export const isPrincipal = (schema: z.core.$ZodType): boolean =>
  (z.globalRegistry.get(schema) as { principal?: boolean } | undefined)?.principal === true

export type Storage =
  | 'text'
  | 'text[]'
  | 'integer'
  | 'double precision'
  | 'boolean'
  | 'date'
  | 'timestamptz'
  | 'jsonb'

/** The column type that holds a field. */
export function storageOf(schema: z.core.$ZodType): Storage {
  const { def } = schema._zod
  switch (def.type) {
    case 'enum':
      return 'text'
    case 'string': {
      const format = (def as { format?: string }).format
      return format === 'date' ? 'date' : format === 'datetime' ? 'timestamptz' : 'text'
    }
    case 'number':
      return (def as { format?: string }).format === 'safeint' ? 'integer' : 'double precision'
    case 'boolean':
      return 'boolean'
    case 'array':
      return storageOf((def as z.core.$ZodArrayDef).element) === 'text' ? 'text[]' : 'jsonb'
    default:
      return 'jsonb'
  }
}

/** What a field chooses from, one or several of; empty of any other. */
export function optionsOf(schema: z.core.$ZodType): readonly string[] {
  const { def } = schema._zod
  if (def.type === 'enum') return Object.values((def as z.core.$ZodEnumDef).entries).map(String)
  return def.type === 'array' ? optionsOf((def as z.core.$ZodArrayDef).element) : []
}

/** A longer text is none that fits a line. */
export const LONGEST_LINE = 300

/** How long a text may be; 0 where that is not said. */
export const longestOf = ({ _zod }: z.core.$ZodType): number =>
  Math.max(
    0,
    ...(_zod.def.checks ?? []).map(({ _zod: { def } }) => (def as { maximum?: number }).maximum ?? 0),
  )
