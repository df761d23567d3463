import { z } from 'zod'
import type { Field } from './described-field.ts'
import type { FieldData, Flag, KindData, KindEntry, RelationEntry } from './described-kind.ts'
import { meaningsOf, optionsOf } from './fields.ts'
import { fieldsIn } from './form-fields.ts'
import type { Kind, Shape } from './kind.ts'
import { filterFieldsOf, scaleOf, sortFieldsOf } from './listing.ts'
import { reasonOf } from './readings.ts'
import type { Relation } from './relation.ts'
import { rollupFields, sidesOf } from './relations.ts'
import { deadlineFields } from './roles.ts'
import type { InStates } from './states.ts'
import { roleAsked } from './waiting.ts'

/*
 * What the web app is given of a kind (described-kind.ts), read from its schemas: when the pages are built, and by
 * tests.
 */

/** @returns what the index of kinds has of it */
export function entryOf(kind: Kind): KindEntry {
  const { name, plural, title, idPrefix, referencePrefix, path, page, access, module, named } = kind
  // Notices are put in words by the service.
  const { about: _about, ...noun } = kind.noun
  const { owners, signals, under, rollups, relations, linkFields, terminal, waits } = kind
  const asking = Object.entries(kind.attention)
  return {
    ...{ name, plural, noun, title, idPrefix, referencePrefix, path, page, access, module, named },
    ...{
      owners,
      deadlines: datesOf(kind),
      signals,
      rollups,
      linkFields,
      relations: relations.map(entryOfRelation),
    },
    ...(asking.length > 0 && { attention: asking.map(([field, states]) => flagOf(kind, field, states)) }),
    ...(waits.length > 0 && { waits: waits.map(({ askedBy: _askedBy, ...waiting }) => waiting) }),
    ...(kind.isShownToOwners && { isShownToOwners: true as const }),
    ...(kind.leftTo && { leftTo: kind.leftTo }),
    ...(under && { under: shownUnder(under) }),
    ...(terminal && { open: { field: terminal.field, values: openValues(kind, terminal) } }),
  }
}

/** Whom the end of one is told to, no page asks. */
const datesOf = ({ deadlines }: Kind): Kind['deadlines'] =>
  Object.fromEntries(
    Object.entries(deadlines).map(([name, { lapseTells: _, ...deadline }]) => [name, deadline]),
  )

/** Where its records stand: what only forms and pages of the kind need of it comes with those. */
const shownUnder = ({ kind, field, path, stands }: NonNullable<Kind['under']>) => ({
  ...{ kind, field, path },
  ...(stands !== undefined && { stands }),
})

function flagOf(kind: Kind, name: string, states: InStates): Flag {
  const { derived, readings } = kind
  const { title = name } = z.globalRegistry.get(derived[name] ?? readings[name]!.schema) ?? {}
  const field = reasonOf(kind, name)
  const meanings = field === undefined ? undefined : meaningsOf(readings[field]!.schema)
  return { name, title, states, ...(field !== undefined && meanings && { reason: { field, meanings } }) }
}

const entryOfRelation = ({ name, from, to, called, defaults, holds }: Relation): RelationEntry => ({
  ...{ name, from, to },
  ...(Object.keys(defaults).length > 0 && { defaults }),
  ...(called && { called }),
  ...(holds && { holds }),
})

const openValues = ({ fields }: Kind, { field, values }: NonNullable<Kind['terminal']>): string[] =>
  optionsOf(fields[field]!).filter((one) => !values.includes(one))

/** @returns the rest of it, for whoever opens a list, a page or a form of the kind */
export function dataOf(kind: Kind): KindData {
  const { required, defaults, columns, sections, firstFields, filters, states, ascending } = kind
  const { writableBy, settled } = kind
  const { begunInPerson, terminal, crossTabs, level, uploads, agesFrom, ratings, byMatrix, example } = kind
  const all = { ...kind.fields, ...kind.derived }
  const readings = Object.entries(kind.readings).map(([name, { schema }]) => [name, schema] as const)
  const derived = { ...kind.derived, ...Object.fromEntries(readings) }
  const fromHere = sidesOf(kind).filter(({ writes, relation }) => !writes && relation.atBothEnds)
  return {
    ...{ required, defaults, columns, sections, firstFields, filters, states, ascending },
    ...(begunInPerson && { begunInPerson }),
    ...(writableBy && { writableBy }),
    ...(kind.under?.begins && { begins: kind.under.begins }),
    ...(kind.under?.suggests && { suggests: kind.under.suggests }),
    ...(settled && { settled }),
    ...(terminal && { terminal }),
    ...(crossTabs && { crossTabs }),
    ...(level !== undefined && { level }),
    ...(uploads && { uploads }),
    ...(agesFrom !== undefined && { agesFrom }),
    ...(ratings && { ratings }),
    ...(byMatrix && { byMatrix }),
    ...(example && { example }),
    ...(Object.values(kind.facts).some(({ ofReadings }) => !ofReadings) && { hasFacts: true as const }),
    fields: withAsked(kind, fieldDataOf(kind.fields, deadlineFields(kind))),
    derived: fieldDataOf(derived, deadlineFields(kind)),
    rolledUp: fieldDataOf(rollupFields(kind)),
    links: linkDataOf(kind),
    ...(fromHere.length > 0 && { alsoLinks: fromHere.map(({ relation }) => relation.name) }),
    scales: Object.keys(all).filter((name) => scaleOf(all[name]!) !== null),
    filterFields: filterFieldsOf(kind).map(({ name, form, unset }) => ({
      name,
      form,
      ...(unset && { unset }),
    })),
    sortFields: sortFieldsOf(kind),
  }
}

function withAsked(kind: Kind, fields: FieldData): FieldData {
  const asked = kind.waits.flatMap(({ whom }) => {
    const takenUpBy = roleAsked(kind, whom)
    return takenUpBy && !fields[whom]!.decidedBy ? [[whom, { ...fields[whom]!, takenUpBy }] as const] : []
  })
  return { ...fields, ...Object.fromEntries(asked) }
}

const linkDataOf = (kind: Kind): KindData['links'] =>
  Object.fromEntries(
    sidesOf(kind).flatMap(({ relation: { name, fields } }) =>
      Object.keys(fields).length > 0 ? [[name, fieldDataOf(fields)]] : [],
    ),
  )

/** The fields of a shape as data: what a field does not have is left out. */
export const fieldDataOf = (shape: Shape, deadlines: readonly string[] = []): FieldData =>
  dataOfFields([...fieldsIn(shape, deadlines).values()])

const dataOfFields = (fields: readonly Field[]): FieldData =>
  Object.fromEntries(
    fields.map(({ name, parts, ...field }) => [
      name,
      {
        ...Object.fromEntries(Object.entries(field).filter(([, value]) => isSaid(value))),
        ...(parts.length > 0 && { parts: dataOfFields(parts) }),
      },
    ]),
  )

const isSaid = (value: unknown): boolean => Boolean(value) && !(Array.isArray(value) && value.length === 0)
