import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { MappingSet } from './catalog.ts'

/*
 * Finds the requirements that a mapping set of a library names. They are known by the URNs that were stored when their
 * framework was imported. A framework that was imported before URNs were stored is searched by keys: a URN ends with the
 * key, in small letters and with hyphens.
 */

export interface MappedFramework {
  readonly id: string
  readonly key: string
  readonly edition: string
  readonly name: string
}

/** @returns the edition of a framework that mappings are for: an active one, or the one that was added last */
export async function findMapped(tx: Transaction, key: string): Promise<MappedFramework | null> {
  const [row = null] = await tx.read<MappedFramework>(find(tx.organizationId, key))
  return row
}

/** The ids of requirements by the URNs that a mapping set names them by. */
export type Ends = (urn: string) => string | undefined

/**
 * @param urns of the requirements that a mapping set names
 * @returns finds the id of a requirement by its URN
 */
export async function endsOf(
  tx: Transaction,
  { id }: MappedFramework,
  urns: readonly string[],
): Promise<Ends> {
  const rows = await tx.read<{ id: string; key: string; urn: string | null }>(read(tx.organizationId, id))
  const byUrn = new Map(rows.flatMap((row) => (row.urn === null ? [] : [[row.urn, row.id] as const])))
  if (byUrn.size > 0) return (urn) => byUrn.get(urn)
  const prefix = prefixOf(urns)
  const byName = new Map<string, string | null>()
  for (const row of rows) {
    const name = comparable(row.key)
    byName.set(name, byName.has(name) ? null : row.id)
  }
  const exact = new Map(rows.map((row) => [row.key, row.id]))
  return (urn) => {
    const end = urn.slice(prefix.length)
    return exact.get(end) ?? byName.get(comparable(end)) ?? undefined
  }
}

/** The beginning that all URNs share, up to a colon: `urn:example:risk:req_node:rules:`. */
function prefixOf(urns: readonly string[]): string {
  const [, declared] = /^((?:[^:]*:){5})/.exec(urns[0] ?? '') ?? []
  return declared !== undefined && urns.every((urn) => urn.startsWith(declared)) ? declared : ''
}

const comparable = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

/** A mapping that is here, whichever way round. */
export interface StandingMapping {
  readonly source: string
  readonly target: string
}

/** All mappings between two frameworks. */
export const standingBetween = (
  tx: Transaction,
  one: MappedFramework,
  other: MappedFramework,
): Promise<readonly StandingMapping[]> => tx.read(between(tx.organizationId, one.id, other.id))

/** The URNs of a mapping set at one of its ends. */
export const urnsAt = ({ mappings }: MappingSet, end: 'source' | 'target'): readonly string[] => [
  ...new Set(mappings.map((mapping) => mapping[end])),
]

const find = statement(`
  select id, key, edition, name from frameworks
   where organization_id = $1 and key = $2 and archived_at is null
   order by status = 'active' desc, created_at desc, id desc limit 1`)

const read = statement(`
  select r.id, r.key, u.urn
    from requirements r
    left join requirement_urns u on u.organization_id = r.organization_id and u.requirement_id = r.id
   where r.organization_id = $1 and r.framework_id = $2 and r.archived_at is null`)

const between = statement(`
  select m.mapping_source_id as source, m.mapping_target_id as target
    from requirement_mappings m
    join requirements s on s.organization_id = m.organization_id and s.id = m.mapping_source_id
    join requirements t on t.organization_id = m.organization_id and t.id = m.mapping_target_id
   where m.organization_id = $1
     and ((s.framework_id = $2 and t.framework_id = $3) or (s.framework_id = $3 and t.framework_id = $2))`)

/** Stores the URNs of the requirements of a framework: $3 is an array of keys with their URNs. */
export const storeUrns = statement(`
  insert into requirement_urns (organization_id, requirement_id, framework_id, urn)
  select $1, r.id, $2, one->>1
    from jsonb_array_elements($3::jsonb) one
    join requirements r on r.organization_id = $1 and r.framework_id = $2 and r.key = one->>0
  on conflict (organization_id, requirement_id) do update set urn = excluded.urn`)
