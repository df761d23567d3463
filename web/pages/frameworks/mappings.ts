import type { Output } from '../../client/calls.ts'

/* How requirements of one framework stand to those of another, as they are read from the one. */

/** With what its relation says (model/relations/requirement.ts), as a list of mappings has it. */
export type Mapping = Output<'listFrameworkMappings'>['data'][number] & {
  readonly relationship: string
  readonly origin: string
  readonly note: string | null
  readonly reviewedBy: string | null
}

/** A mapping as it is read from one of its ends, whichever end it was made from. */
export interface Read {
  readonly mapping: Mapping
  /** The requirement that it is read from, and the other. */
  readonly from: string
  readonly other: Mapping['source']
  readonly relationship: string
  readonly isBackwards: boolean
}

const TURNED: Readonly<Record<string, string>> = {
  subset_of: 'superset_of',
  superset_of: 'subset_of',
}

/** The same relationship, said from the other end. */
export const turned = (relationship: string): string => TURNED[relationship] ?? relationship

/** By the requirement of the framework that they are read from. */
export function readFrom(
  frameworkId: string,
  mappings: readonly Mapping[],
): ReadonlyMap<string, readonly Read[]> {
  const all = new Map<string, Read[]>()
  for (const mapping of mappings) {
    const isBackwards = mapping.source.frameworkId !== frameworkId
    const { source, target, relationship } = mapping
    const [from, other] = isBackwards ? [target, source] : [source, target]
    const read = {
      ...{ mapping, from: from.id, other, isBackwards },
      relationship: isBackwards ? turned(relationship) : relationship,
    }
    const before = all.get(from.id)
    if (before) before.push(read)
    else all.set(from.id, [read])
  }
  return all
}
