import type { z } from 'zod'
import { columnOf } from '../../model/column-names.ts'
import { isChild, kindOfPrefix } from '../../model/family.ts'
import { optionsOf, storageOf, targetOf } from '../../model/fields.ts'
import { givenFields, type Kind, principalFields, SERVICE_FIELDS } from '../../model/kind.ts'
import { type Side, sidesOf } from '../../model/relations.ts'
import { principalColumns, uniqueIndex } from '../../model/roles.ts'
import { isBackOf, linkColumns } from '../../model/sides.ts'
import { comparedColumn, uniquesOf } from '../../model/unique.ts'
import { NATURALLY } from '../database/natural-order.ts'
import { type Column, tableOf } from './table.ts'

/**
 * The migration that makes the table of a kind, and a table of links for each relation that it says: columns as every
 * kind has them, what its fields point at, what is unique, forced row security and the grant. It is where a migration
 * begins; what was written once is never made anew from a kind that has changed since.
 * @param isMade whether there is a table: of the relations that other kinds say of it, those without one get theirs
 */
export function kindMigration(kind: Kind, isMade: (table: string) => boolean = () => true): string {
  const links = sidesOf(kind).filter(
    ({ writes, relation, other }) => writes || (kind !== other && !isMade(relation.table)),
  )
  const said = links.map((side) => (side.writes ? side : sidesOf(side.other).find(isBackOf(side))!))
  return wrapped([tableOfRecords(kind), ...said.map(tableOfLinks)].join('\n'))
}

const WIDTH = 120

/** Lines that are too long go on in the next, further in, after a comma or before a condition. */
const wrapped = (sql: string): string => sql.split('\n').map(wrappedLine).join('\n')

function wrappedLine(line: string): string {
  const [first = '', ...items] = line.split(/(?<=,) | (?=where )/)
  const indent = `${/^ */.exec(line)![0]}  `
  const lines = items.reduce(
    ([last = '', ...done], item) =>
      last.length + item.length < WIDTH ? [`${last} ${item}`, ...done] : [`${indent}${item}`, last, ...done],
    [first],
  )
  return lines.reverse().join('\n')
}

function tableOfRecords(kind: Kind): string {
  const { table } = kind
  const columns = tableOf(kind).columns.map((column) => `${column.name} ${typeOf(kind, column)}`)
  const parts = [
    ...columns,
    searchText(kind),
    'primary key (organization_id, id)',
    ...(kind.referencedBy ? [] : ['unique (organization_id, reference_number)']),
    `constraint ${uniqueIndex(kind, 'externalId')} unique (organization_id, external_id)`,
    ...references(kind).map(
      ({ column, to, key, isLetGo }) =>
        // Those that go with their parent may point at each other, and go in any order.
        `foreign key (organization_id, ${column}) references ${to} (organization_id, ${key})${
          isLetGo ? ` on delete set null (${column})` : ''
        }${isChild(kind) && to === table ? ' deferrable initially deferred' : ''}`,
    ),
    ...principalFields(kind).map((field) => {
      const { user, personnel } = principalColumns(field)
      return `check (num_nonnulls(${user}, ${personnel}) ${kind.required.includes(field) ? '=' : '<='} 1)`
    }),
    ...choices(kind),
  ]
  return [
    `create table ${table} (\n${parts.map((part) => `  ${part}`).join(',\n')}\n);`,
    ...indexes(kind),
    ...guarded(table).slice(0, -1),
    ...seenByGate(table),
    '',
  ].join('\n')
}

function typeOf(kind: Kind, { name, field, storage, principal }: Column): string {
  const schema = givenFields(kind)[field]
  const isId = ['organization_id', 'id'].includes(name) || principal || (schema && targetOf(schema))
  // Of the two columns of a principal only one is.
  const isSet =
    ALWAYS_SET.has(name) || (!principal && (kind.required.includes(field) || field in kind.defaults))
  return `${storage}${isId ? ' collate "C"' : ''}${isSet ? ' not null' : ''}`
}

const ALWAYS_SET = new Set([
  'organization_id',
  'id',
  'reference_number',
  'source',
  'version',
  'created_at',
  'created_by',
  'updated_at',
  'updated_by',
])

/** What searches look through (0024-search.sql). */
function searchText({ search, fields }: Kind): string {
  const isList = (field: string) => storageOf(fields[field]!) === 'text[]'
  const texts = [...search.filter((field) => !isList(field)).map(columnOf), 'external_id'].join(', ')
  const lists = [...search.filter(isList).map(columnOf), 'labels'].join(' || ')
  return `search_text text collate "C" not null
    generated always as (normalize_for_search(array[${texts}] || ${lists})) stored`
}

/** What a field chooses from, the table takes and nothing else. */
function choices(kind: Kind): string[] {
  const fields = { ...givenFields(kind), ...kind.derived, source: SERVICE_FIELDS.source }
  return Object.entries(fields).flatMap(([field, schema]) => choicesOf(field, schema, 'check') || [])
}

function choicesOf(field: string, schema: z.core.$ZodType, check: string): string {
  const options = optionsOf(schema).map((option) => `'${option}'`)
  if (options.length === 0) return ''
  return storageOf(schema) === 'text[]'
    ? `${check} (${columnOf(field)} <@ array[${options.join(', ')}]::text[])`
    : `${check} (${columnOf(field)} in (${options.join(', ')}))`
}

interface Reference {
  readonly column: string
  readonly to: string
  readonly key: string
  /** Whether what it points at may go all the same. */
  readonly isLetGo?: true
}

/** What its fields point at, each within the organization: members by their user's id, records by theirs. */
function references(kind: Kind): Reference[] {
  const ids = Object.entries(kind.fields).flatMap(([field, schema]): Reference[] => {
    const prefix = targetOf(schema)
    if (!prefix) return []
    const to = kindOfPrefix(prefix)?.table
    return [{ column: columnOf(field), to: to ?? 'members', key: to ? 'id' : 'user_id' }]
  })
  const principals = principalFields(kind)
    .map(principalColumns)
    .flatMap(({ user, personnel }): Reference[] => [
      { column: user, to: 'members', key: 'user_id' },
      { column: personnel, to: 'personnel', key: 'id' },
    ])
  const before = kind.repeats
    ? [{ column: columnOf(kind.repeats.after), to: kind.table, key: 'id', isLetGo: true } as const]
    : []
  return [...ids, ...principals, ...before]
}

function indexes(kind: Kind): string[] {
  const { table } = kind
  const owners = principalFields(kind)
    .map(principalColumns)
    .flatMap(Object.values<string>)
  const isUnique = (column: string) =>
    Object.values(kind.unique).some((fields) => columnOf(fields[0]!) === column)
  const pointing = references(kind).filter(({ column }) => !owners.includes(column) && !isUnique(column))
  return [
    ...uniquesOf(kind)
      .filter(({ field }) => field !== 'externalId')
      .map(({ field, fields, states }) => {
        const columns = fields.map((one) => comparedColumn(kind, one)).join(', ')
        const within = states?.map((state) => `'${state}'`).join(', ')
        const where = within ? ` where ${columnOf(kind.states[0]!.field)} in (${within})` : ''
        return `create unique index ${uniqueIndex(kind, field)} on ${table} (organization_id, ${columns})${where};`
      }),
    `create index ${table}_newest on ${table} (organization_id, created_at desc, id desc);`,
    `create index ${table}_changed on ${table} (organization_id, updated_at desc, id desc);`,
    `create index ${table}_archived on ${table} (organization_id, created_at desc, id desc) where archived_at is not null;`,
    ...kind.indexedSorts.map((sort) => sortIndex(kind, sort)),
    ...pointing.map(
      ({ column }) => `create index ${indexName(table, column)} on ${table} (organization_id, ${column});`,
    ),
    ...owners.map(
      (column) =>
        `create index ${indexName(table, column)} on ${table} (organization_id, ${column}) where ${column} is not null;`,
    ),
  ]
}

/** In the order of the list (list/order.ts): empty values are last in both directions. */
function sortIndex({ table, fields, derived }: Kind, sort: string): string {
  const field = sort.replace('-', '')
  const column = columnOf(field)
  const isText = storageOf({ ...fields, ...derived }[field]!) === 'text'
  const way = sort.startsWith('-') ? ' desc' : ''
  const nulls = way && ' nulls last'
  return `create index ${table}_by_${column} on ${table} (organization_id, ${column}${isText ? ` ${NATURALLY}` : ''}${way}${nulls}, id${way});`
}

const indexName = (table: string, column: string): string => `${table}_${column.replace(/_id$/, '')}`

function tableOfLinks(side: Side): string {
  const { relation, kind, other } = side
  const { table, fields, defaults } = relation
  const { here, there } = linkColumns(side)
  const attributes = Object.entries(fields).map(([field, schema]) => {
    const isSet = field in defaults ? ' not null' : ''
    return `${columnOf(field)} ${storageOf(schema)}${isSet}${choicesOf(field, schema, ' check')}`
  })
  return [
    `create table ${table} (
  organization_id text collate "C" not null,
  ${here} text collate "C" not null,
  ${there} text collate "C" not null,
${attributes.map((attribute) => `  ${attribute},\n`).join('')}  linked_at timestamptz not null,
  linked_by jsonb not null,
  primary key (organization_id, ${here}, ${there}),
  foreign key (organization_id, ${here}) references ${kind.table} (organization_id, id) on delete cascade,
  foreign key (organization_id, ${there}) references ${other.table} (organization_id, id) on delete cascade
);`,
    `create index ${table}_${there.replace(/_id$/, '')} on ${table} (organization_id, ${there}, ${here});`,
    ...guarded(table),
  ].join('\n')
}

/** What lists are filtered by custom fields with (0056-custom-fields.sql). */
const seenByGate = (table: string): string[] => [
  `create index ${table}_custom_fields on ${table} using gin (organization_id, custom_fields jsonb_path_ops)
  where custom_fields is not null;`,
  `create policy gate on ${table} for select to plumbline_gate using (true);`,
  `grant select (organization_id, id, custom_fields) on ${table} to plumbline_gate;`,
]

const guarded = (table: string): string[] => [
  `alter table ${table} enable row level security, force row level security;`,
  `create policy tenant on ${table} to plumbline_tenant
  using (organization_id = (select current_organization()));`,
  `grant select, insert, update, delete on ${table} to plumbline_tenant;`,
  '',
]
