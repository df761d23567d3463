import { z } from 'zod'
import { needsToRead } from '../../model/access.ts'
import { pascal } from '../../model/calls.ts'
import { capital } from '../../model/capital.ts'
import { choice, idOf, refTo } from '../../model/fields.ts'
import {
  COMMON_FIELDS,
  givenFields,
  type Kind,
  principalFields,
  SERVICE_FIELDS,
  type Shape,
  SOURCES_GIVEN,
} from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { scopesInWords } from '../../model/needs.ts'
import { once } from '../../model/once.ts'
import { linkedIds, rollupFields, type Side } from '../../model/relations.ts'
import { principalId, withArticle } from '../../model/roles.ts'
import { isByAction, waysTo } from '../../model/states.ts'

/**
 * The schemas of a kind's operations, made from its fields: what may be sent to create and to change one,
 * and what is answered.
 */
type ZodShape = Record<string, z.ZodType>

/** One for all that answer or take the field. */
const nullable = once((schema: z.core.$ZodType) => (schema as z.ZodType).nullable())
const leavable = once((schema: z.core.$ZodType) => nullable(schema).optional())

/** What a creation cannot do without: also the parent that a record may lose later. */
const askedFor = ({ required, under }: Kind): readonly string[] =>
  under ? [...required, under.field] : required

/** What a creation takes: the required fields, and any of the others. */
export const creationSchema = once(
  (kind: Kind): z.ZodObject =>
    z
      .strictObject({
        ...optionalBut(askedFor(kind), { ...givenFields(kind), ...stateAtFirst(kind) }),
        ...Object.fromEntries(linkedIds(kind).map(([field, side]) => [field, idsAtFirst(side)])),
        source: SOURCE_GIVEN,
      })
      .meta({
        // Beneath its parent, which the path names, it is sent without it.
        id: `${pascal(kind.name)}${kind.under ? 'Row' : 'Creation'}`,
        title: `${capital(withArticle(kind.noun))} to add`,
      }),
)

/**
 * What a change takes: any field, `null` to clear one, and whatever the service sets and what its parent is as long as
 * it is as it stands, so that what was read can be sent back.
 */
export const changeShape = once((kind: Kind): ZodShape => {
  const echoed = Object.fromEntries(
    principalFields(kind).map((field) => [field, principalChange.meta(wordsOf(kind.fields[field]!))]),
  )
  const set = Object.keys({ ...serviceShape(kind), ...kind.rollups, ...kind.readings }).filter(
    (field) => field !== 'id',
  )
  return {
    ...optionalBut([], { ...givenFields(kind), ...echoed }),
    ...Object.fromEntries(set.map((field) => [field, READ_ONLY])),
    ...(kind.under ? { [kind.under.field]: READ_ONLY } : {}),
  }
})

const SOURCE_GIVEN = choice('Source', SOURCES_GIVEN)
  .optional()
  .describe('How it was come by, where a program says; kept as it is')

/** With what a new record is linked at once. */
const idsAtFirst = ({ other, noun }: Side) =>
  z
    .array(refTo(capital(noun.many), other.idPrefix))
    .max(LINKED_AT_FIRST)
    .optional()
    .meta({ title: capital(noun.many) })
    .describe(`The ids of its ${noun.many}, taken once: later they are linked and unlinked`)

const LINKED_AT_FIRST = 50

/** The fields of states, without those that follow from an act of their own. */
function stateAtFirst({ states, fields }: Kind): Shape {
  const chosen = states.flatMap((machine) => {
    const { field, byAction } = machine
    const all = fields[field] as z.ZodEnum
    if (!byAction) return []
    const error = ({ input }: { input?: unknown }) =>
      typeof input === 'string' && isByAction(machine, input)
        ? waysTo(machine, input, 'add it in another state first')
        : undefined
    return [[field, all.exclude(Object.keys(byAction), { error }).meta(wordsOf(all))]]
  })
  return Object.fromEntries(chosen)
}

const { id, reference, source, version, archivedAt, createdAt, createdBy, updatedAt, updatedBy } =
  Object.fromEntries(Object.entries(SERVICE_FIELDS).map(([field, schema]) => [field, readOnly(schema)]))

/** What every record has, whatever its kind: what comes before its own fields, and what comes after them. */
const RECORD_BEFORE = {
  id,
  organizationId: readOnly(z.string().meta({ title: 'Organization' })),
  reference,
  externalId: nullable(COMMON_FIELDS.externalId),
}
const RECORD_AFTER = {
  labels: nullable(COMMON_FIELDS.labels),
  customFields: nullable(COMMON_FIELDS.customFields),
  source,
  version,
  archivedAt,
  createdAt,
  createdBy,
  updatedAt,
  updatedBy,
}

/** The same for the documents, which say it once. */
export const recordFields = z
  .object({ ...RECORD_BEFORE, ...RECORD_AFTER } as ZodShape)
  .meta({ id: 'RecordFields', title: 'What every record has' })

/** What GET answers and signals carry. */
export const recordSchema = once(
  (kind: Kind): z.ZodObject =>
    z
      .object({
        ...RECORD_BEFORE,
        ...Object.fromEntries(
          Object.entries(kind.fields).flatMap(([field, schema]) => answered(kind, field, schema)),
        ),
        ...Object.fromEntries(
          Object.entries(kind.derived).map(([field, schema]) => [
            field,
            readOnly(leftOut(kind, field, nullable(schema))),
          ]),
        ),
        ...Object.fromEntries(
          Object.entries(rollupFields(kind)).map(([field, schema]) => [
            field,
            readOnly(nullable(schema).optional().describe(rollupDescription(kind, field))),
          ]),
        ),
        ...Object.fromEntries(
          Object.entries(kind.readings).map(([field, { schema }]) => [field, readOnly(nullable(schema))]),
        ),
        ...linkedIdFields(kind),
        ...RECORD_AFTER,
      } as ZodShape)
      .meta({ id: pascal(kind.name), title: kind.title }),
)

const linkedIdFields = (kind: Kind): ZodShape =>
  Object.fromEntries(
    linkedIds(kind).map(([field, { noun }]) => [
      field,
      readOnly(z.array(z.string()).meta({ title: capital(noun.many) })).describe(
        `The ids of its ${noun.many}`,
      ),
    ]),
  )

function rollupDescription({ rollups }: Kind, field: string): string {
  const among = everyKind.find(({ name }) => name === rollups[field]!.among)!
  return `The highest level of the open ${among.noun.many} it is linked with; not in lists, and only with ${scopesInWords(needsToRead(among))}`
}

/**
 * Fields of a record that only the service sets. What follows from linked records is none of them: those move
 * without this one, so that what was read could not be sent back.
 */
export function serviceShape(kind: Kind): Shape {
  const ids = Object.fromEntries(
    principalFields(kind).map((field) => [principalId(field), z.string().nullable()]),
  )
  return { ...SERVICE_FIELDS, organizationId: z.string(), ...kind.derived, ...linkedIdFields(kind), ...ids }
}

/** A field that only the service sets, as a change may send it back. */
export const READ_ONLY = z.unknown().optional().meta({ readOnly: true })

/** Of the record that a call is about. */
export const ID = z
  .string()
  .min(1)
  .max(100)
  .meta({ title: 'Id' })
  .describe('The id that its list and its creation answer; no reference')

/** Of what carries a `version`: an input, which may also come as the header. */
export const IF_MATCH = z
  .union([z.int(), z.array(z.int()).max(100)])
  .optional()
  .meta({ title: 'If-Match' })
  .describe('The version that was read; another one refuses the change')
export const IF_MATCH_HEADER = { ifMatch: 'if-match' } as const

function readOnly(schema: z.core.$ZodType) {
  return (schema as z.ZodType).meta({ readOnly: true })
}

/** Who is answerable, as answers show it. */
export const principalShown = z
  .object({
    type: z.enum(['user', 'personnel']),
    refId: z.string(),
    displayName: z.string(),
    active: z.boolean(),
  })
  .meta({ id: 'Principal' })

/** The same as a change takes it: with what answers add, or without. */
const principalChange = z
  .strictObject({
    type: principalShown.shape.type,
    refId: idOf('usr', 'per'),
    displayName: z.string().optional(),
    active: z.boolean().optional(),
  })
  .meta({ id: 'PrincipalChange' })

/** Title and description of a field, for a schema made from its schema. */
function wordsOf(schema: z.core.$ZodType): { title?: string; description?: string } {
  const { title, description } = z.globalRegistry.get(schema) ?? {}
  return { ...(title ? { title } : {}), ...(description ? { description } : {}) }
}

function optionalBut(required: readonly string[], fields: Shape): ZodShape {
  return Object.fromEntries(
    Object.entries(fields).map(([field, schema]) => [
      field,
      required.includes(field) ? (schema as z.ZodType) : leavable(schema),
    ]),
  )
}

/** What lists leave out, as answers have it. */
const leftOut = ({ inFull = [] }: Kind, field: string, schema: z.ZodType): z.ZodType =>
  inFull.includes(field)
    ? schema
        .optional()
        .meta({ ...wordsOf(schema), description: `${wordsOf(schema).description}; not in lists` })
    : schema

function answered(kind: Kind, field: string, schema: z.core.$ZodType): [string, z.ZodType][] {
  if (!principalFields(kind).includes(field)) {
    const always = kind.required.includes(field) || field in kind.defaults
    return [[field, leftOut(kind, field, always ? (schema as z.ZodType) : nullable(schema))]]
  }
  return [
    [field, principalShown.nullable().meta(wordsOf(schema))],
    [principalId(field), readOnly(z.string().nullable().describe(`The refId of ${field}`))],
  ]
}
