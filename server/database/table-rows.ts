import { createHash } from 'node:crypto'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

/*
 * The rows of all tables, out of one database and into another, as PostgreSQL's own COPY text: the same on every
 * version of PostgreSQL that Plumbline runs on.
 */

/** A table as a backup has it. Rows of a partitioned table are read and written through the table itself. */
export interface TableShape {
  readonly name: string
  /** In the order of the copied rows. Generated columns are left out: PostgreSQL makes them again. */
  readonly columns: readonly string[]
  readonly partitions: readonly Partition[]
}

export interface Partition {
  readonly name: string
  /** As PostgreSQL writes it: `FOR VALUES FROM (…) TO (…)`. */
  readonly bound: string
}

/** A sequence, and where it has come to; null before its first number. */
export interface SequenceState {
  readonly name: string
  readonly lastValue: string | null
}

/** The form of values must depend on no setting of a server, database or login. */
const PLAIN_VALUES = [
  "set client_encoding to 'UTF8'",
  "set datestyle to 'ISO, YMD'",
  "set intervalstyle to 'postgres'",
  "set timezone to 'UTC'",
  "set bytea_output to 'hex'",
  'set extra_float_digits to 1',
  // A large backup takes longer than any call.
  'set statement_timeout to 0',
  'set lock_timeout to 0',
  'set idle_in_transaction_session_timeout to 0',
  "set search_path to 'public'",
]

export async function setPlainValues(client: pg.Client): Promise<void> {
  for (const statement of PLAIN_VALUES) await client.query(statement)
}

export async function readShapes(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns,
      coalesce((select json_agg(json_build_object('name', p.relname, 'bound', pg_get_expr(p.relpartbound, p.oid))
                          order by p.relname)
        from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid), '[]') as partitions
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname collate "C"`)
  return rows
}

export async function readSequences(client: pg.Client): Promise<SequenceState[]> {
  const { rows } = await client.query<SequenceState>(`
    select sequencename as name, last_value::text as "lastValue" from pg_sequences
     where schemaname = 'public' order by 1`)
  return rows
}

const named = ({ name, columns }: TableShape) =>
  `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`

/** All rows of a table, as bytes. The connection takes nothing else until the last was read. */
export function copyOut(client: pg.Client, shape: TableShape) {
  const columns = shape.columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  return client.query(
    copyTo(`copy (select ${columns} from ${pg.escapeIdentifier(shape.name)}) to stdout`, {
      highWaterMark: 1024 * 1024,
    }),
  )
}

/** Takes rows for a table; `rowCount` has their number once it has finished. */
export function copyInto(client: pg.Client, shape: TableShape) {
  return client.query(copyFrom(`copy ${named(shape)} from stdin`))
}

export interface Summed {
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/** Counts and hashes rows as COPY writes them: each ends with the only line feed in it. */
export class RowSum {
  readonly #hash = createHash('sha256')
  #rows = 0
  #bytes = 0

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk)
    this.#bytes += chunk.length
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) this.#rows += 1
  }

  end(): Summed {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }
}

const LINE_FEED = 10
