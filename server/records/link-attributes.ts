import { z } from 'zod'
import type { Values } from '../../model/complaint.ts'
import type { Relation } from '../../model/relation.ts'
import type { Side } from '../../model/relations.ts'
import { withArticle } from '../../model/roles.ts'
import { invalid } from '../refusal.ts'

/**
 * What a link says after a change: what is absent stays as it is, or is what the relation assumes of a new one; null
 * clears.
 * @param before null of a new link
 * @throws {Refusal} `validation_failed` for what such a link does not say, or not so
 */
export function attributesAfter(
  { relation, noun }: Side,
  before: Values | null,
  given: Values,
): Record<string, unknown> {
  const { fields, defaults } = relation
  for (const [field, value] of Object.entries(given)) {
    const message = complaintAbout(fields[field] as z.ZodType | undefined, value, field in defaults)
    if (message) throw invalid({ path: field, message: `of a link with ${withArticle(noun)} ${message}` })
  }
  return Object.fromEntries(
    Object.keys(fields).map((field) => {
      const assumed = before ? before[field] : defaults[field]
      return [field, given[field] === undefined ? (assumed ?? null) : given[field]]
    }),
  )
}

function complaintAbout(schema: z.ZodType | undefined, value: unknown, isAlwaysSet: boolean): string | null {
  if (!schema) return 'there is none: leave it out'
  if (value === null) return isAlwaysSet ? 'it always has a value: give one, or leave it out' : null
  const { error } = schema.safeParse(value)
  return error ? (error.issues[0]?.message ?? 'it is not valid') : null
}

/** What links of some relations say, by its name; of what several of them call alike, whatever one of them takes. */
export function attributesOfAll(
  relations: readonly Relation[],
  form: (relation: Relation, name: string, schema: z.ZodType) => z.ZodType,
): Record<string, z.ZodType> {
  const all = relations.flatMap((relation) =>
    Object.entries(relation.fields as Record<string, z.ZodType>).map(
      ([name, schema]) => [name, schema, form(relation, name, schema)] as const,
    ),
  )
  return Object.fromEntries(
    [...Map.groupBy(all, ([name]) => name)].map(([name, alike]) => {
      // What several relations say by one schema is one.
      const [first, ...others] = new Map(alike.map(([, schema, formed]) => [schema, formed])).values()
      return [name, (others.length > 0 ? z.union([first!, ...others]) : first!).optional()]
    }),
  )
}
