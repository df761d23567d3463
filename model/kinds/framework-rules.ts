import type { Complaint, Values } from '../complaint.ts'
import type { KindRules } from '../kind-rules.ts'

/** What belongs to the edition: of a catalog an import alone brings it, and corrects it. */
export const OF_THE_EDITION = [
  'key',
  'edition',
  'name',
  'shortName',
  'publisher',
  'description',
  'locale',
  'jurisdiction',
  'category',
  'license',
  'levels',
] as const

export const rules: Partial<KindRules> = {
  derive: (values, facts, write) => {
    if (!write) return {}
    const isFollowed = values.status === 'active' && write.before?.status !== 'active'
    return {
      kind: values.kind ?? 'custom',
      ...(facts ? { progress: facts.counted.progress } : {}),
      ...(isFollowed ? { activatedAt: write.time } : {}),
    }
  },
  refuse: (before, after, given, decided) =>
    refuseText(OF_THE_EDITION, before, after, given, decided) ?? refuseLevels(after),
  refuseDeletion: ({ statement }) =>
    statement
      ? {
          conflict:
            'Its statement of applicability was approved, and what was approved is kept: retire the framework instead.',
        }
      : null,
}

/**
 * The complaint about a change of what an import brought.
 * @param given what the write names; what the service decides itself, as an import does, is its own to say
 */
export function refuseText(
  fields: readonly string[],
  before: Values | null,
  after: Values,
  given: ReadonlySet<string>,
  decided?: ReadonlySet<string>,
  isCatalog = after.kind === 'catalog',
): Complaint | null {
  if (!isCatalog || before === null) return null
  const moved = fields.find(
    (field) =>
      given.has(field) &&
      !decided?.has(field) &&
      JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  return moved === undefined
    ? null
    : {
        path: moved,
        message: 'belongs to the edition as it was imported: leave it, or import a correction of it',
      }
}

function refuseLevels({ levels, implementationGroup }: Values): Complaint | null {
  const keys = ((levels ?? []) as readonly { readonly key: string }[]).map(({ key }) => key)
  const twice = keys.findIndex((key, at) => keys.indexOf(key) !== at)
  if (twice >= 0)
    return { path: `levels.${twice}.key`, message: 'is that of another level: give each a key of its own' }
  if (implementationGroup === null || implementationGroup === undefined) return null
  if (keys.includes(String(implementationGroup))) return null
  return {
    path: 'implementationGroup',
    message:
      keys.length > 0
        ? `is no level of this framework: give one of ${keys.join(', ')}`
        : 'is for frameworks with levels, and this one has none: leave it out',
  }
}
