import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { needsToRead } from '../../../model/access.ts'
import { columnOf } from '../../../model/column-names.ts'
import type { Values } from '../../../model/complaint.ts'
import { countedStates, dateOf } from '../../../model/deadlines.ts'
import { comparedWords, idOf, lastMoment, moment, storageOf, text } from '../../../model/fields.ts'
import { endsOf, NONE, NOT_SET, type Unset } from '../../../model/filter-names.ts'
import type { Deadline, Kind } from '../../../model/kind.ts'
import { type FilterField, filterFieldsOf } from '../../../model/listing.ts'
import { scopesInWords } from '../../../model/needs.ts'
import { once } from '../../../model/once.ts'
import { type Side, sidesOf } from '../../../model/relations.ts'
import { archivingMachine, deadlineOf, ownerOf, principalColumns, principalId } from '../../../model/roles.ts'
import { linkColumns, linkFilter } from '../../../model/sides.ts'
import { isLedTo } from '../external-id-aliases.ts'
import { exampleReference } from '../reference.ts'
import { isReferred, matches, WORDS_AT_MOST, wordsOf } from './search.ts'

/** How near a date is, of what is not done. */
const DUE = ['overdue', 'soon', 'later', NONE] as const
const SOON_DAYS = 7

/** What a notice is about is asked for at once. */
const REFERENCES_AT_MOST = 200

/** What is archived is left out of every list of records, unless it is asked for. */
const ARCHIVED = z
  .enum(['only', 'with'])
  .optional()
  .meta({ title: 'Archived' })
  .describe('Left out where nothing is said')

const repeated = (schema: z.ZodType, most = 50) => z.array(schema).min(1).max(most).optional()
const ids = (...prefixes: string[]) => repeated(idOf(...prefixes))

/** The filters that a list of the kind takes. */
export const filterShape = once((kind: Kind): Record<string, z.ZodType> => {
  return {
    q: text('Search')
      .refine((q) => wordsOf(q).length <= WORDS_AT_MOST, `has more than ${WORDS_AT_MOST} words: use fewer`)
      .optional()
      .describe(
        `Words in any order: in ${kind.search.join(', ')}, externalId, labels, reference${kind.owners.map((owner) => `, ${owner}`).join('')}`,
      ),
    updatedSince: moment().optional().describe('Changed at or after; overlap by a minute'),
    externalId: repeated(comparedWords(200)).describe('In the caller’s own system'),
    reference: repeated(z.string().min(1).max(40), REFERENCES_AT_MOST).describe(
      `As in ${exampleReference(kind)}`,
    ),
    archived: ARCHIVED,
    ...Object.fromEntries(
      kind.owners.map((owner) => [
        principalId(owner),
        ids('usr', 'per').describe('A user or a personnel record; none: nobody'),
      ]),
    ),
    ...(ownerOf(kind) ? { owned: z.boolean().optional().describe('Whether it has an owner') } : {}),
    ...(deadlineOf(kind)
      ? { due: repeated(z.enum(DUE)).describe(`soon: within ${SOON_DAYS} days; done is neither`) }
      : {}),
    ...Object.fromEntries(
      sidesOf(kind).map((side) => [
        linkFilter(side),
        ids(side.other.idPrefix).describe(
          `Linked with the ${side.noun.one}; none: with no such; needs ${scopesInWords(needsToRead(side.other))}`,
        ),
      ]),
    ),
    ...Object.fromEntries(filterFieldsOf(kind).flatMap(shapesOf)),
  }
})

/** What one field adds to the filters of a list. */
export function shapesOf(field: FilterField): [string, z.ZodType][] {
  const { name, form, unset } = field
  const schema = field.schema as z.ZodType
  const ends = endsOf(field).map((end, index): [string, z.ZodType] => [
    end,
    index === 1 && storageOf(schema) === 'timestamptz'
      ? lastMoment()
      : schema.optional().describe(ENDS[form as keyof typeof ENDS][index]!),
  ])
  if (ends.length > 0)
    return unset ? [...ends, [name, repeated(z.enum([unset])).describe(`${unset}: not set`)]] : ends
  const one = form === 'overlap' ? ((schema as z.ZodArray).element as z.ZodType) : schema
  const shape = repeated(unset ? withUnset(one, unset) : one)
  const { description } = z.globalRegistry.get(schema) ?? {}
  const told = [description, unset === NOT_SET ? NONE_IS_A_CHOICE : undefined].filter(Boolean).join('. ')
  return [[name, told ? shape.describe(told) : shape]]
}

const ENDS = { dates: ['At or after', 'At or before'], numbers: ['At least', 'At most'] } as const

const NONE_IS_A_CHOICE = `${NONE} is a choice; ${NOT_SET}: without a value`

/** What a value may be, or the word for none, which a country or an id refuses of itself. */
function withUnset(one: z.ZodType, unset: Unset): z.ZodType {
  if (one instanceof z.ZodEnum) return z.enum([...one.options.map(String), unset])
  if (one.safeParse(unset).success) return one
  // Whatever is neither is told what the field itself says of it.
  return z.union([z.literal(unset), one], { error: ({ errors }) => errors.at(-1)?.[0]?.message })
}

/** The conditions of a list's filters, for the kind's table as `r`. */
export function filtersOf(kind: Kind, organizationId: string, input: Values): RawBuilder<unknown>[] {
  const conditions = filterFieldsOf(kind).flatMap((field) => conditionOf(field, input) ?? [])
  for (const side of sidesOf(kind)) {
    const linked = input[linkFilter(side)] as string[] | undefined
    if (linked) conditions.push(isLinked(side, linked))
  }
  const { q, updatedSince, externalId, reference, owned, due, archived } = input as Record<string, never>
  if (archived === 'only') conditions.push(sql`r.archived_at is not null`)
  if (archived === undefined && !asksForArchived(kind, input)) conditions.push(sql`r.archived_at is null`)
  if (updatedSince) conditions.push(sql`r.updated_at >= ${updatedSince}::timestamptz`)
  if (externalId) conditions.push(isKnownAs(kind, externalId))
  if (reference) conditions.push(isReferred(kind, reference))
  for (const owner of kind.owners) {
    const wanted = input[principalId(owner)] as string[] | undefined
    if (wanted) conditions.push(isOwned(owner, wanted))
  }
  if (owned !== undefined) conditions.push(sql`${isNobodys(ownerOf(kind)!)} <> ${owned}`)
  if (due) conditions.push(anyOf((due as Due[]).map((one) => isDue(kind, organizationId, one))))
  if (q) conditions.push(matches(kind, organizationId, q))
  return conditions
}

/** Whoever names the state that says so asks for what is archived. */
function asksForArchived(kind: Kind, input: Values): boolean {
  const machine = archivingMachine(kind)
  const states = machine && (input[machine.field] as readonly unknown[] | undefined)
  return states?.includes(machine!.archived.state) ?? false
}

/** One that took the place of another is known by the external id of that, too. */
function isKnownAs(kind: Kind, externalIds: readonly string[]): RawBuilder<unknown> {
  const own = sql`r.external_id = any(${externalIds})`
  return kind.isMergeable ? anyOf([own, isLedTo(kind, externalIds)]) : own
}

const anyOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`(${sql.join(conditions, sql` or `)})`

/** Null where nothing is asked of the field. What is not set comes beside what is between two ends. */
function conditionOf(field: FilterField, input: Values): RawBuilder<unknown> | null {
  const column = valueIn(field)
  const wanted = input[field.name] as unknown[] | undefined
  const isUnset =
    field.form === 'overlap' ? sql`coalesce(cardinality(${column}), 0) = 0` : sql`${column} is null`
  const unset = field.unset && wanted?.includes(field.unset) ? [isUnset] : []
  const set = isSet(field, column, input)
  return set.length + unset.length > 0 ? anyOf([...set, ...unset]) : null
}

const valueIn = ({ name, reading }: FilterField): RawBuilder<unknown> =>
  reading === undefined ? sql.ref(`r.${columnOf(name)}`) : sql.raw(reading)

function isSet(field: FilterField, column: RawBuilder<unknown>, input: Values): RawBuilder<unknown>[] {
  const wanted = input[field.name] as unknown[] | undefined
  if (field.form === 'overlap') return wanted ? [sql`${column} && ${wanted}::text[]`] : []
  if (field.form === 'values') return wanted ? [sql`${column} = any(${wanted})`] : []
  const type = sql.raw(storageOf(field.schema))
  const [from, to] = endsOf(field).map((end) => input[end])
  const ends = [
    ...(from === undefined ? [] : [sql`${column} >= ${from}::${type}`]),
    ...(to === undefined ? [] : [sql`${column} <= ${to}::${type}`]),
  ]
  return ends.length > 0 ? [sql`(${sql.join(ends, sql` and `)})`] : []
}

function isOwned(owner: string, ids: readonly string[]): RawBuilder<unknown> {
  const { user, personnel } = principalColumns(owner)
  const by = sql`${sql.ref(`r.${user}`)} = any(${ids}) or ${sql.ref(`r.${personnel}`)} = any(${ids})`
  return ids.includes(NONE) ? sql`(${by} or ${isNobodys(owner)})` : sql`(${by})`
}

/** Whether a record has nobody in this field. */
export function isNobodys(owner: string): RawBuilder<unknown> {
  const { user, personnel } = principalColumns(owner)
  return sql`(${sql.ref(`r.${user}`)} is null and ${sql.ref(`r.${personnel}`)} is null)`
}

function isLinked(side: Side, ids: readonly string[]): RawBuilder<unknown> {
  const { here, there } = linkColumns(side)
  const links = sql`select from ${sql.table(side.relation.table)} l
    where l.organization_id = r.organization_id and ${sql.ref(`l.${here}`)} = r.id`
  const linked = sql`exists (${links} and ${sql.ref(`l.${there}`)} = any(${ids}))`
  return ids.includes(NONE) ? sql`(${linked} or not exists (${links}))` : linked
}

export type Due = (typeof DUE)[number]

/**
 * Whether a record is due as said, by any of its dates that count; a day is over when the next one has begun where the
 * organization is. It says of a record what `deadlines` has of it: one that has a date that is over and another that comes
 * within days is both. Later is what is neither.
 */
export function isDue(kind: Kind, organizationId: string, due: Due): RawBuilder<unknown> {
  const all = Object.values(kind.deadlines)
  const columnOfDate = ({ field }: Deadline) => sql.ref(`r.${columnOf(field)}`)
  if (due === NONE)
    return sql`(${sql.join(
      all.map((one) => sql`${columnOfDate(one)} is null`),
      sql` and `,
    )})`
  /** Whether one of its dates that count is before the end, and not before the start. */
  const some = (
    end: (isDay: boolean) => RawBuilder<unknown>,
    start?: (isDay: boolean) => RawBuilder<unknown>,
  ) =>
    anyOf(
      all.map((one) => {
        const isDay = storageOf(dateOf(kind, one)!) === 'date'
        const isAfter = start ? sql`${columnOfDate(one)} >= ${start(isDay)}` : sql`true`
        return sql`coalesce(${columnOfDate(one)} < ${end(isDay)} and ${isAfter} and ${counts(kind, one)}, false)`
      }),
    )
  const now = (isDay: boolean) =>
    isDay
      ? sql`(select (clock_now() at time zone o.timezone)::date from organizations o where o.id = ${organizationId})`
      : sql`(select clock_now())`
  if (due === 'overdue') return some(now)
  // Up to the end of the seventh day, of instants as well: a notice of seven days before is of what is soon.
  const soon = (isDay: boolean) => {
    const end = sql`${now(true)} + ${SOON_DAYS + 1}::int`
    return isDay
      ? end
      : sql`((${end})::timestamp at time zone (select o.timezone from organizations o where o.id = ${organizationId}))`
  }
  if (due === 'soon') return some(soon, now)
  return sql`(${some(() => sql`'infinity'`)} and not ${some(soon)})`
}

/** Whether a date of a record counts as it stands. */
function counts(kind: Kind, deadline: Deadline): RawBuilder<unknown> {
  const counted = countedStates(kind, deadline)
  if (!counted) return sql`r.archived_at is null`
  const state = sql.ref(`r.${columnOf(counted.field)}`)
  const isIt = counted.counts
    ? sql`${state} = any(${counted.states})`
    : sql`${state} <> all(${counted.states})`
  return sql`(r.archived_at is null and ${isIt})`
}

/** Whether something is left to do with a record. */
export const isOpen = ({ terminal }: Kind): RawBuilder<unknown> =>
  terminal
    ? sql`(r.archived_at is null and ${sql.ref(`r.${columnOf(terminal.field)}`)} <> all(${terminal.values}))`
    : sql`r.archived_at is null`
