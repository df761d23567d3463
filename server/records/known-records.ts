import { columnOf } from '../../model/column-names.ts'
import type { Kind } from '../../model/kind.ts'
import { nameColumn, stateField } from '../../model/roles.ts'
import { referenceIn } from './reference.ts'

/*
 * Of each record, whatever its kind, `known_records` has a row: what it is called, its state, how grave it is, and the
 * texts by which it is found. What may point at a record of any kind points there, links are shown from there, and the
 * search over all kinds reads nothing else.
 *
 * The row is written by the statement that writes the record, from what that returns, so neither is ever there without
 * the other; and it is left alone by a change of anything else.
 */

/** Parts of a statement in which `written` is what was done to records of the kind, and returns their columns. */
export interface KnownRecord {
  /** Columns that `written` has to return. */
  readonly columns: readonly string[]
  readonly insert: string
  readonly update: string
  readonly remove: string
}

export function knownRecord(kind: Kind): KnownRecord {
  const column = (field: string | undefined) => (field === undefined ? 'null::text' : columnOf(field))
  const reference = referenceIn(kind)
  const columns = {
    called: nameColumn(kind),
    state: column(stateField(kind)),
    level: column(kind.level),
    archived_at: 'archived_at',
    texts: `letters_for_search(' ' || lower(${reference}) || translate(E'\\n' || search_text, E'\\n', ' '))`,
  }
  const names = Object.keys(columns)
  const values = Object.entries(columns).map(([name, value]) => `${value} as ${name}`)
  const both = (table: string) => names.map((name) => `${table}.${name}`).join(', ')
  const named = kind.referencedBy ? columnOf(kind.referencedBy) : 'reference_number'
  const read = [nameColumn(kind), stateField(kind), kind.level].flatMap((field) =>
    field ? [columnOf(field)] : [],
  )
  return {
    columns: ['organization_id', 'id', named, 'archived_at', 'search_text', ...read],
    insert: `known as (
      insert into known_records (organization_id, id, kind, reference, ${names.join(', ')})
      select organization_id, id, '${kind.name}', ${reference}, ${Object.values(columns).join(', ')} from written)`,
    update: `known as (
      update known_records k set ${names.map((name) => `${name} = w.${name}`).join(', ')}
        from (select organization_id, id, ${values.join(', ')} from written) w
       where k.organization_id = w.organization_id and k.id = w.id
         and (${both('k')}) is distinct from (${both('w')}))`,
    remove: `known as (
      delete from known_records k using written w where k.organization_id = w.organization_id and k.id = w.id)`,
  }
}
