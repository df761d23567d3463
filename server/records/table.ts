import { columnOf } from '../../model/column-names.ts'
import type { Values } from '../../model/complaint.ts'
import { type Storage, storageOf } from '../../model/fields.ts'
import { COMMON_FIELDS, givenFields, type Kind, principalFields } from '../../model/kind.ts'
import { once } from '../../model/once.ts'
import { reasonOf } from '../../model/readings.ts'
import { levelsOf, linkedIds, sidesOf } from '../../model/relations.ts'
import { principalColumns, principalId } from '../../model/roles.ts'
import { linkColumns } from '../../model/sides.ts'
import type { Row } from '../database/connect.ts'
import { template } from '../database/template.ts'
import { journalled } from '../journal/write.ts'
import { type JournalledWrites, journalledMany } from '../journal/write-many.ts'
import { alongside } from './alongside.ts'
import { numbered } from './reference.ts'

/**
 * A kind as PostgreSQL sees it: its columns, the statements over them, and the way from a row to the record
 * that GET answers and signals carry. Everything is made once from the kind, when the program starts.
 */
export interface Table {
  readonly kind: Kind
  readonly columns: readonly Column[]
  /** The kind's table as `r`, with the members and personnel that an order by their names asks for. */
  readonly from: string
  /** The record's columns and its owners' names, from the kind's table as `r`; a WHERE follows. */
  readonly select: string
  /** The same without what the kind leaves out of lists (`inFull`). */
  readonly selectInList: string
  /**
   * `select` with the levels that follow from linked records. For one record: they would cost every reader of a
   * list as much again as its rows.
   */
  readonly selectOne: string
  readonly insert: ReturnType<typeof journalled>
  /** Of many at once, whose rows are `insertRows`. */
  readonly insertMany: JournalledWrites
  /** The statement for a change by which deadlines may move, or not: that costs nothing for them. */
  readonly update: (moves: boolean) => ReturnType<typeof journalled>
  /** Of many at once, whose rows are `updateRows`. */
  readonly updateMany: (moves: boolean) => JournalledWrites
  readonly remove: ReturnType<typeof journalled>
  /** Of many at once, whose rows are their ids, as JSON. */
  readonly removeMany: JournalledWrites
  /** The record of a row of `select` or `selectOne`. */
  record(row: Row): Values
  /** The parameters of `insert`. */
  insertValues(record: Values, referenceNumber: number): unknown[]
  /** The rows of `insertMany`, as JSON. */
  insertRows(records: readonly NumberedRecord[]): string
  /** The rows of `updateMany`, as JSON. */
  updateRows(records: readonly Values[]): string
  /** The parameters of `update`: the key, and whatever can change. */
  updateValues(record: Values): unknown[]
}

export interface NumberedRecord {
  readonly record: Values
  /** Of its reference. */
  readonly number: number
}

export interface Column {
  readonly name: string
  readonly field: string
  readonly storage: Storage
  /** For the two columns of a principal: which one. */
  readonly principal?: 'user' | 'personnel'
}

export const tableOf = once(makeTable)

function makeTable(kind: Kind): Table {
  const columns = columnsOf(kind)
  const names = columns.map((column) => column.name)
  const places = columns.map((_, index) => `$${index + 1}`)
  const changing = columns.filter((column) => !FIXED.has(column.name))
  const assignments = changing.map((column, index) => `${column.name} = $${index + 3}`)
  const where = 'where organization_id = $1 and id = $2'
  const { returning, ...besides } = alongside(kind)
  const storedOf = (column: Column, { record, number }: NumberedRecord) =>
    column.field === 'referenceNumber' ? number : storedValue(column, record)
  // In a list of rows what is JSON stands as it is.
  const inJson = (column: Column, record: Values) =>
    column.storage === 'jsonb' ? (record[column.field] ?? null) : storedValue(column, record)
  return {
    kind,
    columns,
    from: fromOf(kind),
    select: selectOf(kind, columns, [...idsOf(kind), ...readingsOf(kind)]),
    selectInList: selectOf(
      kind,
      columns.filter(({ field }) => !kind.inFull?.includes(field)),
      [...idsOf(kind), ...readingsOf(kind)],
    ),
    selectOne: selectOf(kind, columns, [...idsOf(kind), ...readingsOf(kind), ...highestOf(kind)]),
    insert: journalled(
      `insert into ${kind.table} (${names.join(', ')}) values (${places.join(', ')}) ${returning}`,
      columns.length,
      besides.insert,
    ),
    insertMany: journalledMany(
      `insert into ${kind.table} (${names.join(', ')})
       select ${names.join(', ')} from json_populate_recordset(null::${kind.table}, $1::json) ${returning}`,
      besides.insert,
    ),
    update: whether((moves) =>
      journalled(
        `update ${kind.table} set ${assignments.join(', ')} ${where} ${returning}`,
        changing.length + 2,
        besides.update(moves),
      ),
    ),
    updateMany: whether((moves) =>
      journalledMany(
        // By names of their own, since what follows names the columns of the table alone.
        `update ${kind.table} set ${changing.map(({ name }) => `${name} = given_${name}`).join(', ')}
         from (select ${[...KEY, ...changing.map(({ name }) => name)].map((name) => `${name} as given_${name}`).join(', ')}
                 from json_populate_recordset(null::${kind.table}, $1::json)) given
        where organization_id = given_organization_id and id = given_id ${returning}`,
        besides.update(moves),
      ),
    ),
    remove: journalled(`delete from ${kind.table} ${where} ${returning}`, 2, besides.remove),
    removeMany: journalledMany(
      `delete from ${kind.table}
        where organization_id = (select current_organization())
          and id = any(array(select json_array_elements_text($1::json))) ${returning}`,
      besides.remove,
    ),
    record: recordMaker(kind),
    insertValues: (record, number) => columns.map((column) => storedOf(column, { record, number })),
    insertRows: (records) =>
      JSON.stringify(
        records.map((one) =>
          Object.fromEntries(
            columns.map((column) => [
              column.name,
              column.field === 'referenceNumber' ? one.number : inJson(column, one.record),
            ]),
          ),
        ),
      ),
    updateRows: (records) =>
      JSON.stringify(
        records.map((record) => ({
          organization_id: record.organizationId,
          id: record.id,
          ...Object.fromEntries(changing.map((column) => [column.name, inJson(column, record)])),
        })),
      ),
    updateValues: (record) => [
      record.organizationId,
      record.id,
      ...changing.map((column) => storedValue(column, record)),
    ],
  }
}

/** Both made when the program starts, as all statements are. */
function whether<Made>(make: (is: boolean) => Made): (is: boolean) => Made {
  const [yes, no] = [make(true), make(false)]
  return (is) => (is ? yes : no)
}

const KEY = ['organization_id', 'id']

/** Never changed once written. */
const FIXED = new Set(['organization_id', 'id', 'reference_number', 'source', 'created_at', 'created_by'])

function columnsOf(kind: Kind): Column[] {
  const given = Object.entries({ ...givenFields(kind), ...kind.derived })
  return [
    { name: 'organization_id', field: 'organizationId', storage: 'text' },
    { name: 'id', field: 'id', storage: 'text' },
    ...(kind.referencedBy
      ? []
      : [{ name: 'reference_number', field: 'referenceNumber', storage: 'integer' as const }]),
    ...given.flatMap(([field, schema]): Column[] => {
      if (!principalFields(kind).includes(field))
        return [{ name: columnOf(field), field, storage: storageOf(schema) }]
      const { user, personnel } = principalColumns(field)
      return [
        { name: user, field, storage: 'text', principal: 'user' },
        { name: personnel, field, storage: 'text', principal: 'personnel' },
      ]
    }),
    { name: 'source', field: 'source', storage: 'text' },
    { name: 'version', field: 'version', storage: 'integer' },
    { name: 'archived_at', field: 'archivedAt', storage: 'timestamptz' },
    { name: 'created_at', field: 'createdAt', storage: 'timestamptz' },
    { name: 'created_by', field: 'createdBy', storage: 'jsonb' },
    { name: 'updated_at', field: 'updatedAt', storage: 'timestamptz' },
    { name: 'updated_by', field: 'updatedBy', storage: 'jsonb' },
  ]
}

/** What a row has of a principal beside its id. A kind may have a field of its own for the name: no column is called so. */
export const shownAs = (column: string) => ({ name: `${column}__name`, active: `${column}__active` })

function selectOf(kind: Kind, columns: readonly Column[], besides: readonly string[] = []): string {
  const principals = principalFields(kind).map(columnOf)
  const named = principals.flatMap((name) => [
    `${name}_n.name as ${shownAs(name).name}`,
    `${name}_n.active as ${shownAs(name).active}`,
  ])
  const shown = [...columns.map((column) => `r.${column.name}`), ...named, ...besides]
  const joins = [
    ...principals.map((name) => ` left join lateral (${principalOf(name)}) ${name}_n on true`),
    ...Object.entries(kind.lookups).map(([name, sql]) => ` left join lateral (${sql}) ${name} on true`),
  ]
  return `select ${shown.join(', ')} from ${kind.table} r${joins.join('')}`
}

/**
 * The one row of a principal, whichever it is. Two outer joins in its place would say the same, but of three principals
 * PostgreSQL takes three times as long to plan them as to read a page of records.
 */
const principalOf = (name: string): string => `
  select m.name, m.status = 'active' as active from members m
   where m.organization_id = r.organization_id and m.user_id = r.${name}_user_id
  union all
  select p.full_name, p.status <> 'former' and p.archived_at is null from personnel p
   where p.organization_id = r.organization_id and p.id = r.${name}_personnel_id`

/** For what reads all rows: a join that nothing asks for costs nothing, and one that sorts by a name is made but once. */
function fromOf(kind: Kind): string {
  const joins = principalFields(kind)
    .map(columnOf)
    .map(
      (name) => `
      left join members ${name}_u on ${name}_u.organization_id = r.organization_id and ${name}_u.user_id = r.${name}_user_id
      left join personnel ${name}_p on ${name}_p.organization_id = r.organization_id and ${name}_p.id = r.${name}_personnel_id`,
    )
  return `from ${kind.table} r ${joins.join('')}`
}

/** Each list of the ids of what a record is linked with. */
const idsOf = (kind: Kind): string[] =>
  linkedIds(kind).map(([field, side]) => {
    const { here, there } = linkColumns(side)
    return `array(select l.${there} from ${side.relation.table} l
        where l.organization_id = r.organization_id and l.${here} = r.id order by l.${there}) as ${columnOf(field)}`
  })

const readingsOf = (kind: Kind): string[] =>
  Object.entries(kind.readings).flatMap(([field, reading]) =>
    'sql' in reading ? [`(${reading.sql}) as ${columnOf(field)}`] : [],
  )

/** Each level that follows from linked records: the highest of those that are neither terminal nor archived. */
function highestOf(kind: Kind): string[] {
  return Object.entries(kind.rollups).map(([field, { among }]) => {
    const side = sidesOf(kind).find(({ other }) => other.name === among)!
    const { relation, other } = side
    const { here, there } = linkColumns(side)
    const { terminal, level } = other
    const levels = textArray(levelsOf(other))
    const open = terminal
      ? `and o.archived_at is null and o.${columnOf(terminal.field)} <> all(${textArray(terminal.values)})`
      : ''
    return `(select (${levels})[max(array_position(${levels}, o.${columnOf(level!)}))]
        from ${relation.table} l
        join ${other.table} o on o.organization_id = l.organization_id and o.id = l.${there}
       where l.organization_id = r.organization_id and l.${here} = r.id ${open}) as ${columnOf(field)}`
  })
}

const textArray = (words: readonly string[]) => `array[${words.map((word) => `'${word}'`).join(', ')}]`

function storedValue(column: Column, record: Values): unknown {
  const value = record[column.field] ?? null
  if (value === null) return null
  if (column.principal) {
    const principal = value as { type: string; refId: string }
    return principal.type === column.principal ? principal.refId : null
  }
  return column.storage === 'jsonb' ? JSON.stringify(value) : value
}

const SERVICE_COLUMNS = [
  'id',
  'organizationId',
  'source',
  'version',
  'archivedAt',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
]

/** From a row to its record, with the names looked up once and not for every row of a list. */
function recordMaker(kind: Kind): (row: Row) => Values {
  const principals = principalFields(kind).map((field) => [field, columnOf(field)] as const)
  const plain = [
    ...Object.keys({ ...kind.fields, ...kind.derived, ...kind.rollups, ...kind.readings }),
    ...Object.keys(COMMON_FIELDS),
    ...linkedIds(kind).map(([field]) => field),
  ]
    .filter((field) => !principalFields(kind).includes(field) && !kind.inFull?.includes(field))
    .map((field) => [field, columnOf(reasonOf(kind, field) ?? field)] as const)
  const long = (kind.inFull ?? []).map((field) => [field, columnOf(field)] as const)
  const flags = Object.keys(kind.readings).filter((field) => reasonOf(kind, field) !== undefined)
  const highest = Object.keys(kind.rollups).map((field) => [field, columnOf(field)] as const)
  const called = kind.referencedBy && columnOf(kind.referencedBy)
  const reference = (row: Row) => (called ? row[called] : numbered(kind, row.reference_number as number))
  const service = SERVICE_COLUMNS.map((field) => [field, columnOf(field)] as const)
  const empty = template([
    'id',
    'organizationId',
    'reference',
    ...[...service, ...plain].map(([field]) => field),
    ...principals.flatMap(([field]) => [field, principalId(field)]),
  ])
  return (row) => {
    const record = { ...empty }
    record.reference = reference(row)
    for (const [field, column] of service) record[field] = row[column]
    for (const [field, column] of plain) record[field] = row[column]
    for (const [field, column] of long) if (column in row) record[field] = row[column]
    for (const flag of flags) record[flag] = record[flag] !== null
    for (const [field, column] of highest) if (column in row) record[field] = row[column]
    for (const [field, column] of principals) setPrincipal(record, field, column, row)
    return record
  }
}

function setPrincipal(record: Record<string, unknown>, field: string, column: string, row: Row): void {
  const userId = row[`${column}_user_id`] as string | null
  const refId = userId ?? (row[`${column}_personnel_id`] as string | null)
  record[field] = refId && {
    type: userId ? 'user' : 'personnel',
    refId,
    displayName: row[shownAs(column).name],
    active: row[shownAs(column).active],
  }
  record[principalId(field)] = refId
}
